"""The root directory of a running HBase, and of one that was killed.

Rows are written in order beside flushes, splits, compactions and other tables that come and go. Each scan of the files
has all rows that were flushed when it began.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

import rowstone as rs
from tests.hbase.cluster.server import StandaloneHBase
from tests.roots import text
from tests.roots.conftest import CELLS, FEW_CELLS
from tests.roots.session import LIVE, RootSession

IS_LONG = CELLS >= FEW_CELLS
SCANS, ROUNDS = (200, 100) if IS_LONG else (15, 10)
"""At least so many scans and rounds of the writer."""
ROWS = 200_000 if IS_LONG else 5_000
ROWS_PER_FLUSH = 300
FAMILIES = {"f": rs.Family(max_versions=3), "g": rs.Family(max_versions=2, data_block_encoding="FAST_DIFF")}
EVERYTHING = "scan raw versions=all"


@pytest.fixture(scope="module", params=["false", "true"] if IS_LONG else ["false"])
def running(request: pytest.FixtureRequest) -> Iterator[StandaloneHBase]:
    """An HBase that soon moves compacted files into its archive; the parameter is whether logs are compressed."""
    settings = {
        "hbase.hfile.compaction.discharger.interval": "1000",
        "hbase.regionserver.wal.enablecompression": request.param,
    }
    with StandaloneHBase(settings=settings) as server:
        yield server


class Writer(Thread):
    """Writes rows and changes regions until it is stopped."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = url
        self._ending = Event()
        self.flushed = 0
        self.written = 0
        self.error: Exception | None = None

    def run(self) -> None:
        """Write, flush and change the regions, round by round."""
        try:
            with rs.connect(self._url) as db:
                db.create_table("changing", FAMILIES, splits=["5"])
                for number in itertools.count():
                    if self._ending.is_set():
                        return
                    self._round(db, number)
        except Exception as error:
            self.error = error

    def _round(self, db: rs.Database, number: int) -> None:
        with db.table("changing").batch() as batch:
            self.written += ROWS_PER_FLUSH
            for row in range(self.written - ROWS_PER_FLUSH, self.written):
                batch.put(key_of(row), {"f:q": str(row), "g:q": b"x" * (row % 100)})
        db.admin.flush("changing")
        self.flushed = self.written
        if number % 4 == 1:
            with contextlib.suppress(rs.errors.RowstoneError):  # its region may still have references
                db.admin.regions.split("changing", f"{number * 37 % 100:02}")
        if number % 3 == 2:
            db.admin.major_compact("changing")
        db.create_table(f"other_{number}", ["f"])
        db.drop_table(f"other_{number}", force=True)

    def stop(self) -> None:
        """Stop after the current round; raise its error."""
        self._ending.set()
        self.join()
        if self.error is not None:
            raise self.error


def key_of(row: int) -> str:
    """The row's number, spread over the regions."""
    return f"{row:08}"[::-1]


def test_scans_have_what_was_flushed(running: StandaloneHBase) -> None:
    writer = Writer(running.url)
    writer.start()
    try:
        while not writer.flushed and writer.is_alive():
            writer.join(0.05)
        scans = 0
        while writer.is_alive() and (scans < SCANS or writer.flushed < ROUNDS * ROWS_PER_FLUSH):
            scans += 1
            flushed = writer.flushed
            with rs.open_root(running.folder / "data") as db:
                rows = {row.key.decode(): row for row in db.table("changing").scan()}
            torn = [key for key, row in rows.items() if "f:q" not in row or "g:q" not in row]
            assert not torn, f"{len(torn)} rows lack a family, such as {torn[0]}"
            values = {key: int(row["f:q"]) for key, row in rows.items()}
            assert all(key == key_of(value) for key, value in values.items())
            missing = set(range(flushed)) - set(values.values())
            assert not missing, f"{len(missing)} of {flushed} rows, such as {min(missing)}"
            assert len(values) <= writer.written
    finally:
        writer.stop()


def write(db: rs.Database) -> None:
    """Write rows, some twice, and delete some; a part is flushed."""
    db.create_table("logged", FAMILIES, splits=["3", "6"])
    table = db.table("logged")
    for part in range(4):
        with table.batch() as batch:
            for number in range(part * ROWS // 5, part * ROWS // 5 + 2 * ROWS // 5):
                batch.put(key_of(number), {"f:q": f"{part} {number}", "g:q": b"x" * (number % 200)})
        for number in range(20):
            table.delete(key_of(number), [None, ["f"], ["g:q"]][number % 3])
        if part == 1:
            db.admin.flush("logged")


def test_all_acknowledged_writes_are_in_the_files_of_a_killed_hbase(running: StandaloneHBase, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    with rs.connect(running.url) as db:
        write(db)
    with contextlib.closing(RootSession(running)) as session:
        expected = session.dump(LIVE, "logged", EVERYTHING)
        session.write_lines(LIVE, "logged", EVERYTHING, lines)
    assert expected.rows >= ROWS
    running.kill()
    with rs.open_root(running.folder / "data", with_logs=True) as db, lines.open() as before:
        assert not text.first_difference(before, text.lines_of(db.table("logged"), EVERYTHING))
    with rs.open_root(running.folder / "data") as db:
        assert text.dump(db.table("logged"), EVERYTHING).cells < expected.cells
