"""The plot of the growth of a table: its figures and fits."""

from __future__ import annotations

from pathlib import Path

import pytest
from benches.scale.growth import READS, Fit, picture, published

ROOT = Path(__file__).parents[2]
PAGE, PICTURE = ROOT / "docs/explanation/performance.md", ROOT / "docs/images/growth.svg"


def test_a_fit_finds_the_power() -> None:
    fit = Fit.of({10**power: 3 * 10 ** (power / 2) for power in range(2, 7)})
    assert fit.exponent == pytest.approx(0.5)
    assert fit(400) == pytest.approx(60)


def test_tables_are_read_by_size() -> None:
    table = "| | rowstone, 1,000 cells | peer, 1,000 cells | rowstone, 10 cells |\n|---|---|---|---|\n"
    table += "| files | 1 | 2 | 3 |\n| get, µs | 1,234.5 | 7 | – |\n"
    assert published(table) == {"get": {1000: 1234.5}}
    assert published(table + table.replace("1,234.5", "2.5")) == {"get": {1000: 2.5}}


def test_the_picture_shows_the_tables_of_the_page() -> None:
    costs = published(PAGE.read_text())
    assert set(READS) <= costs.keys()
    assert PICTURE.read_text() == picture(costs)
