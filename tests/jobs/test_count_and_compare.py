"""Counting, comparing, hashing and copying by regions: the same as without, in any executor; and they go on."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import jobs

ROWS = 600


class Stop(BaseException):
    """Like Ctrl-C, at any point of the job."""


def fill(table: rs.Table) -> None:
    with table.batch() as batch:
        for n in range(ROWS):
            batch.put(f"r{n:03}", {"f:n": "old", "f:b": b"x" * (n % 50)}, timestamp=5)
            batch.put(f"r{n:03}", {"f:n": "newest"} if n % 3 == 0 else {"g:q": "v"}, timestamp=9)


@pytest.fixture
def filled(t: rs.Table) -> rs.Table:
    fill(t)
    return t


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    with rs.connect(tmp_path / "db") as db:
        for name in ("t", "u"):
            db.create_table(name, {"f": rs.Family(max_versions=3), "g": {}}, splits=["r2", "r4"])
            fill(db.table(name))
        db.table("u").put("r451", {"g:q": "other"}, timestamp=9)
    return tmp_path / "db"


def test_rows_are_counted(db: rs.Database, filled: rs.Table) -> None:
    seen: list[int] = []
    assert jobs.count_rows(db, "t", progress=seen.append) == ROWS
    assert seen[-1] == ROWS
    assert jobs.count_rows(db, "t", columns=["g"], workers=3) == ROWS * 2 // 3
    assert jobs.count_rows(db, "t", start="r100", stop=b"r350") == 250
    assert jobs.count_rows(db, "t", start="x") == 0


def test_one_column_is_counted_as_in_a_scan(db: rs.Database) -> None:
    """columns="ab" once counted the rows of the families a and b."""
    db.create_table("u", ["a", "b", "ab"])
    for family in ("a", "b", "ab"):
        db.table("u").put(f"{family}-row", {f"{family}:q": "v"})
    assert jobs.count_rows(db, "u", columns="ab") == jobs.count_rows(db, "u", columns=[b"ab"]) == 1
    assert list(jobs.summarize_table(db, "u", columns=b"ab").columns) == [b"ab:q"]


def test_cells_are_counted(db: rs.Database, filled: rs.Table) -> None:
    summary = jobs.summarize_table(db, "t", workers=2)
    cells = [cell for row in filled.scan(versions=None) for cell in row.cells]
    assert {name: column.cells for name, column in summary.columns.items()} == Counter(cell.column for cell in cells)
    assert summary.cells == len(cells)
    assert summary.value_bytes == sum(len(cell.value) for cell in cells)
    assert (summary.rows, summary.first_row, summary.last_row) == (ROWS, b"r000", b"r599")
    assert (summary.longest_key_bytes, summary.widest_row_cells) == (4, 3)
    assert summary.columns[b"f:n"] == jobs.ColumnSummary(600, 800, 600 * 3 + 200 * 6, 3, 6, 5, 9)
    assert jobs.summarize_table(db, "t", versions=1).columns[b"f:n"].cells == ROWS
    assert jobs.summarize_table(db, "t", start="x") == jobs.Summary()


def test_no_more_columns_are_kept_than_fit(db: rs.Database, t: rs.Table) -> None:
    for row in ("r1", "r5"):
        t.put(row, {f"f:{n:04}": "v" for n in range(1100)})
    summary = jobs.summarize_table(db, "t")
    assert len(summary.columns) == 1000
    assert (summary.others.cells, summary.cells) == (200, 2200)


@pytest.mark.parametrize("job", [jobs.count_rows, jobs.summarize_table])
def test_a_count_goes_on(db: rs.Database, filled: rs.Table, tmp_path: Path, job: Any) -> None:
    state, seen = tmp_path / "state", []

    def stop(rows: int) -> None:
        seen.append(rows)
        if len(seen) == 2:
            raise Stop

    with pytest.raises(Stop):
        job(db, "t", state=state, progress=stop)
    filled.delete("r000")
    with pytest.raises(rs.errors.InvalidArgument, match=r'start was "" and is "r1"'):
        job(db, "t", state=state, start="r1")
    # The region of the row that was deleted was counted before.
    found = job(db, "t", state=state)
    assert (found if isinstance(found, int) else found.rows) == ROWS
    assert not state.exists()


@pytest.mark.parametrize("kind", ["pool", "processes"])
def test_processes_count_and_compare_the_same(directory: Path, kind: str) -> None:
    with rs.connect(directory) as db, ProcessPoolExecutor(2) as pool:
        executor = pool if kind == "pool" else jobs.Processes(2)
        assert jobs.count_rows(db, "t", executor=executor) == ROWS
        assert jobs.summarize_table(db, "t", executor=executor) == jobs.summarize_table(db, "t")
        compared = jobs.compare_tables(db, "t", db, "u", executor=executor)
        assert (compared.different, compared.differences[0].source.row) == (1, b"r451")  # type: ignore[union-attr]


def test_tables_are_compared(directory: Path, tmp_path: Path) -> None:
    with rs.connect(directory) as db:
        db.table("u").put("a", {"f:n": "extra"}, timestamp=1)
        expected = jobs.compare_tables(db, "t", db, "u")
        for workers in (1, 3):
            assert jobs.compare_tables(db, "t", db, "u", workers=workers).__dict__.items() >= {
                (name, getattr(expected, name)) for name in ("equal", "missing", "extra", "different")
            }
        assert jobs.compare_tables(db, "t", db, "t").are_equal
        assert len(jobs.compare_tables(db, "t", db, "u", max_differences=1).differences) == 1


def test_a_comparison_goes_on(directory: Path, tmp_path: Path) -> None:
    state, calls = tmp_path / "state", list[jobs.Comparison]()

    def stop(found: jobs.Comparison) -> None:
        calls.append(found)
        if len(calls) == 2:
            raise Stop

    with rs.connect(directory) as db:
        with pytest.raises(Stop):
            jobs.compare_tables(db, "t", db, "u", state=state, progress=stop)
        found = jobs.compare_tables(db, "t", db, "u", state=state, progress=calls.append)
        whole = jobs.compare_tables(db, "t", db, "u")
        assert (found.equal, found.different) == (whole.equal, 1)
        assert calls[2].equal > calls[0].equal, "regions of the first run are not compared again"
        assert calls[-1] == found
        assert not state.exists()


def test_digests_tell_where_tables_differ(directory: Path, tmp_path: Path) -> None:
    with rs.connect(directory) as db:
        hashes = jobs.hash_table(db, "t", tmp_path / "hashes", range_bytes=1_000, workers=2)
        assert sum(part.rows for part in hashes) == ROWS
        assert len(hashes) > 10
        assert [part.stop for part in hashes[:-1]] == [part.start for part in hashes[1:]]
        assert (hashes[0].start, hashes[-1].stop) == (b"", b"")
        assert jobs.compare_hashes(db, "t", tmp_path / "hashes", workers=2) == jobs.HashComparison(len(hashes))
        [different] = jobs.compare_hashes(db, "u", tmp_path / "hashes").different
        assert different.start <= b"r451" < different.stop
        jobs.copy_table(db, "t", db, "u", start=different.start, stop=different.stop)
        assert not jobs.compare_hashes(db, "u", tmp_path / "hashes").different
        (tmp_path / "hashes").write_text('{"start": "x"}\n')
        with pytest.raises(rs.errors.InvalidArgument, match="line 1 is no digest"):
            jobs.compare_hashes(db, "u", tmp_path / "hashes")


@pytest.mark.parametrize("workers", [1, 3])
def test_a_copy_goes_on(directory: Path, tmp_path: Path, workers: int) -> None:
    state = tmp_path / "state"

    copies: list[jobs.Copied] = []

    def stop(copied: jobs.Copied) -> None:
        copies.append(copied)
        if len(copies) == 2:
            raise Stop

    with rs.connect(directory) as db, rs.connect(":memory:") as there:
        jobs.create_table_like(db, "t", there)
        with pytest.raises(Stop):
            jobs.copy_table(db, "t", there, state=state, workers=workers, progress=stop)
        assert state.exists()
        assert jobs.compare_tables(db, "t", there, stop=copies[-1].resume_row or b"\0", raw=True).are_equal
        again = jobs.copy_table(db, "t", there, state=state, workers=workers)
        assert again.rows <= ROWS
        assert jobs.compare_tables(db, "t", there, "t", raw=True).are_equal
        assert jobs.copy_table(db, "t", there, state=state, workers=workers).cells == 600 * 3
        assert not state.exists()
