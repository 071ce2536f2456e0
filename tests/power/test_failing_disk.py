"""A lost row is noticed. The disks themselves: `make failing-disk`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rowstone as rs
from tests.power import failing_disk


def read_answer(place: Path) -> list[str]:
    reading, writing = os.pipe()
    failing_disk.count_rows(str(place), writing)
    os.close(writing)
    with os.fdopen(reading) as lines:
        return lines.read().splitlines()


def test_a_row_that_is_missing_in_the_middle_or_at_the_end_is_noticed(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        for number in (0, 1, 2, 4, 5):
            db.table("t").put(f"{number:09}", {"f:q": "v"})
    assert read_answer(tmp_path / "db") == ["R 3"]
    failing_disk.check(["R 3"], 2)
    for synced in (3, 5):
        with pytest.raises(failing_disk.Broken, match=f"row {synced} was synced"):
            failing_disk.check(["R 3"], synced)


@pytest.mark.parametrize("lines", [[], ["X Corruption: the log"]])
def test_a_database_that_does_not_open_is_noticed(lines: list[str]) -> None:
    with pytest.raises(failing_disk.Broken):
        failing_disk.check(lines, -1)
