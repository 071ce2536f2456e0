"""Schema as code on a cluster and a directory: the same file makes the same tables, and then there is no difference."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors, schema
from tests.hbase.cluster.server import StandaloneHBase
from tests.python.test_tools import rowstone

FILE = r"""
[namespaces.plans]
OWNER = "ada"

[tables."plans:orders"]
splits = ["m", "\\xFF"]
attributes = { DURABILITY = "ASYNC_WAL", MEMSTORE_FLUSHSIZE = 67108864, OURS = "kept" }
configuration = { "hbase.hstore.compaction.min" = 4 }

[tables."plans:orders".families.d]
max_versions = 3
ttl_seconds = 86400
compression = "GZ"
data_block_encoding = "FAST_DIFF"
attributes = { CACHE_INDEX_ON_WRITE = true, MINE = "kept" }
configuration = { "hbase.hstore.compaction.max" = 8 }

[tables."plans:orders".families.p]
max_versions = 1
bloom_filter = "ROWPREFIX_FIXED_LENGTH"
keep_deleted_cells = "TTL"
configuration = { "RowPrefixBloomFilter.prefix_length" = 4 }
"""

CHANGED = """
[namespaces.plans]

[tables."plans:orders"]
attributes = { READONLY = true }

[tables."plans:orders".families.d]
max_versions = 5
block_bytes = 8192

[tables."plans:orders".families.q]
in_memory = true
"""


def test_after_apply_cluster_and_directory_have_no_difference(cluster: rs.Database, tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as directory:
        for text in (FILE, CHANGED):
            wanted = schema.loads(text)
            plans = [schema.apply(db, wanted, allow_destructive=True) for db in (cluster, directory)]
            assert str(plans[0]) == str(plans[1])
            assert plans[0]
            for db in (cluster, directory):
                assert str(schema.diff(db, wanted)) == "no difference"
            # Each gets the tables of the other.
            for one, other in ((cluster, directory), (directory, cluster)):
                dumped = schema.dump(one, splits=True)
                part = schema.Schema(
                    {"plans:orders": dumped.tables["plans:orders"]}, {"plans": dumped.namespaces["plans"]}
                )
                assert str(schema.diff(other, part)) == "no difference"
    cluster.drop_table("plans:orders", force=True)
    cluster.admin.namespaces.drop("plans")


def test_the_command_finds_no_difference_after_apply(
    hbase: StandaloneHBase, cluster: rs.Database, tmp_path: Path
) -> None:
    """``rowstone schema``: what a directory has is applied to HBase, and then diff is empty both ways."""
    directory, file = str(tmp_path / "db"), tmp_path / "schema.toml"
    # A complete dump would drop all other tables.
    for table in cluster.tables():
        cluster.drop_table(table, force=True)
    file.write_text(FILE)
    rowstone("schema", "apply", str(file), directory, "--yes")
    assert "plans:orders" in rowstone("schema", "diff", str(file), hbase.url, status=1)
    rowstone("schema", "dump", directory, str(file))
    rowstone("schema", "apply", str(file), hbase.url, "--yes")
    assert rowstone("schema", "diff", str(file), hbase.url) == "no difference\n"
    rowstone("schema", "dump", hbase.url, str(file))
    assert rowstone("schema", "diff", str(file), directory) == "no difference\n"
    cluster.drop_table("plans:orders", force=True)
    cluster.admin.namespaces.drop("plans")


@pytest.mark.parametrize(
    ("attributes", "family"),
    [
        ({"MAX_FILESIZE": 2_097_151}, {}),
        ({"MEMSTORE_FLUSHSIZE": 1_048_575}, {}),
        ({"REGION_REPLICATION": 0}, {}),
        ({}, {"BLOCKSIZE": 1_023}),
        ({}, {"BLOCKSIZE": 16_777_217}),
        ({}, {"VERSIONS": 3, "MIN_VERSIONS": 4}),
        ({}, {"DFS_REPLICATION": -1}),
    ],
)
def test_refusals_use_the_same_words_as_hbase(
    cluster: rs.Database, attributes: dict[str, int], family: dict[str, int]
) -> None:
    messages = []
    with rs.connect(":memory:") as memory:
        for db in (memory, cluster):
            with pytest.raises(errors.RowstoneError) as refused:
                db.create_table("unwise", {"f": family}, attributes=attributes)
            messages.append(str(refused.value))
            assert "unwise" not in db.tables()
    assert messages[0] in messages[1], messages


def test_a_readonly_table_of_hbase_refuses_writes_as_ours_does(cluster: rs.Database) -> None:
    with rs.connect(":memory:") as memory:
        for db in (memory, cluster):
            db.create_table("fixed", ["f"], attributes={"READONLY": True})
            with pytest.raises(errors.RowstoneError, match="region is read only"):
                db.table("fixed").put("r", {"f:q": "v"})
            db.drop_table("fixed", force=True)
