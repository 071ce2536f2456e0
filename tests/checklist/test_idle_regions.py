"""An idle region costs almost nothing (checklist 199): measured in a separate process."""

from __future__ import annotations

from pathlib import Path

from benches.idle_regions import make, memory_of_idle_region

from tests.checklist import checklist

IDLE = 400
MOST_BYTES = 10 * 1024


@checklist("199", clause="an idle region takes less than 10 KB of memory")
def test_an_idle_region_takes_less_than_ten_kilobytes(tmp_path: Path) -> None:
    make(tmp_path / "few", idle=0, regions=1, families=1)
    make(tmp_path / "many", idle=IDLE, regions=1, families=1)
    assert memory_of_idle_region(tmp_path / "few", tmp_path / "many", IDLE) < MOST_BYTES
