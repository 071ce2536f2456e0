"""The simulator of large tables agrees with what loads showed, and with itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from benches.scale.predict import index_levels, measures

PAGE = Path(__file__).parents[2] / "docs/explanation/performance.md"
GIGABYTE = 1 << 30


def measured(name: str) -> list[float]:
    """The row of the table of measured loads, for Rowstone."""
    table = PAGE.read_text().partition("<!-- scale -->")[2].partition("<!-- /scale -->")[0]
    row = re.search(rf"^\| {re.escape(name)} \| (.*) \|$", table, re.MULTILINE)
    assert row is not None
    return [float(cell.replace(",", "")) for cell in row[1].split(" | ")[:3]]


@pytest.mark.parametrize("index", range(3))
def test_prediction_agrees_with_measurement(index: int) -> None:
    predicted = measures(10 ** (7 + index), seed=1)
    written = float(predicted["bytes written per byte of cells"])
    assert written == pytest.approx(measured("bytes written per byte of cells")[index], rel=0.25)
    assert abs(int(predicted["files"]) - measured("files")[index]) <= 2


def test_an_index_gains_a_level_when_its_root_is_full() -> None:
    assert [index_levels(size) for size in (1e6, 10 * GIGABYTE, 1e6 * GIGABYTE)] == [1, 2, 4]
