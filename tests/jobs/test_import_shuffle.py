"""`import_file(shuffle=True)`: keys that grow along the file reach all regions at once, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import rowstone as rs
from rowstone import jobs
from rowstone.jobs.files.records import Position, Record
from rowstone.jobs.files.shuffle import Shuffled
from tests.checklist import checklist
from tests.jobs.test_import import Stop, cells

ROWS = 3_000
PIECE = 500


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of 500 lines; 200 lines are mixed at a time, out of 10 blocks of 20."""
    monkeypatch.setattr("rowstone.jobs._import._PIECE_LINES", PIECE)
    monkeypatch.setattr("rowstone.jobs.files.shuffle._BLOCK_RECORDS", 20)
    monkeypatch.setattr("rowstone.jobs.files.shuffle._MIXED_BLOCKS", 10)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Keys that grow; values with quotes and line feeds in them."""
    path = tmp_path / "log.csv"
    path.write_text("id,what\n" + "".join(f'{n:05},"line ""{n}""\nof two"\n' for n in range(ROWS)))
    return path


def split(db: rs.Database, name: str) -> rs.Table:
    """A table of ten regions of 300 rows."""
    db.create_table(name, ["f"], splits=[f"{n:05}" for n in range(300, ROWS, 300)])
    return db.table(name)


def in_regions(table: rs.Table) -> list[int]:
    counts = [0] * 10
    for row in table.scan():
        counts[int(row.key) // 300] += 1
    return counts


@checklist("164", clause="an import shuffles")
def test_growing_keys_reach_all_regions_at_once(db: rs.Database, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbits", lambda _: 1)
    first_pieces, all_cells = [], []
    for shuffle in (False, True):
        table = split(db, f"shuffled-{shuffle}")
        seen: list[list[int]] = []
        done = jobs.import_file(
            db, table.name, log, {"f:q": "what"}, key="id", timestamp=7, shuffle=shuffle,
            progress=lambda _, table=table, seen=seen: seen.append(in_regions(table)),  # type: ignore[misc]
        )  # fmt: skip
        assert (done.rows, done.offset) == (ROWS, log.stat().st_size)
        first_pieces.append(seen[0])
        all_cells.append(cells(table))
    assert first_pieces[0] == [300, 200, 0, 0, 0, 0, 0, 0, 0, 0]
    # From all over the file: 50 for each region on average, in blocks of 20.
    assert sum(count > 0 for count in first_pieces[1]) >= 8
    assert max(first_pieces[1]) <= 150
    assert all_cells[0] == all_cells[1]


def test_a_shuffled_import_goes_on_in_its_order(db: rs.Database, t: rs.Table, log: Path) -> None:
    calls = 0

    def stop(done: jobs.Imported) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Stop

    with pytest.raises(Stop):
        jobs.import_file(db, "t", log, {"f:q": "what"}, key="id", shuffle=True, progress=stop)
    before = {row.key for row in t.scan()}
    assert len(before) == 3 * PIECE
    with pytest.raises(rs.errors.InvalidArgument, match=r"shuffle was true and is false"):
        jobs.import_file(db, "t", log, {"f:q": "what"}, key="id")
    written: list[int] = []
    done = jobs.import_file(
        db, "t", log, {"f:q": "what"}, key="id", shuffle=True, progress=lambda done: written.append(len(list(t)))
    )
    # No line twice, none left out.
    assert written[:-1] == [4 * PIECE, 5 * PIECE, ROWS]
    assert (done.resumed, done.rows) == (True, ROWS)
    assert {stamp for _, _, stamp, _ in cells(t)} == {done.timestamp}
    assert not Path(f"{log}.import.json").exists()


def test_it_does_not_go_on_in_another_file(db: rs.Database, t: rs.Table, log: Path) -> None:
    def stop(done: jobs.Imported) -> None:
        raise Stop

    with pytest.raises(Stop):
        jobs.import_file(db, "t", log, {"f:q": "what"}, key="id", shuffle=True, progress=stop)
    log.write_text(log.read_text().replace("00001,", "000001,"))
    with pytest.raises(rs.errors.InvalidArgument, match="the file changed"):
        jobs.import_file(db, "t", log, {"f:q": "what"}, key="id", shuffle=True)


def test_refused_lines_keep_their_numbers(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("".join(f"r{n}\tv\n" if n % 100 else f"\t{n}\n" for n in range(1_000)))
    fields, options = ["HBASE_ROW_KEY", "f:q"], {"bad_lines": "skip", "bad_file": tmp_path / "kept"}
    done = jobs.import_file(db, "t", path, fields, shuffle=True, **options)  # type: ignore[arg-type]
    assert (done.rows, done.skipped) == (990, 10)
    assert sorted(error.line for error in done.refused) == [n + 1 for n in range(0, 1_000, 100)]
    kept = (tmp_path / "kept").read_text().splitlines()
    assert sorted(kept) == sorted(f"\t{n}" for n in range(0, 1_000, 100))
    assert len(list(t)) == 990


@pytest.mark.parametrize("count", [0, 1, 19, 20, 21, 200, 201, 999])
def test_every_record_comes_once_from_anywhere_on(count: int) -> None:
    class Numbers:
        def total(self) -> int:
            return count

        def mark(self, position: Position) -> str:
            return ""

        def records(self, start: Position) -> object:
            return (Record(n + 1, [n], Position(n + 1, n + 1)) for n in range(start.offset, count))

    order = [(record.values[0], record.after) for record in Shuffled(Numbers(), 3).records(Position())]  # type: ignore[arg-type, union-attr]
    assert sorted(number for number, _ in order) == list(range(count))
    assert count < 20 or [number for number, _ in order] != list(range(count))
    for at, (_, after) in list(enumerate(order))[:: max(1, count // 10)]:
        rest = [record.values[0] for record in Shuffled(Numbers(), 3).records(after)]  # type: ignore[arg-type, union-attr]
        assert rest == [number for number, _ in order[at + 1 :]]
    assert count < 20 or order != [(r.values[0], r.after) for r in Shuffled(Numbers(), 4).records(Position())]  # type: ignore[arg-type, union-attr]


def test_parquet_is_refused(db: rs.Database, t: rs.Table, tmp_path: Path) -> None:
    parquet.write_table(pyarrow.table({"id": ["a"], "v": ["1"]}), tmp_path / "a.parquet")
    with pytest.raises(rs.errors.InvalidArgument, match="shuffle"):
        jobs.import_file(db, "t", tmp_path / "a.parquet", {"f:q": "v"}, key="id", shuffle=True)
    assert list(t) == []
