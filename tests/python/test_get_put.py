"""Gets and puts: cells are returned as written, and selected as requested."""

from __future__ import annotations

import pickle
import struct
from datetime import UTC, datetime, timedelta

import pytest

import rowstone as rs
from rowstone.testing import ManualClock


@pytest.mark.parametrize(
    "key", [b"\x00", b"\xff" * 8, struct.pack(">q", -1), "王".encode(), pickle.dumps((1, "x")), b"x" * 32_767]
)
def test_row_keys_are_uninterpreted_bytes(t: rs.Table, key: bytes) -> None:
    """checklist 004, 005: any bytes up to 32,767 of them."""
    t.put(key, {"f:q": "v"})
    assert t.get(key).key == key
    assert list(t) == [key]


@pytest.mark.parametrize("value", [b"", b"x", bytes(range(256)) * 40_000])
def test_values_are_uninterpreted_bytes(t: rs.Table, value: bytes) -> None:
    """checklist 025: empty, one byte, 10 MB."""
    t.put("r", {"f:q": value})
    assert t.get("r")["f:q"] == value


def test_text_goes_in_and_bytes_come_out(t: rs.Table) -> None:
    t.put("rów", {"f:ü": "ž", b"f:b": bytearray(b"1"), ("f", b"c"): memoryview(b"2")})
    row = t.get("rów".encode())
    assert row.to_dict() == {"f:ü".encode(): "ž".encode(), b"f:b": b"1", b"f:c": b"2"}
    assert row["f:ü"] == row["f:ü".encode()] == row["f", "ü"] == "ž".encode()


def test_a_column_is_split_at_its_first_colon(t: rs.Table) -> None:
    """checklist 013, 014: `f:a:b` is qualifier `a:b`; the empty qualifier is a column of its own."""
    t.put("r", {"f:a:b": "1", "f:": "2", b"f:\x00\xff": "3"})
    cells = {(cell.family, cell.qualifier): cell.value for cell in t.get("r").cells}
    assert cells == {(b"f", b"a:b"): b"1", (b"f", b""): b"2", (b"f", b"\x00\xff"): b"3"}
    assert t.get("r")["f:"] == b"2"
    assert list(t.get("r", [("f", "")])) == [b"f:"]
    assert len(t.get("r", "f:")) == len(t.get("r", "f")) == 3
    assert list(t.get("r", "f:a:b")) == [b"f:a:b"]


def test_a_get_selects_families_and_columns(t: rs.Table) -> None:
    """checklist 062: family, column, nothing."""
    t.put("r", {"f:a": "1", "f:b": "2", "g:c": "3"})
    assert list(t.get("r")) == [b"f:a", b"f:b", b"g:c"]
    assert list(t.get("r", "g")) == [b"g:c"]
    assert list(t.get("r", ["f:b", "g"])) == [b"f:b", b"g:c"]
    assert not t.get("r", "f:zzz")


def test_a_row_without_cells_is_an_empty_row(t: rs.Table) -> None:
    """checklist 003: a row exists only through its cells."""
    row = t.get("none")
    assert not row
    assert len(row) == 0
    assert row.key == b"none"
    assert not t.exists("none")
    t.put("r", {"f:a": "1"})
    t.delete("r", "f:a")
    assert not t.get("r")
    assert not t.exists("r")
    assert list(t) == []


def test_a_put_without_a_timestamp_takes_the_clock(t: rs.Table, clock: ManualClock) -> None:
    """checklist 026, 027: every cell has a timestamp; by default the store's clock."""
    t.put("r", {"f:a": "1"})
    assert t.get("r").timestamp("f:a") == clock.now == 1_700_000_000_000


@pytest.mark.parametrize("timestamp", [0, 1, 555, 2**62, 2**63 - 2])
def test_timestamps_are_the_callers_choice(t: rs.Table, timestamp: int) -> None:
    """checklist 028, 029: any non-negative 64-bit number."""
    t.put("r", {"f:a": "1"}, timestamp=timestamp)
    assert t.get("r").timestamp("f:a") == timestamp


