"""A cluster answers like a directory: the same error classes, ``hbase:meta`` as a table, no lost declarations."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

import rowstone as rs
from rowstone import codecs, errors

_numbers = count(1)
NO_REGION = "0" * 32
Mistake = Callable[[rs.Database, str], object]


def create(**family: object) -> Mistake:
    return lambda db, name: db.create_table(f"{name}_made", {"f": family})


def attribute(key: str, value: str) -> Mistake:
    return lambda db, name: db.create_table(f"{name}_made", ["f"], attributes={key: value})


def alter(**family: object) -> Mistake:
    return lambda db, name: db.admin.tables.modify_family(name, "f", family)


def merge(*places: int, force: bool = False) -> Mistake:
    def call(db: rs.Database, name: str) -> None:
        regions = db.admin.regions.list(name)
        db.admin.regions.merge([regions[place] for place in places], force=force)

    return call


def split(row: str) -> Mistake:
    return lambda db, name: db.admin.regions.split(db.admin.regions.list(name)[1], row)


def of_two_tables(db: rs.Database, name: str) -> None:
    db.create_table(f"{name}_other", ["f"])
    db.admin.regions.merge([db.admin.regions.list(name)[0], *db.admin.regions.list(f"{name}_other")])


def of_an_unknown_region(db: rs.Database, name: str) -> None:
    db.admin.regions.merge([db.admin.regions.list(name)[0], NO_REGION])


def not_allowed(what: str, call: Mistake) -> Mistake:
    def run(db: rs.Database, name: str) -> None:
        db.admin.alter_table(name, attributes={what: "false"})
        call(db, name)

    return run


def while_disabled(call: Mistake) -> Mistake:
    def run(db: rs.Database, name: str) -> None:
        db.admin.disable_table(name)
        call(db, name)

    return run


MISTAKES: dict[str, Mistake] = {
    "no versions": create(max_versions=0),
    "no versions after a change": alter(max_versions=0),
    "more minimum than maximum versions": create(max_versions=2, min_versions=3),
    "small blocks": create(block_bytes=10),
    "small blocks after a change": alter(block_bytes=10),
    "small blocks of a new family": lambda db, name: db.admin.tables.add_family(name, "g", {"block_bytes": 10}),
    "no replicas of files": create(DFS_REPLICATION=-1),
    "small files": attribute("MAX_FILESIZE", "1"),
    "a size that is no number": attribute("MAX_FILESIZE", "x"),
    "small flushes": attribute("MEMSTORE_FLUSHSIZE", "1"),
    "no region replicas": attribute("REGION_REPLICATION", "0"),
    "unknown split policy": attribute("SPLIT_POLICY", "no.such.Policy"),
    "last family": lambda db, name: db.admin.tables.delete_family(name, "f"),
    "merge of regions that are not adjacent": merge(0, 2),
    "merge of three, one of them apart": merge(0, 1, 3),
    "merge of a region with itself": merge(0, 0),
    "merge of a region with itself, forced": merge(0, 0, force=True),
    "merge of three, one of them twice": merge(0, 1, 1),
    "merge of one region": merge(0),
    "merge of regions of two tables": of_two_tables,
    "merge with an unknown region": lambda db, name: db.admin.regions.merge(
        [db.admin.regions.list(name)[0], NO_REGION]
    ),
    "merge that the table does not allow": not_allowed("MERGE_ENABLED", merge(0, 1)),
    "merge of a disabled table": while_disabled(merge(0, 1)),
    "split at the first row": split("b"),
    "split outside the region": split("zz"),
    "split that the table does not allow": not_allowed("SPLIT_ENABLED", split("bb")),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_has_the_error_class_of_a_directory(cluster: rs.Database, mistake: Mistake) -> None:
    found = []
    with rs.connect(":memory:") as directory:
        for db in (directory, cluster):
            name = f"same{next(_numbers)}"
            db.create_table(name, ["f"], splits=["b", "c", "d"])
            with pytest.raises(errors.RowstoneError) as refused:
                mistake(db, name)
            found.append(type(refused.value))
            for table in db.tables():
                if table.startswith(name):
                    db.drop_table(table, force=True)
    assert found[0] is found[1]


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


def test_clients_that_declare_codecs_at_once_lose_none(hbase: object, cluster: rs.Database, table: rs.Table) -> None:
    """A master replaces descriptors without a comparison: the later of two changes undid the other one."""

    def declare(number: int) -> None:
        with rs.connect(hbase.url) as db:  # type: ignore[attr-defined]
            codecs.declare(db, table.name, {f"f:{number}": "int64"})

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(declare, range(6)))
    assert set(codecs.declared(cluster.admin.describe(table.name).attributes)) == {f"f:{n}".encode() for n in range(6)}
