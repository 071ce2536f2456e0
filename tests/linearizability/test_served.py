"""Histories of a served directory are linearizable, though the server is killed and its regions split: a small run of
`make linearizability`."""

from __future__ import annotations

from pathlib import Path

from tests.linearizability.run import run
from tests.linearizability.targets import ServedDirectory
from tests.linearizability.workers import Load

KILLS = 3


def test_rows_are_linearizable_under_kills_and_splits(tmp_path: Path) -> None:
    target = ServedDirectory(tmp_path / "db")
    load = Load(target.urls, 3_000, 8, seed=1, rows=6, impatient_options={"operation_timeout_ms": 150})
    try:
        report = run(target, load, tmp_path, kills=KILLS, processes=1)
    finally:
        target.close()
    assert report.is_good, str(report)
    # The clients may be done before the last kill is due.
    assert 0 < len(report.outages) <= KILLS
    assert report.operations >= load.operations