def test_the_largest_number_means_now(t: rs.Table, clock: ManualClock) -> None:
    """checklist 029: 2**63 - 1 is replaced by the time of the write."""
    t.put("r", {"f:a": "1"}, timestamp=2**63 - 1)
    assert t.get("r").timestamp("f:a") == clock.now


def test_timestamps_may_be_datetimes(t: rs.Table) -> None:
    moment = datetime(2024, 2, 29, 12, 30, 15, 123_999, tzinfo=UTC)
    t.put("r", {"f:a": "1"}, timestamp=moment)
    assert t.get("r").timestamp("f:a") == 1_709_209_815_123
    assert t.get("r", timestamp=moment)
    assert t.get("r", time_range=(moment, moment + timedelta(milliseconds=1)))
    assert not t.get("r", time_range=(None, moment))


def test_one_put_may_have_a_timestamp_per_column(t: rs.Table) -> None:
    """checklist 084"""
    t.put("r", [("f:a", "1", 1), ("f:b", "2", 9), ("f:c", "3")], timestamp=5)
    assert {cell.column: cell.timestamp for cell in t.get("r").cells} == {b"f:a": 1, b"f:b": 9, b"f:c": 5}


def test_versions_come_newest_first(t: rs.Table) -> None:
    """checklist 032, 034, 078, 079"""
    for timestamp in (10, 30, 20):
        t.put("r", {"f:a": str(timestamp)}, timestamp=timestamp)
    row = t.get("r", versions=10)
    assert row["f:a"] == b"30"
    assert [cell.timestamp for cell in row.versions("f:a")] == [30, 20, 10]
    assert [cell.timestamp for cell in t.get("r", versions=2).versions("f:a")] == [30, 20]
    assert len(t.get("r", versions=None).cells) == 3


def test_time_ranges_are_half_open(t: rs.Table) -> None:
    """checklist 080: the latest version up to 20 is in the range (0, 21)."""
    for timestamp in (10, 20, 30):
        t.put("r", {"f:a": str(timestamp)}, timestamp=timestamp)
    assert t.get("r", time_range=(0, 21))["f:a"] == b"20"
    assert t.get("r", time_range=(0, 20))["f:a"] == b"10"
    assert t.as_of(20).get("r")["f:a"] == b"20"
    assert t.get("r", timestamp=10)["f:a"] == b"10"
    assert not t.get("r", timestamp=11)


def test_a_family_may_have_its_own_time_range(t: rs.Table) -> None:
    t.put("r", {"f:a": "1", "g:a": "1"}, timestamp=5)
    row = t.get("r", time_range=(0, 5), family_time_ranges={"g": (5, 6)})
    assert list(row) == [b"g:a"]


def test_cells_of_a_family_come_in_pages(t: rs.Table) -> None:
    t.put("r", {f"f:{number:02}": "x" for number in range(10)})
    assert list(t.get("r", cells_per_family=2, offset_per_family=3)) == [b"f:03", b"f:04"]


def test_many_gets_keep_their_order(t: rs.Table) -> None:
    t.put("a", {"f:q": "1"})
    t.put("b", {"g:q": "2"})
    rows = t.get_many(["b", "none", "a", "b"])
    assert [row.key for row in rows] == [b"b", b"none", b"a", b"b"]
    assert [bool(row) for row in rows] == [True, False, True, True]
    assert t.exists_many(["a", "none"]) == [True, False]
    assert [bool(row) for row in t.get_many(["a", "b"], ["f"])] == [True, False]
    assert t.get_many([]) == []


