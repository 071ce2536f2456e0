"""The simulator of large tables agrees with measured loads."""

from __future__ import annotations

from pathlib import Path

import pytest
from benches.scale.predict import index_levels, measures

PAGE = Path(__file__).parents[2] / "docs/explanation/performance.md"
GIGABYTE = 1 << 30
FILES_OF_SECOND_TABLE = 1


def measured(name: str) -> list[float]:
    """The row of the table of measured loads, for Rowstone."""
    table = PAGE.read_text().partition("<!-- scale -->")[2].partition("<!-- /scale -->")[0]
    heads, *rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    cells = next(row[1:] for row in rows if row[0] == name)
    return [float(cell.replace(",", "")) for head, cell in zip(heads, cells, strict=True) if "rowstone" in head]


@pytest.mark.parametrize("index", range(3))
def test_prediction_agrees_with_measurement(index: int) -> None:
    predicted = measures(10 ** (7 + index), seed=1)
    written = float(predicted["bytes written per byte of cells"])
    assert written == pytest.approx(measured("bytes written per byte of cells")[index], rel=0.1)
    assert abs(int(predicted["files"]) + FILES_OF_SECOND_TABLE - measured("files")[index]) <= 2


def test_an_index_gains_a_level_when_its_root_is_full() -> None:
    assert [index_levels(size) for size in (1e6, 10 * GIGABYTE, 1e6 * GIGABYTE)] == [1, 2, 4]
