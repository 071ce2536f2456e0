"""Attributes of tables and families: validated as in HBase, stored, and effective."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors

QUIET = {"rowstone.compaction.background": False}
MEBIBYTE = 1 << 20


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:", configuration=QUIET) as database:
        yield database


def files(db: rs.Database) -> list[bytes]:
    return sorted(file.family for file in db.admin.tables.store_files("t"))


def test_a_readonly_table_refuses_every_write_until_it_is_altered(db: rs.Database) -> None:
    db.create_table("t", ["f"], splits=["m"])
    t = db.table("t")
    t.put("a", {"f:q": b"\0" * 8})
    db.admin.alter_table("t", attributes={"READONLY": True})
    writes = [
        lambda: t.put("a", {"f:q": "new"}),
        lambda: t.delete("a"),
        lambda: t.increment("a", "f:q"),
        lambda: t.append("a", {"f:q": "x"}),
        lambda: t.check_and_mutate("a", "f:q", "=", "never", rs.Put("a", {"f:q": "x"})),
    ]
    for write in writes:
        with pytest.raises((errors.ReadOnly, ExceptionGroup)) as refused:
            write()
        found = refused.value.exceptions if isinstance(refused.value, ExceptionGroup) else [refused.value]
        assert all("region is read only" in str(error) for error in found)
    assert t.get("a")["f:q"] == b"\0" * 8
    assert len(list(t.scan())) == 1
    db.admin.flush("t")
    db.admin.alter_table("t", attributes={"READONLY": None})
    t.put("a", {"f:q": "new"})
    assert t.get("a")["f:q"] == b"new"


def test_a_table_that_was_readonly_is_so_when_opened_again(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], attributes={"READONLY": "true"})
    with rs.connect(tmp_path / "db") as db, pytest.raises(errors.ReadOnly):
        db.table("t").put("a", {"f:q": "v"})


def wait_until(db: rs.Database, is_so: object) -> None:
    """Wait for background work, which sends no signal; the deadline is far longer than it takes."""
    deadline = time.monotonic() + 60
    while not is_so() and time.monotonic() < deadline:  # type: ignore[operator]
        time.sleep(0.01)
    assert is_so()  # type: ignore[operator]


def test_a_table_has_its_own_flush_size_also_after_alter(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    t = db.table("t")
    t.put("a", {"f:q": b"x" * (2 * MEBIBYTE)})
    assert files(db) == []
    db.admin.alter_table("t", attributes={"MEMSTORE_FLUSHSIZE": MEBIBYTE})
    t.put("b", {"f:q": b"x"})
    wait_until(db, lambda: files(db) == [b"f"])


@pytest.mark.parametrize(("policy", "flushed"), [(None, [b"f"]), ("FlushAllStoresPolicy", [b"f", b"g"])])
def test_a_flush_policy_chooses_the_families(db: rs.Database, policy: str | None, flushed: list[bytes]) -> None:
    attributes = {"MEMSTORE_FLUSHSIZE": MEBIBYTE}
    if policy:
        attributes["FLUSH_POLICY"] = f"org.apache.hadoop.hbase.regionserver.{policy}"  # type: ignore[assignment]
    lower = {"hbase.hregion.percolumnfamilyflush.size.lower.bound.min": 1}
    db.create_table("t", ["f", "g"], attributes=attributes, configuration=lower)
    db.table("t").put("a", {"g:q": b"x"})
    db.table("t").put("a", {"f:q": b"x" * (2 * MEBIBYTE)})
    wait_until(db, lambda: files(db) == flushed)


def test_without_compaction_enabled_files_stay_apart(db: rs.Database) -> None:
    db.create_table("t", ["f"], attributes={"COMPACTION_ENABLED": False})
    for number in range(4):
        db.table("t").put(f"{number}", {"f:q": "v"})
        db.admin.flush("t")
    db.admin.compact("t")
    db.admin.major_compact("t")
    assert len(files(db)) == 4
    db.admin.alter_table("t", attributes={"COMPACTION_ENABLED": True})
    db.admin.major_compact("t")
    assert len(files(db)) == 1


def test_limits_of_writes_follow_alter(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    t = db.table("t")
    t.put("a", {"f:q": b"x" * 1_000})
    db.admin.alter_table("t", configuration={"hbase.client.keyvalue.maxsize": 500})
    with pytest.raises(errors.CellTooLarge):
        t.put("a", {"f:q": b"x" * 1_000})
    db.admin.alter_table("t", configuration={"hbase.client.keyvalue.maxsize": None})
    t.put("a", {"f:q": b"x" * 1_000})


def fill(db: rs.Database, **attributes: object) -> None:
    """A flushed table of about 2 MB, with enough index blocks for several levels."""
    db.create_table("t", {"f": rs.Family(block_bytes=1_024, attributes=attributes)})
    with db.table("t").batch() as batch:
        for number in range(4_000):
            batch.put(f"{number:0100}", {"f:q": b"x" * 500})
    db.admin.flush("t")


def cached(db: rs.Database) -> int:
    return db.admin.metrics.stats()["cache_bytes"]


@pytest.mark.parametrize("name", ["CACHE_DATA_ON_WRITE", "CACHE_INDEX_ON_WRITE", "CACHE_BLOOMS_ON_WRITE"])
def test_families_can_cache_blocks_on_write(db: rs.Database, name: str) -> None:
    fill(db, **{name: True})
    assert cached(db) > 0
    assert db.admin.metrics.stats()["cache_misses"] == 0
    if name == "CACHE_DATA_ON_WRITE":
        assert cached(db) > 2_000_000
        # Compactions mostly write old cells, so their data is not cached.
        db.admin.major_compact("t")
        assert cached(db) < 1_000_000


def test_nothing_is_in_the_cache_unasked(db: rs.Database) -> None:
    fill(db)
    assert cached(db) == 0


def test_files_are_in_the_cache_when_opened_where_the_family_asks(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", configuration=QUIET) as db:
        fill(db)
        db.admin.alter_table("t", families={"f": {"PREFETCH_BLOCKS_ON_OPEN": True}})
        whole = cached(db)
        assert whole > 2_000_000
    with rs.connect(tmp_path / "db", configuration=QUIET) as db:
        wait_until(db, lambda: cached(db) >= whole)
        misses = db.admin.metrics.stats()["cache_misses"]
        assert sum(1 for _ in db.table("t").scan()) == 4_000
        assert db.admin.metrics.stats()["cache_misses"] == misses


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"MAX_FILESIZE": 2 * MEBIBYTE - 1}, "over splitting"),
        ({"MEMSTORE_FLUSHSIZE": MEBIBYTE - 1}, "very frequent flushing"),
        ({"REGION_REPLICATION": 0}, "at least one"),
    ],
)
def test_unwise_tables_are_refused_unless_the_checks_are_off(
    db: rs.Database, attributes: dict[str, int], message: str
) -> None:
    with pytest.raises(errors.InvalidArgument, match=message) as refused:
        db.create_table("t", ["f"], attributes=attributes)
    assert "Set hbase.table.sanity.checks to false" in str(refused.value)
    assert db.tables() == []
    db.create_table("t", ["f"], attributes={**attributes, "hbase.table.sanity.checks": False})
    with pytest.raises(errors.InvalidArgument, match=message):
        db.admin.alter_table("t", attributes={"hbase.table.sanity.checks": None})
    with rs.connect(":memory:", configuration={"hbase.table.sanity.checks": False}) as unchecked:
        assert unchecked.create_table("t", ["f"], attributes=attributes)


def test_unknown_attributes_are_kept_and_shown(db: rs.Database) -> None:
    db.create_table("t", {"f": {"MINE": "x"}}, attributes={"OURS": "y"})
    schema = db.admin.describe("t")
    assert schema.attributes["OURS"] == "y"
    assert schema.family("f").attributes["MINE"] == "x"
    assert "OURS => 'y'" in str(schema)
    assert "MINE => 'x'" in str(schema)


def test_encryption_attributes_are_refused(db: rs.Database) -> None:
    with pytest.raises(errors.UnsupportedOperation, match="never encrypted"):
        db.create_table("t", {"f": {"ENCRYPTION": "AES"}})


def test_a_prefix_filter_follows_its_length(db: rs.Database) -> None:
    def prefix(length: object) -> rs.Family:
        configuration = {"RowPrefixBloomFilter.prefix_length": length}
        return rs.Family(bloom_filter="ROWPREFIX_FIXED_LENGTH", configuration=configuration)

    for length in (0, "x", 32_768):
        with pytest.raises(errors.InvalidArgument, match="from 1 to 32767"):
            db.create_table("t", {"f": prefix(length)})
    db.create_table("t", {"f": prefix(3)})
    db.table("t").put("abc-1", {"f:q": "v"})
    db.admin.flush("t")
    assert db.table("t").get("abc-1")["f:q"] == b"v"
    assert not db.table("t").get("abd-1")


def test_a_setting_that_is_stored_as_an_attribute_can_be_removed_and_changed(db: rs.Database) -> None:
    """HBase's master returns a table's configuration among its attributes."""
    db.create_table("t", ["f"], attributes={"a.b": "1", "a.c": "1", "OTHER": "1"})
    db.admin.alter_table("t", configuration={"a.b": None, "a.c": "2"})
    schema = db.admin.describe("t")
    assert (dict(schema.attributes), dict(schema.configuration)) == ({"OTHER": "1"}, {"a.c": "2"})


def test_a_description_does_not_say_that_a_table_is_not_meta(db: rs.Database) -> None:
    """HBase's master returns this attribute for every table, and its shell does not print it."""
    db.create_table("t", ["f"], attributes={"IS_META": "false", "OTHER": "1"})
    assert str(db.admin.describe("t")).startswith("'t', OTHER => '1'\n")
