"""Scans: ranges, order, limits, pages, life cycle."""

from __future__ import annotations

import gc
import random

import pandas
import pytest

import rowstone as rs
from rowstone import errors


@pytest.fixture
def rows(t: rs.Table) -> rs.Table:
    for key in ("abc1", "abc2", "row1", "row2", "row3"):
        t.put(key, {"f:a": key, "g:b": "x"})
    return t


def keys(scanner: rs.Scanner) -> list[str]:
    return [row.key.decode() for row in scanner]


def test_ranges_are_half_open_by_default(rows: rs.Table) -> None:
    """checklist 008, 066"""
    assert keys(rows.scan()) == keys(rows.scan("", "")) == ["abc1", "abc2", "row1", "row2", "row3"]
    assert keys(rows.scan("abc2", "row2")) == ["abc2", "row1"]
    assert keys(rows.scan("abc2", "row2", include_stop=True)) == ["abc2", "row1", "row2"]
    assert keys(rows.scan("abc2", "row2", include_start=False)) == ["row1"]
    assert keys(rows.scan(prefix="row")) == ["row1", "row2", "row3"]
    assert keys(rows.scan(prefix="row", limit=2)) == ["row1", "row2"]
    assert next(dict(row) for row in rows.scan(prefix="row", columns=["f:a"])) == {b"f:a": b"row1"}


def test_reversed_scans_go_from_large_to_small(rows: rs.Table) -> None:
    assert keys(rows.scan(reverse=True)) == ["row3", "row2", "row1", "abc2", "abc1"]
    assert keys(rows.scan("row2", "abc2", reverse=True)) == ["row2", "row1"]
    assert keys(rows.scan(prefix="abc", reverse=True)) == ["abc2", "abc1"]


def test_a_prefix_of_the_largest_bytes(t: rs.Table) -> None:
    t.put(b"\xff\xff", {"f:a": "1"})
    t.put(b"\xfe", {"f:a": "1"})
    assert [row.key for row in t.scan(prefix=b"\xff")] == [b"\xff\xff"]
    assert [row.key for row in t.scan(prefix=b"\xff", reverse=True)] == [b"\xff\xff"]


def test_rows_sort_as_unsigned_bytes(t: rs.Table) -> None:
    """checklist 006, 007"""
    pool = [random.Random(1).randbytes(length) for length in range(1, 9) for _ in range(300)]
    with t.batch() as batch:
        for key in pool:
            batch.put(key, {"f:q": "x"})
    assert list(t) == sorted(set(pool))


def test_scans_cross_regions(db: rs.Database) -> None:
    db.create_table("split", ["f"], splits=["d", "m", "t"])
    t = db.table("split")
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    for letter in letters:
        t.put(letter, {"f:q": letter})
    assert keys(t.scan()) == letters
    assert keys(t.scan(reverse=True)) == letters[::-1]
    assert keys(t.scan("c", "u", limit=15)) == letters[2:17]
    assert [region.start_key for region in db.admin.regions.list("split")] == [b"", b"d", b"m", b"t"]


def test_many_rows_come_through_growing_batches(t: rs.Table) -> None:
    with t.batch() as batch:
        for number in range(5_000):
            batch.put(f"{number:05}", {"f:q": "x" * (number % 700)})
    assert [row.key for row in t.scan()] == [f"{number:05}".encode() for number in range(5_000)]
    assert sum(1 for _ in t.scan(limit=1_500)) == 1_500
    assert [key for key, _ in t.scan().pairs("f:q")][::1000] == [b"00000", b"01000", b"02000", b"03000", b"04000"]


def test_wide_rows_come_in_pieces(t: rs.Table) -> None:
    """checklist 019: cells of a result are limited with `batch`."""
    t.put("r", {f"f:{number:03}": "x" for number in range(10)})
    pieces = list(t.scan(batch=4))
    assert [len(piece) for piece in pieces] == [4, 4, 2]
    assert [piece.is_partial for piece in pieces] == [True, True, False]
    assert [column for piece in pieces for column in piece] == [f"f:{number:03}".encode() for number in range(10)]


def test_a_piece_may_be_the_last_although_another_family_has_cells(t: rs.Table, db: rs.Database) -> None:
    """HBase 2.6.4 gives the same ``mayHaveMoreCellsInRow``, before and after a flush: it does not read the next family
    to find out that none of its cells is selected."""
    t.put("r1", {"f:a": "1", "f:b": "1", "g:c": "1"})
    t.put("r2", {"f:a": "1"})
    for _ in range(2):
        for columns, expected in (
            (["f:a", "g:z"], [True, False]),
            (["f:a"], [False, False]),
            (["f:a", "g:c"], [True, False, False]),
            (["f:a", "g:a"], [True, False]),
        ):
            assert [piece.is_partial for piece in t.scan(columns=columns, batch=1)] == expected, columns
        db.admin.flush("t")


