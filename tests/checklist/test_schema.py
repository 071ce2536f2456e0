"""Schema: declared before use, changed while the table is up (checklist 052-056, 058-060)."""

from __future__ import annotations

import logging
import threading

import pytest

import rowstone as rs
from rowstone import errors, hfile
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import file_paths, in_threads, keys, make


@checklist("052", clause="a table needs a family")
def test_a_table_needs_a_family(db: rs.Database) -> None:
    with pytest.raises(errors.UsageError, match="at least one column family"):
        db.create_table("t", {})
    assert db.tables() == []


@checklist("053", clause="the old sequence works")
def test_disable_alter_enable(db: rs.Database) -> None:
    t = make(db, f2={}, f3={})
    t.put("r", {"f2:q": "v"})
    db.admin.disable_table("t")
    db.admin.alter_table("t", families={"f1": {}})
    db.admin.alter_table("t", families={"f2": {"max_versions": 4}})
    db.admin.alter_table("t", families={"f3": {"VERSIONS": 5}})
    db.admin.enable_table("t")
    assert {name: family.max_versions for name, family in t.schema.families.items()} == {b"f1": 1, b"f2": 4, b"f3": 5}
    t.put("r", {"f1:q": "w"})
    assert dict(t.get("r")) == {b"f1:q": b"w", b"f2:q": b"v"}


@checklist("053", clause="with online change switched off an enabled table is refused")
def test_online_change_can_be_switched_off(clock: ManualClock) -> None:
    configuration = {"hbase.online.schema.update.enable": False}
    with rs.connect(":memory:", clock=clock, configuration=configuration) as db:
        t = make(db, f={})
        with pytest.raises(errors.TableNotDisabled):
            db.admin.alter_table("t", families={"f": {"max_versions": 4}})
        assert t.schema.family("f").max_versions == 1
        db.admin.disable_table("t")
        db.admin.alter_table("t", families={"f": {"max_versions": 4}})
        assert t.schema.family("f").max_versions == 4


@checklist("054", clause="a running writer loses nothing")
def test_a_writer_goes_on_during_schema_changes(db: rs.Database) -> None:
    t = make(db, f={})
    done = threading.Event()
    written: list[bytes] = []

    def write() -> None:
        while not done.is_set() or len(written) < 100:
            t.put(f"{len(written):08}", {"f:q": "v"})
            written.append(f"{len(written):08}".encode())

    def alter() -> None:
        try:
            for versions in range(2, 12):
                db.admin.alter_table("t", families={"f": {"max_versions": versions}, f"g{versions}": {}})
                db.admin.flush("t")
        finally:
            done.set()

    in_threads(write, alter)
    assert keys(t) == written
    assert len(t.schema.families) == 11
    assert t.schema.family("f").max_versions == 11


OLD = rs.Family(compression="NONE", block_bytes=65_536, data_block_encoding="NONE")
NEW = rs.Family(compression="GZ", block_bytes=1_024, data_block_encoding="FAST_DIFF")


def _properties(db: rs.Database) -> list[tuple[str, str, bool]]:
    """(compression, encoding, whether blocks are small) of each file, oldest first."""
    files = sorted(db.admin.tables.store_files("t"), key=lambda file: file.max_sequence_id)
    found = []
    for file in files:
        described = hfile.describe(file.path)
        data = [blocks for kind, blocks in described.blocks.items() if kind.startswith("DATABLK")]
        count = sum(blocks.count for blocks in data)
        is_small = sum(blocks.content_bytes for blocks in data) / count < 4_096
        found.append((described.compression, described.encoding, is_small))
    return found


