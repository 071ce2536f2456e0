"""Candidates for hot keys: rows that occur often in a heat map's sample."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.schema.heat._side import Side

LEAST_SAMPLES = 3
"""A key that was sampled less often may have been sampled by chance."""
_LEAST_SHARE = 0.05
_LEAST_MULTIPLE = 3.0
_MOST_KEYS = 10


@dataclass(frozen=True)
class HotKey:
    """A row key, cut at 40 bytes, with its estimated number of requests and its share of all."""

    row: bytes
    total: float
    share: float


def of(side: Side) -> tuple[HotKey, ...]:
    """Keys with at least 5 % of the requests and three times an even share, the hottest first, at most ten.

    Three times the share of one of few keys would be more than everything. There the limit is halfway between an even
    share and everything, as for hot ranges.
    """
    weights: defaultdict[bytes, float] = defaultdict(float)
    samples = Counter[bytes]()
    for window in side.windows:
        for row, weight in window.rows:
            weights[row] += weight
            samples[row] += 1
    whole = sum(weights.values()) or 1
    keys = [HotKey(row, total, total / whole) for row, total in weights.items() if samples[row] >= LEAST_SAMPLES]
    ordered = sorted(keys, key=lambda key: (-key.total, key.row))
    even = 1 / len(weights) if weights else 1.0
    limit = max(_LEAST_SHARE, min(_LEAST_MULTIPLE * even, (1 + even) / 2))
    return tuple(key for key in ordered if key.share >= limit)[:_MOST_KEYS]
