"""The root of a killed HBase, read with its logs: every acknowledged write is there, in order."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

import rowstone as rs
from tests.hbase.cluster.server import StandaloneHBase
from tests.roots import text
from tests.roots.conftest import CELLS, FEW_CELLS, SETTINGS
from tests.roots.session import LIVE, RootSession

ROWS = 5_000 if CELLS < FEW_CELLS else 200_000
FAMILIES = {"f": rs.Family(max_versions=3), "g": rs.Family(max_versions=2, data_block_encoding="FAST_DIFF")}
COMPRESSION = [False] if CELLS < FEW_CELLS else [False, True]
EVERYTHING = "scan raw versions=all"


def write(db: rs.Database) -> None:
    """Write rows, some twice, and delete some; a part is flushed."""
    db.create_table("logged", FAMILIES, splits=["3", "6"])
    table = db.table("logged")
    for part in range(4):
        with table.batch() as batch:
            for number in range(part * ROWS // 5, part * ROWS // 5 + 2 * ROWS // 5):
                batch.put(f"{number * 7919 % ROWS:06}"[::-1], {"f:q": f"{part} {number}", "g:q": b"x" * (number % 200)})
        for number in range(20):
            table.delete(f"{number * 7919 % ROWS:06}"[::-1], [None, ["f"], ["g:q"]][number % 3])
        if part == 1:
            db.admin.flush("logged")


@pytest.mark.parametrize("is_compressed", COMPRESSION)
def test_all_acknowledged_writes_are_in_the_files(tmp_path: Path, is_compressed: bool) -> None:
    log = {"hbase.regionserver.wal.enablecompression": str(is_compressed).lower()}
    lines = tmp_path / "lines"
    with StandaloneHBase(settings={**SETTINGS, **log}) as server:
        with rs.connect(server.url) as db:
            write(db)
        with contextlib.closing(RootSession(server)) as session:
            expected = session.dump(LIVE, "logged", EVERYTHING)
            session.write_lines(LIVE, "logged", EVERYTHING, lines)
        assert expected.rows >= ROWS
        server.kill()
        with rs.open_root(server.folder / "data", with_logs=True) as db, lines.open() as before:
            assert not text.first_difference(before, text.lines_of(db.table("logged"), EVERYTHING))
        with rs.open_root(server.folder / "data") as db:
            assert text.dump(db.table("logged"), EVERYTHING).cells < expected.cells
