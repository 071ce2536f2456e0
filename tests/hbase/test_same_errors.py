"""A cluster answers like a directory: the same error classes, ``hbase:meta`` as a table, no lost declarations."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone import errors


def test_no_versions_are_refused_before_they_are_sent(cluster: rs.Database, table: rs.Table) -> None:
    """HBase's master accepts VERSIONS => 0, and the family returns nothing from then on."""
    for change in ({"max_versions": 0}, {"VERSIONS": "0"}):
        with pytest.raises(errors.InvalidArgument, match="Maximum versions must be positive") as refused:
            cluster.admin.alter_table(table.name, families={"f": change})
        assert refused.value.remote_class == "java.lang.IllegalArgumentException"
    assert cluster.admin.describe(table.name).families[b"f"].max_versions == 3


def test_the_catalog_is_administered_like_other_tables(cluster: rs.Database) -> None:
    """``TableNotFound`` was raised, because ``hbase:meta`` has no rows about itself."""
    admin, name = cluster.admin, "hbase:meta"
    assert admin.tables.exists(name)
    assert admin.tables.is_enabled(name)
    [region] = admin.regions.list(name)
    assert (region.name, region.encoded_name, region.start_key) == (b"hbase:meta,,1", "1588230740", b"")
    [place] = admin.regions.locations(name)
    assert place.server in {server.name for server in admin.servers.status().servers}
    assert admin.regions.locate(name, "x") == place
    for call in (admin.flush, admin.compact, admin.major_compact, admin.tables.clear_block_cache):
        call(name)
    for names in (region, "1588230740", "hbase:meta,,1"):
        admin.regions.flush(names)
        admin.regions.compact(names)
        assert admin.regions.compaction_state(names) == "NONE"
    with pytest.raises(errors.InvalidArgument, match="cannot be unassigned"):
        admin.regions.unassign(region)
