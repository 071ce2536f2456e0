"""Distribution of values between two points in time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Buckets = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Distribution:
    """Values by bucket.

    Attributes:
        buckets: Lower bound, lower bound of the next bucket, and count; ascending, without empty buckets.
        sum: Sum of all values.

    >>> calls = Distribution(((100, 110, 3), (200, 220, 1)), 520)
    >>> calls.count, calls.mean, calls.low, calls.high
    (4, 130.0, 100, 220)
    """

    buckets: Buckets = ()
    sum: int = 0

    @property
    def count(self) -> int:
        """Number of values."""
        return sum(count for _, _, count in self.buckets)

    @property
    def mean(self) -> float:
        """Mean of the values; 0 if there are none."""
        return self.sum / self.count if self.buckets else 0.0

    @property
    def low(self) -> int:
        """Minimum, rounded down to its bucket's bound; 0 if there are none."""
        return self.buckets[0][0] if self.buckets else 0

    @property
    def high(self) -> int:
        """Maximum, rounded up to its bucket's bound; 0 if there are none."""
        return self.buckets[-1][1] if self.buckets else 0

    def percentile(self, percent: float) -> float:
        """The value below which this percentage lies, assuming an even spread within each bucket.

        >>> Distribution(((0, 1, 0), (10, 20, 10))).percentile(50)
        15.0
        """
        wanted = self.count * percent / 100
        for low, high, count in self.buckets:
            if wanted <= count and count:
                return low + (high - low) * wanted / count
            wanted -= count
        return float(self.high)

    def below(self, bound: float) -> int:
        """Number of values below ``bound``; a bucket that contains it counts proportionally.

        >>> Distribution(((10, 20, 10), (100, 200, 4))).below(15)
        5
        """
        found = 0.0
        for low, high, count in self.buckets:
            found += count * min(max((bound - low) / (high - low), 0.0), 1.0)
        return int(found)

    def __sub__(self, earlier: Distribution) -> Distribution:
        before = {low: count for low, _, count in earlier.buckets}
        left = ((low, high, count - before.get(low, 0)) for low, high, count in self.buckets)
        return Distribution(tuple(bucket for bucket in left if bucket[2] > 0), max(self.sum - earlier.sum, 0))


def together(parts: Iterable[Distribution]) -> Distribution:
    """Merge several distributions.

    >>> together([Distribution(((1, 2, 1),), 1), Distribution(((1, 2, 2), (5, 6, 1)), 7)])
    Distribution(buckets=((1, 2, 3), (5, 6, 1)), sum=8)
    """
    counts: dict[tuple[int, int], int] = {}
    total = 0
    for part in parts:
        total += part.sum
        for low, high, count in part.buckets:
            counts[low, high] = counts.get((low, high), 0) + count
    return Distribution(tuple((low, high, count) for (low, high), count in sorted(counts.items())), total)
