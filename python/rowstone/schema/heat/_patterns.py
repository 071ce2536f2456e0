"""Detection of patterns in a heat map.

| pattern | observation | meaning |
|---|---|---|
| sequential | the range moves with time, and is narrow at any moment | one region after the other gets all requests |
| hot range | an adjacent eighth of the ranges has more than half | one region has most of the work |
| even | no range has more than three times its share | regions share the work |
| uneven | none of these | |
| periodic | the number of requests rises and falls at regular intervals | |

One of three ranges is hot from two thirds on, one of two from three quarters on. A range with all requests is hot.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone.schema.heat._labels import label

if TYPE_CHECKING:
    from rowstone.schema.heat._side import Side

LEAST_ROWS = 100
"""With fewer rows than these, no pattern is reported."""
LEAST_SAMPLES = 24
"""With fewer sampled rows of more, no pattern is reported: as many as there are key ranges."""
REMEDIES = {
    "sequential": "start the key with a field that differs between writers, or with a salt",
    "hot range": "split there, or distribute those keys with a salt; a single row needs a cache, or several rows",
    "periodic": "plan flushes and compactions for the quiet hours",
}
"""Remedies by the name of the pattern. A pattern is not necessarily a problem."""
_MOVES = 0.9
_HOT = 0.5
_EVEN = 3.0
_RHYTHM = 0.5
_KEY_WIDTH = 48


@dataclass(frozen=True)
class Pattern:
    """A pattern and the observation."""

    name: str
    message: str

    @property
    def remedy(self) -> str:
        """The usual remedy; empty if there is nothing to do."""
        return REMEDIES.get(self.name, "")

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"


def of(side: Side) -> Iterator[Pattern]:
    """The patterns of reads or writes; none with too few rows."""
    if side.total < LEAST_ROWS or (side.is_sample and side.sampled < LEAST_SAMPLES):
        return
    yield _sequential(side) or _hot(side) or _spread(side)
    if (rhythm := _periodic(side)) is not None:
        yield rhythm


def _sequential(side: Side) -> Pattern | None:
    """Whether the median of the requests moves in one direction, and the range is narrow at any moment."""
    middles, widths, weights = [], [], []
    for line in side.cells:
        total = sum(line)
        middle = sum(place * weight for place, weight in enumerate(line)) / total
        spread = sum(weight * (place - middle) ** 2 for place, weight in enumerate(line)) / total
        middles.append(middle)
        widths.append(math.sqrt(spread))
        weights.append(total)
    if len(middles) < 4 or max(middles) - min(middles) < 0.4 * _used(side):
        return None
    moved = _correlation(side.slots, middles, weights)
    narrow = sum(width * weight for width, weight in zip(widths, weights, strict=True)) / sum(weights)
    if abs(moved) < _MOVES or narrow > 0.15 * _used(side):
        return None
    direction = "up" if moved > 0 else "down"
    return Pattern("sequential", f"keys go {direction} with time: at any moment one region takes everything")


def _used(side: Side) -> int:
    """From the first non-empty range to the last."""
    sums = _by_range(side)
    used = [place for place, total in enumerate(sums) if total]
    return used[-1] - used[0] + 1


def _by_range(side: Side) -> list[float]:
    return [sum(column) for column in zip(*side.cells, strict=True)]


def _hot(side: Side) -> Pattern | None:
    """The adjacent ranges, an eighth of all seen, with most of the work; they are hot with more than half of it."""
    sums = _by_range(side)
    seen = [place for place, start in enumerate(side.starts) if start]
    length = max(1, len(seen) // 8)
    runs = [seen[first : first + length] for first in range(len(seen) - length + 1)]
    best = max(runs, key=lambda run: sum(sums[place] for place in run))
    share = sum(sums[place] for place in best) / sum(sums)
    # One of two ranges always has half. A few ranges are hot halfway between their fair share and everything.
    limit = _HOT if len(seen) >= 4 else (1 + 1 / len(seen)) / 2
    if share <= limit and len(seen) > 1:
        return None
    after = seen.index(best[-1]) + 1
    until = f"before {_show(side.starts[seen[after]])}" if after < len(seen) else "on"
    return Pattern("hot range", f"{_percent(share)} go to keys from {_show(side.starts[best[0]])} {until}")


def _spread(side: Side) -> Pattern:
    sums = [total for total, start in zip(_by_range(side), side.starts, strict=True) if start]
    most = max(sums) * len(sums) / sum(sums)
    if most <= _EVEN:
        return Pattern("even", f"no range of keys has more than {most:.1f} times its share")
    return Pattern("uneven", f"one range of keys has {most:.1f} times its share")


def _periodic(side: Side) -> Pattern | None:
    """The period of the totals by time, if they repeat themselves over three periods."""
    width = side.windows[0].width_ms
    totals = [0.0] * (side.slots[-1] + 1)
    for slot, window in zip(side.slots, side.windows, strict=True):
        totals[slot] += window.total
    if len(totals) > 1:
        # The window may be incomplete.
        totals.pop()
    if len(totals) < 9:
        return None
    likeness = {lag: _likeness(totals, lag) for lag in range(2, len(totals) // 3 + 1)}
    lag = max(likeness, key=lambda lag: (round(likeness[lag], 2), -lag))
    if likeness[lag] < _RHYTHM or _likeness(totals, lag) <= _likeness(totals, 1):
        return None
    return Pattern("periodic", f"every {time_text(lag * width)}")


def _likeness(totals: Sequence[float], lag: int) -> float:
    """The autocorrelation at a lag, from -1 to 1."""
    mean = sum(totals) / len(totals)
    variance = sum((total - mean) ** 2 for total in totals) / len(totals)
    # A series that hardly varies has no period.
    if variance <= (0.2 * mean) ** 2:
        return 0.0
    pairs = list(zip(totals, totals[lag:], strict=False))
    return sum((one - mean) * (other - mean) for one, other in pairs) / len(pairs) / variance


def _correlation(xs: Sequence[float], ys: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(weights)
    mean_x = sum(x * weight for x, weight in zip(xs, weights, strict=True)) / total
    mean_y = sum(y * weight for y, weight in zip(ys, weights, strict=True)) / total
    triples = list(zip(xs, ys, weights, strict=True))
    covariance = sum(weight * (x - mean_x) * (y - mean_y) for x, y, weight in triples)
    spread = math.sqrt(
        sum(weight * (x - mean_x) ** 2 for x, _, weight in triples)
        * sum(weight * (y - mean_y) ** 2 for _, y, weight in triples)
    )
    return covariance / spread if spread else 0.0


def _percent(share: float) -> str:
    """A human-readable percentage; anything less than all is less than 100 %.

    >>> _percent(0.75), _percent(0.997), _percent(0.9999), _percent(1.0)
    ('75%', '99.7%', '99.9%', '100%')
    """
    return f"{share:.0%}" if share < 0.99 or share == 1 else f"{min(share, 0.999):.1%}"


def _show(row: bytes) -> str:
    return f"'{label(row, _KEY_WIDTH)}'"


def time_text(milliseconds: float) -> str:
    """A human-readable duration.

    >>> [time_text(ms) for ms in (250, 1_500, 90_000, 7_200_000)]
    ['250 ms', '1.5 s', '1.5 min', '2 h']
    """
    for unit, size in (("h", 3_600_000), ("min", 60_000), ("s", 1_000)):
        if milliseconds >= size:
            return f"{milliseconds / size:g} {unit}"
    return f"{milliseconds:g} ms"
