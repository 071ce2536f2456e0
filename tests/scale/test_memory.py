"""Data much larger than memory, and a row much larger than a page: resident memory stays bounded.

`ROWSTONE_SCALE=full` takes 10 million cells of 100 bytes and a row of 1 million columns (acceptance: below 1 GB);
otherwise 300,000 cells and 100,000 columns, with limits in proportion.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

IS_FULL = os.environ.get("ROWSTONE_SCALE") == "full"
CELLS = 10_000_000 if IS_FULL else 300_000
COLUMNS = 1_000_000 if IS_FULL else 100_000
GIGABYTE = 10**9
# At 300,000 cells nothing is flushed for lack of memory: all 40 MB of it may be there, some of it twice.
LIMIT = GIGABYTE if IS_FULL else 300 * 10**6


def work(task: str, directory: Path, cells: int) -> dict[str, Any]:
    """Run the task in another process."""
    command = [sys.executable, "-m", "tests.scale.work", task, str(directory), str(cells)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["done"] == cells
    return report


def show(capsys: pytest.CaptureFixture[str], what: str, report: dict[str, Any]) -> None:
    with capsys.disabled():
        print(f"\n{what}: {report['seconds']} s, peak {report['peak_bytes'] / 1e6:.0f} MB")


def test_cells_are_loaded_and_scanned_in_bounded_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for task in ("load", "scan"):
        report = work(task, tmp_path / "db", CELLS)
        show(capsys, f"{task} {CELLS:,} cells", report)
        assert report["peak_bytes"] < LIMIT


def test_the_log_is_recovered_in_bounded_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show(capsys, f"load {CELLS:,} cells, then die", work("recover", tmp_path / "db", CELLS))
    report = work("scan", tmp_path / "db", CELLS)
    show(capsys, f"recover and scan {CELLS:,} cells", report)
    assert report["peak_bytes"] < LIMIT


def test_a_row_of_very_many_columns_is_read_in_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = work("wide", tmp_path / "db", COLUMNS)
    show(capsys, f"a row of {COLUMNS:,} columns", report)
    assert report["peak_bytes"] < LIMIT