@checklist("055", clause="old files keep old properties until a major compaction")
@checklist("249", clause="a major compaction brings old files up to the schema")
@checklist("055", clause="new files have the new ones")
@checklist("055", clause="reads stay the same")
def test_files_follow_the_schema_when_rewritten(disk: rs.Database) -> None:
    t = make(disk, f=OLD)
    data = {f"{number:06}".encode(): f"value {number} ".encode() * 20 for number in range(500)}

    def put(half: int) -> None:
        with t.batch() as batch:
            for key, value in list(data.items())[half::2]:
                batch.put(key, {"f:q": value})
        disk.admin.flush("t")

    def read() -> dict[bytes, bytes]:
        with t.scan() as rows:
            return {row.key: row["f:q"] for row in rows}

    put(0)
    assert _properties(disk) == [("NONE", "NONE", False)]
    before = read()
    disk.admin.alter_table("t", families={"f": NEW})
    assert _properties(disk) == [("NONE", "NONE", False)]
    assert read() == before
    put(1)
    assert _properties(disk) == [("NONE", "NONE", False), ("GZ", "FAST_DIFF", True)]
    assert read() == data
    disk.admin.major_compact("t")
    assert _properties(disk) == [("GZ", "FAST_DIFF", True)]
    assert read() == data
    [path] = file_paths(disk, "t")
    assert hfile.verify(path) == len(data)


@checklist("056", clause="every operation is refused")
@checklist("056", clause="enabled again it has its data")
def test_a_disabled_table_refuses_data_operations(db: rs.Database) -> None:
    t = make(db, f={})
    t.put("r", {"f:q": "v"})
    db.admin.disable_table("t")
    assert not db.admin.tables.is_enabled("t")
    for operation in (
        lambda: t.get("r"),
        lambda: t.exists("r"),
        lambda: t.put("r", {"f:q": "w"}),
        lambda: t.delete("r"),
        lambda: t.increment("r", "f:n"),
        lambda: t.append("r", "f:q", "w"),
        lambda: t.check_and_mutate("r", "f:q", "EQUAL", "v", rs.Delete("r")),
        lambda: list(t.scan()),
    ):
        with pytest.raises(errors.TableNotEnabled):
            operation()
    db.admin.enable_table("t")
    assert dict(t.get("r")) == {b"f:q": b"v"}


@checklist("058", clause="true when made, false when there")
def test_creating_a_table_that_exists(db: rs.Database, caplog: pytest.LogCaptureFixture) -> None:
    assert db.create_table("t", ["f"], if_not_exists=True) is True
    with caplog.at_level(logging.INFO, "rowstone"):
        assert db.create_table("t", ["g"], if_not_exists=True) is False
    assert "already exists" in caplog.text
    assert list(db.admin.describe("t").families) == [b"f"]
    with pytest.raises(errors.TableExists):
        db.create_table("t", ["g"])


@checklist("059", clause="regions begin at the given keys")
def test_a_table_can_be_split_when_made(disk: rs.Database) -> None:
    disk.create_table("t", ["f"], splits=["30", "10", "20"])
    t = disk.table("t")
    assert [region.start_key for region in disk.admin.regions.list("t")] == [b"", b"10", b"20", b"30"]
    for key in ("05", "10", "15", "25", "30", "99"):
        t.put(key, {"f:q": key})
    disk.admin.flush("t")
    assert sorted(file.entry_count for file in disk.admin.tables.store_files("t")) == [1, 1, 2, 2]
    assert keys(t) == [b"05", b"10", b"15", b"25", b"30", b"99"]
    with pytest.raises(errors.UsageError):
        disk.create_table("u", ["f"], splits=["a", "a"])


@checklist("060", clause="a family is added and changed")
def test_families_are_added_and_changed(db: rs.Database) -> None:
    t = make(db, f={})
    with pytest.raises(errors.NoSuchColumnFamily):
        t.put("r", {"g:q": "v"})
    db.admin.alter_table("t", families={"g": rs.Family(max_versions=2)})
    for timestamp in (1, 2, 3):
        t.put("r", {"g:q": str(timestamp)}, timestamp=timestamp)
    assert len(t.get("r", versions=9).cells) == 2
    db.admin.alter_table("t", families={"g": {"ttl_seconds": 60}})
    assert (t.schema.family("g").max_versions, t.schema.family("g").ttl_seconds) == (2, 60)