def test_a_value_is_the_newest_of_its_column(t: rs.Table) -> None:
    t.put("r", {"f:a": "old", "f:": "empty qualifier"}, timestamp=5)
    t.put("r", {"f:a": "new"}, timestamp=6)
    assert t.value("r", "f:a") == t.value(b"r", (b"f", b"a")) == b"new"
    assert t.value("r", "f:") == b"empty qualifier"
    assert t.value("r", "f:b") is None
    assert t.value("none", "f:a", "default") == "default"
    assert t.as_of(5).value("r", "f:a") == b"old"
    t.delete("r", ["f:a"])
    assert t.value("r", "f:a", b"") == b""
    with pytest.raises(rs.errors.NoSuchColumnFamily):
        t.value("r", "x:a")
    with pytest.raises(rs.errors.InvalidArgument, match="has no colon"):
        t.value("r", "f")


def test_values_of_one_column_after_another(t: rs.Table) -> None:
    """The options for the last column are kept."""
    t.put("r", {"f:a": "1", "f:b": "2", "g:a": "3", b"f:\xff": "4"})
    name = bytearray(b"f:a")
    assert t.value("r", name) == b"1"
    name[-1:] = b"b"
    assert t.value("r", name) == b"2"
    for column, value in [("f:a", b"1"), (b"f:a", b"1"), ("g:a", b"3"), (("f", "a"), b"1"), (b"f:\xff", b"4")] * 2:
        assert t.value("r", column) == value
        with pytest.raises(rs.errors.InvalidArgument, match="has no colon"):
            t.value("r", "f")


def test_exists_follows_the_options_of_get(t: rs.Table) -> None:
    t.put("r", {"f:a": "1"}, timestamp=5)
    assert t.exists("r", "f:a")
    assert not t.exists("r", "g")
    assert not t.exists("r", time_range=(6, 9))


def test_tags_and_cell_ttl_travel_with_the_cell(t: rs.Table, clock: ManualClock) -> None:
    """checklist 117, 118: a cell's TTL is in milliseconds and applies to all cells of the put."""
    t.put("r", {"f:a": "1"}, tags=[(70, b"tag"), (71, "text")])
    [cell] = t.get("r").cells
    assert cell.tags == [(70, b"tag"), (71, b"text")]
    t.put("s", {"f:a": "1", "g:b": "2"}, ttl_ms=timedelta(seconds=1.5))
    clock.advance(1_499)
    assert len(t.get("s")) == 2
    clock.advance(2)
    assert not t.get("s")


@pytest.mark.parametrize("durability", ["SKIP_WAL", "async_wal", "SYNC_WAL", "FSYNC_WAL", "USE_DEFAULT"])
def test_every_durability_is_visible_at_once(t: rs.Table, durability: str) -> None:
    t.put("r", {"f:a": "1"}, durability=durability)
    assert t.get("r")["f:a"] == b"1"


def test_times_are_exact_in_every_year(t: rs.Table) -> None:
    """Regression: from 2242 on, a timestamp could be a millisecond late."""
    for moment, ms in [
        (datetime(2243, 11, 11, 6, 36, 49, 711_999, tzinfo=UTC), 8_642_183_809_711),
        (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), 253_402_300_799_999),
    ]:
        assert rs.Put("r", {"f:q": "v"}, timestamp=moment).cells[0].timestamp == ms
        assert repr(t.as_of(moment)).endswith(f"as_of({ms})")


def test_the_limit_of_a_cell_includes_twenty_bytes_of_overhead(t: rs.Table) -> None:
    """docs/reference/schema.md, "Limits"."""
    t.put("r", {"f:q": bytes(10_485_760 - 20 - 3)})
    with pytest.raises(rs.errors.CellTooLarge, match=r"10485761 .*10485760"):
        t.put("r", {"f:q": bytes(10_485_760 - 20 - 2)})


@pytest.mark.parametrize("count", [3, 40])
def test_versions_are_found_in_results_in_another_order(t: rs.Table, count: int) -> None:
    """The results of increments and appends have the order of the request."""
    columns = [f"f:{number:02}" for number in reversed(range(count))]
    row = t.mutate_row("r", [rs.Append("r", [(column, "x")]) for column in columns])
    assert row is not None
    assert [[cell.value for cell in row.versions(column)] for column in columns] == [[b"x"]] * count
    assert row.versions("f:none") == []
