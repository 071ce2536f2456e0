"""Plot what a read costs in tables of growing size, with its fit, from the tables that `benches.scale` has published.

The fit is a power of the number of cells: a straight line on logarithmic axes. An exponent of 0 is a cost that does not
grow, 1 one that grows with the table.

    python -m benches.scale.growth docs/explanation/performance.md docs/images/growth.svg
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benches.svg import page, text

Costs = Mapping[int, float]
"""Microseconds by number of cells."""

READS = {"get": "green", "get, miss": "blue", "multi-get of 1,000": "violet", "scan of 100 rows": "red"}
PANELS = {"": "256 MiB of block cache", ", page cache in proportion too": "memory in proportion to the table"}
_LEFT, _TOP, _WIDTH, _HEIGHT, _GAP, _BOTTOM = 52, 62, 330, 230, 26, 34
_CELLS, _MICROSECONDS = (7, 9), (-1, 3)
"""The powers of ten of the axes."""


@dataclass(frozen=True)
class Fit:
    """A cost of ``factor`` · cells ^ ``exponent``."""

    factor: float
    exponent: float

    @classmethod
    def of(cls, costs: Costs) -> Fit:
        """The least squares of the logarithms."""
        cells, cost = (list(map(math.log10, numbers)) for numbers in (costs.keys(), costs.values()))
        slope, intercept = statistics.linear_regression(cells, cost)
        return cls(10**intercept, slope)

    def __call__(self, cells: float) -> float:
        return self.factor * cells**self.exponent


def published(document: str) -> dict[str, dict[int, float]]:
    """The costs of each read in the tables of a document; of a size in several tables, the last one."""
    found: dict[str, dict[int, float]] = {}
    sizes: list[int | None] = []
    for line in document.splitlines():
        if not line.startswith("|"):
            sizes = []
            continue
        head, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not head and any(cell.startswith("rowstone, ") for cell in cells):
            matches = [re.fullmatch(r"rowstone, ([\d,]+) cells", cell) for cell in cells]
            sizes = [int(match[1].replace(",", "")) if match else None for match in matches]
        elif (match := re.fullmatch(r"(.+), µs(?: per row)?", head)) and len(cells) == len(sizes):
            for size, cell in zip(sizes, cells, strict=True):
                if size is not None and cell != "–":
                    found.setdefault(match[1], {})[size] = float(cell.replace(",", ""))
    return found


def picture(costs: Mapping[str, Costs]) -> str:
    """A panel for each amount of memory, with a line for each read, and dashed its fit."""
    parts = [text(_LEFT, 18, "Cost of a read as the table grows, µs", weight="bold"), _legend()]
    for column, (suffix, name) in enumerate(PANELS.items()):
        left = _LEFT + column * (_WIDTH + _GAP)
        parts += [text(left, _TOP - 8, name, kind="weak"), *_grid(left, with_axis=column == 0)]
        for read, color in READS.items():
            points = dict(sorted(costs.get(read + suffix, {}).items()))
            if len(points) < 2:
                continue
            fit = Fit.of(points)
            ends = {cells: fit(cells) for cells in (min(points), max(points))}
            parts += [_line(left, points, f"line {color}"), _line(left, ends, f"fit {color}")]
            label = f"n^{fit.exponent:.2f}".replace("-", "−")
            # Gets and multi-gets cost about the same: their labels are on the two sides of their lines.
            side = 15 if read == "get" else -5
            parts.append(text(left + _WIDTH - 2, _y(points[max(points)]) + side, label, anchor="end", kind="weak"))
    width = _LEFT + len(PANELS) * (_WIDTH + _GAP)
    return page(width, _TOP + _HEIGHT + _BOTTOM, "Cost of a read as the table grows", parts)


def _legend() -> str:
    parts, x = [], float(_LEFT)
    for name, color in READS.items():
        parts.append(f'<path class="line {color}" d="M{x} 33h18"/>{text(x + 22, 37, name)}')
        x += 36 + 6.2 * len(name)
    return "".join(parts)


def _grid(left: float, *, with_axis: bool) -> list[str]:
    parts = []
    for power in range(_MICROSECONDS[0], _MICROSECONDS[1] + 1):
        y = _y(10.0**power)
        parts.append(f'<path class="grid" d="M{left} {y:.1f}h{_WIDTH}"/>')
        if with_axis:
            parts.append(text(left - 5, y + 4, f"{10.0**power:g}", anchor="end", kind="weak"))
    for power in range(_CELLS[0], _CELLS[1] + 1):
        label = f"10{''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(digit)] for digit in str(power))}"
        parts.append(text(_x(left, 10.0**power), _TOP + _HEIGHT + 18, label, anchor="middle", kind="weak"))
    return parts


def _line(left: float, points: Costs, kind: str) -> str:
    steps = (f"{_x(left, cells):.1f} {_y(cost):.1f}" for cells, cost in points.items())
    return f'<path class="{kind}" d="M{" L".join(steps)}"/>'


def _x(left: float, cells: float) -> float:
    return left + 12 + (_WIDTH - 24) * (math.log10(cells) - _CELLS[0]) / (_CELLS[1] - _CELLS[0])


def _y(microseconds: float) -> float:
    share = (math.log10(microseconds) - _MICROSECONDS[0]) / (_MICROSECONDS[1] - _MICROSECONDS[0])
    return _TOP + _HEIGHT * (1 - share)


def main() -> None:
    """Write the picture, and print the fits."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("document", type=Path)
    parser.add_argument("picture", type=Path)
    options = parser.parse_args()
    costs = published(options.document.read_text())
    options.picture.write_text(picture(costs))
    for read, points in costs.items():
        if len(points) > 1:
            print(f"{read}: {Fit.of(points).factor:.3g} µs · cells^{Fit.of(points).exponent:.2f}")


if __name__ == "__main__":
    main()