@checklist("060", clause="a removed family loses data and name")
def test_a_removed_family_is_gone(disk: rs.Database) -> None:
    t = make(disk, f={}, g={})
    t.put("in file", {"f:q": "v", "g:q": "v"})
    disk.admin.flush("t")
    t.put("in memory", {"g:q": "v"})
    [old] = file_paths(disk, "t", b"g")
    disk.admin.alter_table("t", remove=["g"])
    with pytest.raises(errors.NoSuchColumnFamily):
        t.get("in file", "g:q")
    assert keys(t) == [b"in file"]
    assert file_paths(disk, "t", b"g") == []
    disk.admin.flush("t")
    disk.admin.major_compact("t")
    assert not old.exists()
    disk.admin.alter_table("t", families={"g": {}})
    assert not t.get("in file", "g")
    assert not t.get("in memory", "g")
    with pytest.raises(errors.NoSuchColumnFamily):
        disk.admin.alter_table("t", remove=["h"])


@checklist("055", clause="compactions may have codecs of their own")
def test_compactions_have_codecs_of_their_own(disk: rs.Database) -> None:
    codecs = {"COMPRESSION_COMPACT_MINOR": "SNAPPY", "COMPRESSION_COMPACT_MAJOR": "ZSTD"}
    t = make(disk, f=rs.Family(compression="GZ", attributes=codecs))

    def flush(number: int) -> None:
        t.put(f"r{number}", {"f:q": "v" * 1_000})
        disk.admin.flush("t")

    for number in range(3):
        flush(number)
    assert [codec for codec, _, _ in _properties(disk)] == ["GZ"] * 3
    disk.admin.compact("t")
    assert [codec for codec, _, _ in _properties(disk)] == ["SNAPPY"]
    flush(3)
    disk.admin.major_compact("t")
    assert [codec for codec, _, _ in _properties(disk)] == ["ZSTD"]
    disk.admin.alter_table("t", families={"f": {"COMPRESSION_COMPACT_MAJOR": "NONE"}})
    flush(4)
    disk.admin.major_compact("t")
    assert [codec for codec, _, _ in _properties(disk)] == ["NONE"]
    assert keys(t) == [f"r{number}".encode() for number in range(5)]


@checklist("053", clause="its four calls work one by one")
def test_the_calls_of_the_source(db: rs.Database) -> None:
    """disableTable, addColumn f1, modifyColumn f2 and f3, enableTable: as HBase's Admin has them."""
    t = make(db, f2={}, f3={})
    db.admin.disable_table("t")
    db.admin.tables.add_family("t", "f1", {"max_versions": 2})
    db.admin.tables.modify_family("t", "f2", {"compression": "GZ"})
    db.admin.tables.modify_family("t", "f3", rs.Family(max_versions=5))
    db.admin.enable_table("t")
    assert t.schema.family("f1").max_versions == 2
    assert t.schema.family("f2").compression == "GZ"
    assert t.schema.family("f3").max_versions == 5
    with pytest.raises(errors.InvalidArgument, match="has a family 'f1' already"):
        db.admin.tables.add_family("t", "f1")
    for call in (db.admin.tables.modify_family, db.admin.tables.delete_family):
        with pytest.raises(errors.NoSuchColumnFamily):
            call("t", "f9")
    db.admin.tables.delete_family("t", "f1")
    assert sorted(t.schema.families) == [b"f2", b"f3"]


@checklist("075", clause="the configuration says so, and where it came from")
def test_the_configuration_names_the_default_number_of_versions(clock: ManualClock) -> None:
    key = "hbase.column.max.version"
    with rs.connect(":memory:", clock=clock, configuration={key: 4}) as db:
        db.create_table("t", ["f"])
        assert db.admin.describe("t").family("f").max_versions == db.configuration[key] == 4
        assert db.configuration.source(key) == "argument"
    with rs.connect(":memory:", clock=clock) as db:
        assert (db.configuration[key], db.configuration.source(key)) == (1, "default")
