"""Schema, namespaces, maintenance and statistics."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.admin._descriptors import alter
from rowstone.coprocessors import constraints


def test_a_family_shows_hbases_attributes() -> None:
    family = rs.Family(
        max_versions=5,
        min_versions=2,
        ttl_seconds=timedelta(days=7),
        keep_deleted_cells="TTL",
        bloom_filter="ROWCOL",
        block_bytes=8192,
        compression="ZSTD",
        data_block_encoding="FAST_DIFF",
        in_memory=True,
        block_cache=False,
        replication_scope=1,
        new_version_behavior=True,
        attributes={"IS_MOB": True},
        configuration={"hbase.hstore.compaction.min": 5},
    )
    attributes = family.to_attributes()
    assert attributes == {
        "VERSIONS": "5",
        "MIN_VERSIONS": "2",
        "TTL": "604800",
        "KEEP_DELETED_CELLS": "TTL",
        "BLOOMFILTER": "ROWCOL",
        "BLOCKSIZE": "8192",
        "COMPRESSION": "ZSTD",
        "DATA_BLOCK_ENCODING": "FAST_DIFF",
        "IN_MEMORY": "true",
        "BLOCKCACHE": "false",
        "REPLICATION_SCOPE": "1",
        "NEW_VERSION_BEHAVIOR": "true",
        "IS_MOB": "true",
    }
    back = rs.Family.from_attributes(attributes)
    assert back.to_attributes() == attributes
    assert back.ttl_seconds == 604_800
    with pytest.raises(rs.errors.InvalidArgument, match="whole seconds"):
        rs.Family(ttl_seconds=timedelta(milliseconds=1500)).to_attributes()


def test_describe_shows_what_was_asked_for_and_the_defaults(db: rs.Database) -> None:
    """checklist 072, 076, 112, 121: one version, no minimum, TTL for ever."""
    db.create_table(
        "t",
        {"f": {}, "g": rs.Family(ttl_seconds=604_800, max_versions=3), "h": {"VERSIONS": 2, "TTL": "FOREVER"}},
        attributes={"DURABILITY": "ASYNC_WAL"},
        configuration={"hbase.hstore.compaction.min": 4},
    )
    schema = db.admin.describe("t")
    assert schema == db.table("t").schema
    assert schema.family("f") == schema.families[b"f"]
    assert (schema.family("f").max_versions, schema.family("f").min_versions, schema.family("f").ttl_seconds) == (
        1,
        0,
        None,
    )
    assert (schema.family("g").max_versions, schema.family("g").ttl_seconds) == (3, 604_800)
    assert schema.family("h").max_versions == 2
    assert schema.attributes["DURABILITY"] == "ASYNC_WAL"
    assert schema.configuration == {"hbase.hstore.compaction.min": "4"}
    text = str(schema)
    assert "{NAME => 'f', BLOOMFILTER => 'ROW'" in text
    assert "TTL => 'FOREVER', MIN_VERSIONS => '0'" in text
    assert "TTL => '604800 SECONDS (7 DAYS)'" in text
    assert "DURABILITY => 'ASYNC_WAL'" in text


def test_creating_a_table_twice(db: rs.Database, caplog: pytest.LogCaptureFixture) -> None:
    """checklist 058"""
    assert db.create_table("t", ["f"], if_not_exists=True)
    with caplog.at_level(logging.INFO, "rowstone"):
        assert not db.create_table("t", ["g"], if_not_exists=True)
    assert "already exists" in caplog.text
    assert list(db.table("t").schema.families) == [b"f"]
    assert db.admin.tables.exists("t")
    assert not db.admin.tables.exists("u")


def test_the_number_of_versions_of_new_families(clock: object) -> None:
    """checklist 075"""
    with rs.connect(":memory:", configuration={"hbase.column.max.version": 4}) as db:
        db.create_table("t", {"f": {}, "g": rs.Family(max_versions=1)})
        schema = db.admin.describe("t")
        assert (schema.family("f").max_versions, schema.family("g").max_versions) == (4, 1)


def test_altering_a_table(db: rs.Database, t: rs.Table) -> None:
    """checklist 060, 073, 074: add, change and remove families while the table is up."""
    db.admin.alter_table("t", families={"f": {"max_versions": 5}, "new": rs.Family(ttl_seconds=60)})
    assert db.admin.describe("t").family("f").max_versions == 5
    for number in range(6):
        t.put("r", {"f:q": str(number)}, timestamp=number)
    assert [cell.timestamp for cell in t.get("r", versions=10).cells] == [5, 4, 3, 2, 1]
    t.put("r", {"new:q": "v"})
    db.admin.alter_table("t", families={"f": {"min_versions": 2}})
    assert (db.admin.describe("t").family("f").max_versions, db.admin.describe("t").family("f").min_versions) == (5, 2)
    db.admin.alter_table("t", families={"f": {"VERSIONS": 1, "MIN_VERSIONS": 0, "TTL": "FOREVER"}})
    assert db.admin.describe("t").family("f").max_versions == 1
    db.admin.alter_table("t", families={"f": rs.Family(ttl_seconds=5)})
    assert db.admin.describe("t").family("f") == rs.Family.from_attributes(
        {**rs.Family.from_attributes({}).to_attributes(), "TTL": "5", "VERSIONS": "1", "INDEX_BLOCK_ENCODING": "NONE"}
    )
    db.admin.alter_table("t", remove=["new"], attributes={"OWNER": "me"})
    with pytest.raises(rs.errors.NoSuchColumnFamily):
        t.get("r", "new")
    assert db.admin.describe("t").attributes["OWNER"] == "me"
    db.admin.alter_table("t", attributes={"OWNER": None})
    assert "OWNER" not in db.admin.describe("t").attributes


def test_disabling_dropping_truncating(db: rs.Database, t: rs.Table) -> None:
    """checklist 056"""
    t.put("r", {"f:q": "v"})
    assert db.admin.tables.is_enabled("t")
    db.admin.disable_table("t")
    assert not db.admin.tables.is_enabled("t")
    db.admin.enable_table("t")
    assert t.get("r")["f:q"] == b"v"
    db.admin.disable_table("t")
    db.admin.truncate_table("t")
    assert db.admin.tables.is_enabled("t")
    assert list(db.table("t")) == []
    db.admin.disable_table("t")
    db.admin.drop_table("t")
    assert db.tables() == []
    db.create_table("t", ["f"])
    db.admin.drop_table("t", force=True)
    db.create_table("t", ["f"])
    for drop in (db.drop_table, db.admin.drop_table):
        with pytest.raises(rs.errors.TableNotDisabled):
            drop("t")
    assert db.tables() == ["t"]
    db.drop_table("t", force=True)
    with pytest.raises(rs.errors.TableNotFound):
        db.drop_table("t", force=True)


def test_truncating_may_keep_the_regions(db: rs.Database) -> None:
    for preserve, expected in ((True, 3), (False, 1)):
        db.create_table("s", ["f"], splits=["g", "p"])
        db.table("s").put("h", {"f:q": "v"})
        db.admin.disable_table("s")
        db.admin.truncate_table("s", preserve_splits=preserve)
        assert len(db.admin.regions.list("s")) == expected
        assert list(db.table("s")) == []
        db.drop_table("s", force=True)


def test_namespaces_are_created_altered_and_dropped(db: rs.Database) -> None:
    """checklist 043, 044, 045, 046, 047, 048"""
    assert db.admin.namespaces.list() == ["default", "hbase"]
    db.admin.namespaces.create("my_ns", {"owner": "me", "n": 1})
    db.create_table("my_ns:t", ["f"])
    db.create_table("default:bar", ["f"])
    assert db.tables() == ["bar", "my_ns:t"]
    assert db.admin.tables.list("my_ns") == ["my_ns:t"] == db.tables("my_ns")
    assert db.admin.tables.exists("default:bar")
    assert db.admin.tables.exists("bar")
    assert db.table("default:bar").name == db.table("bar").name == "bar"
    assert db.admin.namespaces.describe("my_ns") == {"owner": "me", "n": "1"}
    db.admin.namespaces.alter("my_ns", set={"owner": "you", "new": True}, unset=["n"])
    assert db.admin.namespaces.describe("my_ns") == {"owner": "you", "new": "true"}
    with pytest.raises(rs.errors.NamespaceNotEmpty):
        db.admin.namespaces.drop("my_ns")
    db.drop_table("my_ns:t", force=True)
    db.admin.namespaces.drop("my_ns")
    with pytest.raises(rs.errors.NamespaceNotFound):
        db.admin.namespaces.drop("my_ns")
    with pytest.raises(rs.errors.NamespaceNotFound):
        db.admin.namespaces.describe("my_ns")


def test_a_table_in_a_missing_namespace_does_not_exist(db: rs.Database) -> None:
    assert not db.admin.tables.exists("my_ns:t")


def test_files_and_numbers(disk: rs.Database) -> None:
    """checklist 021, 022: a folder per family, files of their own; a family without data has none."""
    disk.create_table("t", {"f": {}, "g": {}})
    t = disk.table("t")
    for number in range(3):
        t.put(f"{number}", {"f:q": "v"}, timestamp=number)
        disk.admin.flush("t")
    files = disk.admin.tables.store_files("t")
    assert {file.family for file in files} == {b"f"}
    assert sum(file.entry_count for file in files) == 3
    assert all(Path(file.path).is_file() and file.size_bytes == Path(file.path).stat().st_size for file in files)
    disk.admin.major_compact("t", "f")
    [file] = disk.admin.tables.store_files("t")
    assert (file.entry_count, file.time_range, file.is_major) == (3, (0, 2), True)
    stats = disk.admin.metrics.stats("t")
    assert stats["store_files"] == 1
    assert "store_files" in str(stats)
    assert disk.admin.metrics.stats()["tables"] >= 1


def test_reopening_keeps_everything(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.admin.namespaces.create("n")
        db.create_table("n:t", {"f": rs.Family(max_versions=3)}, splits=["m"])
        db.table("n:t").put("a", {"f:q": "flushed"})
        db.admin.flush()
        db.table("n:t").put("z", {"f:q": "logged"})
    with rs.connect(tmp_path / "db") as db:
        assert db.tables() == ["n:t"]
        assert db.admin.describe("n:t").family("f").max_versions == 3
        assert len(db.admin.regions.list("n:t")) == 2
        assert [(row.key, row["f:q"]) for row in db.table("n:t").scan()] == [(b"a", b"flushed"), (b"z", b"logged")]


def test_split_keys_and_the_region_of_a_row(db: rs.Database) -> None:
    db.create_table("split", ["f"], splits=["m", "t"])
    assert db.admin.regions.split_keys("split") == [b"m", b"t"]
    places = {row: db.admin.regions.locate("split", row) for row in ("a", b"m", "s", "z")}
    assert [place.region.start_key for place in places.values()] == [b"", b"m", b"m", b"t"]
    assert {place.server for place in places.values()} == {None}
    with pytest.raises(rs.errors.TableNotFound):
        db.admin.regions.locate("none", "a")


def test_a_schema_is_cloned(db: rs.Database) -> None:
    families = {"f": rs.Family(max_versions=3), "g": rs.Family(ttl_seconds=60)}
    db.create_table("source", families, splits=["m"], attributes={"MAX_FILESIZE": 1 << 30})
    db.table("source").put("a", {"f:q": "v"})
    db.admin.tables.clone_schema("source", "copy")
    db.admin.tables.clone_schema("source", "whole", preserve_splits=False)
    for name, keys in (("copy", [b"m"]), ("whole", [])):
        copy, source = db.admin.describe(name), db.admin.describe("source")
        assert (copy.families, copy.attributes) == (source.families, source.attributes)
        assert db.admin.regions.split_keys(name) == keys
        assert list(db.table(name)) == []
    with pytest.raises(rs.errors.TableExists):
        db.admin.tables.clone_schema("source", "copy")


def test_changes_of_a_schema_at_the_same_time_are_all_made() -> None:
    """A trial lost families with their rows: the second of two changes undid the first."""
    with rs.connect(":memory:") as db, ThreadPoolExecutor(4) as pool:
        db.create_table("t", ["f"])
        added = [pool.submit(db.admin.tables.add_family, "t", f"z{number}") for number in range(20)]
        changed = [pool.submit(db.admin.tables.modify_family, "t", "f", {"ttl_seconds": n + 1}) for n in range(20)]
        ruled = [
            pool.submit(db.constraints("t").add, constraints.Range("f:x", min_value=number)) for number in range(10)
        ]
        attributes = [pool.submit(db.admin.alter_table, "t", attributes={f"a{n}": "1"}) for n in range(10)]
        for one in (*added, *changed, *attributes):
            one.result()
        assert sorted(one.result() for one in ruled) == list(range(1, 11))
        schema = db.admin.describe("t")
        assert {f"z{number}".encode() for number in range(20)} < set(schema.families)
        assert {f"a{number}" for number in range(10)} < set(schema.attributes)
        assert len(db.constraints("t")) == 10
        with pytest.raises(rs.errors.ConstraintViolation):
            db.table("t").put("row", {"f:x": (0).to_bytes(8, "big")})


def test_families_that_are_added_over_a_server_at_the_same_time_all_stay() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as db:
        db.create_table("t", ["f"])
        with ThreadPoolExecutor(4) as pool:
            added = [pool.submit(db.admin.tables.add_family, "t", f"z{number}") for number in range(12)]
            changed = [pool.submit(db.admin.tables.modify_family, "t", "f", {"ttl_seconds": n + 1}) for n in range(12)]
        for one in (*added, *changed):
            one.result()
        assert set(db.admin.describe("t").families) == {b"f", *(f"z{number}".encode() for number in range(12))}
        for number in range(0, 12, 2):
            db.admin.tables.delete_family("t", f"z{number}")
        assert len(db.admin.describe("t").families) == 7


def test_contradictory_options_are_refused_alike_with_and_without_a_server() -> None:
    """A trial caught `UsageError` of a directory, and got `RemoteError` of a server."""
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as db:
        db.create_table("t", ["f"])
        for options in ({"raw": True, "columns": ["f:q"]}, {"batch": 2, "filter": "PageFilter(1)"}):
            with pytest.raises(rs.errors.UsageError):
                list(db.table("t").scan(**options))  # type: ignore[arg-type]


def test_a_change_that_is_repeated_removes_the_families_of_an_iterator(db: rs.Database) -> None:
    db.create_table("t", ["f", "g"])
    attempts = []

    def check(schema: rs.TableSchema) -> None:
        attempts.append(schema)
        if len(attempts) == 1:
            db.admin.alter_table("t", attributes={"a": "1"})

    alter(db._native.admin(), "t", remove=iter(["g"]), check=check)
    assert set(db.admin.describe("t").families) == {b"f"}
    assert len(attempts) == 2


def test_a_constraint_holds_when_add_returns_while_others_are_added() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = db.table("t")

        def add(number: int) -> None:
            column = f"f:{number}"
            db.constraints("t").add(constraints.Range(column, min_value=1))
            for _ in range(20):
                with pytest.raises(rs.errors.ConstraintViolation):
                    table.put("row", {column: (0).to_bytes(8, "big")})

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(add, range(24)))