def test_pairs_pass_over_rows_without_the_column(rows: rs.Table) -> None:
    rows.put("zzz", {"g:b": "1"})
    assert list(rows.scan("row2").pairs("f:a")) == [(b"row2", b"row2"), (b"row3", b"row3")]
    assert list(rows.scan("row3").pairs(("g", "b"))) == [(b"row3", b"x"), (b"zzz", b"1")]


def test_a_closed_scanner_raises_and_an_open_one_counts(rows: rs.Table, db: rs.Database) -> None:
    """checklist 067"""
    for number in range(100):
        rows.put(f"z{number}", {"f:a": "1"})
    with rows.scan() as scanner:
        next(scanner)
        assert db.admin.metrics.stats()["open_scanners"] == 1
    assert db.admin.metrics.stats()["open_scanners"] == 0
    assert scanner.closed
    with pytest.raises(rs.errors.ScannerClosed):
        next(scanner)
    scanner.close()


def test_a_forgotten_scanner_closes_itself(rows: rs.Table, db: rs.Database) -> None:
    """checklist 067"""
    scanner = rows.scan()
    next(scanner)
    del scanner
    gc.collect()
    assert db.admin.metrics.stats()["open_scanners"] == 0


def test_an_exhausted_scanner_stays_exhausted(rows: rs.Table, db: rs.Database) -> None:
    scanner = rows.scan()
    assert len(list(scanner)) == 5
    assert list(scanner) == []
    assert db.admin.metrics.stats()["open_scanners"] == 0


def test_rows_outlive_their_scanner_and_database(tmp_path_factory: pytest.TempPathFactory) -> None:
    with rs.connect(tmp_path_factory.mktemp("rows") / "db") as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "v"})
        with db.table("t").scan() as scanner:
            row = next(scanner)
    assert row["f:q"] == b"v"


def test_raw_scans_refuse_columns_as_hbase_does(rows: rs.Table) -> None:
    """checklist 130"""
    with pytest.raises(rs.errors.UsageError):
        list(rows.scan(raw=True, columns=["f:a"]))


def test_a_get_is_a_scan_of_one_row(rows: rs.Table) -> None:
    """checklist 063"""
    for options in ({}, {"columns": ["f"]}, {"versions": 2}, {"time_range": (0, 5)}, {"cells_per_family": 1}):
        scanned = list(rows.scan("row1", "row1", include_stop=True, **options))
        assert rows.get("row1", **options) == (scanned[0] if scanned else rows.get("row1", "f:none"))


def test_scans_become_data_frames(rows: rs.Table) -> None:
    rows.put("zzz", {"g:other": b"\xff"})
    frame = rows.scan("row3").pandas()
    assert list(frame.columns) == ["f:a", "g:b", "g:other"]
    assert list(frame.index) == [b"row3", b"zzz"]
    assert frame["f:a"].tolist() == [b"row3", None]
    text = rows.scan().pandas(decode="utf-8")
    assert text.loc["row1", "f:a"] == "row1"
    assert text.loc["zzz", "g:other"] == "\\xff"
    empty = rows.scan("zzzz").pandas()
    assert isinstance(empty, pandas.DataFrame)
    assert empty.empty


def test_a_scanner_shows_what_a_flush_drops() -> None:
    """A flush counts deleted versions if they are retained, a read does not. HBase's scanner continues in the new
    file."""
    with rs.connect(":memory:") as db:
        db.create_table("kept", {"f": rs.Family(max_versions=1, keep_deleted_cells="TTL")})
        table = db.table("kept")
        table.put("r", {"f:q": "newer"}, timestamp=10)
        table.put("r", {"f:q": "older"}, timestamp=2)
        table.multi([rs.Delete("r").add_family_version("f", 10)])
        with table.scan() as opened:
            db.admin.flush("kept")
            assert [row["f:q"] for row in opened] == [b"older"]
        assert list(table.scan()) == []


def test_a_scanner_of_a_dropped_table_says_so(t: rs.Table, db: rs.Database) -> None:
    """Regression: "table 't' is disabled; enable it"."""
    for row in "abc":
        t.put(row, {"f:q": "v"})
    rows = t.scan(caching=1)
    next(rows)
    db.drop_table("t", force=True)
    with pytest.raises(errors.TableNotFound):
        list(rows)


def test_a_start_longer_than_every_row_key_is_refused(t: rs.Table) -> None:
    """Regression: the length modulo 65,536 was used, so such a prefix found every row."""
    t.put(b"\xff" * 32_767, {"f:q": "v"})
    assert [len(row.key) for row in t.scan(prefix=b"\xff" * 32_767)] == [32_767]
    assert list(t.scan(b"\xff" * 32_767 + b"\0")) == []
    for bounds in ({"prefix": b"\xff" * 65_536}, {"start": b"a" * 65_540}, {"stop": b"a" * 65_540}):
        with pytest.raises(errors.InvalidArgument, match=r"has 655\d\d bytes, but a row key has at most 32767"):
            list(t.scan(**bounds))  # type: ignore[arg-type]
