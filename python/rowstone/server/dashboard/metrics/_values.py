"""Metrics as names and numbers: histograms become HBase's count, minimum, maximum, mean, percentiles and ranges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rowstone.server.dashboard._distribution import Distribution
from rowstone.server.dashboard.metrics._metric import Histogram, Kind, Metric, MetricInput

PERCENTILES = (25, 50, 75, 90, 95, 98, 99, 99.9)
TIME_RANGES = (1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 60000, 120000, 300000, 600000)
"""Milliseconds. Source: HBase's ``MutableTimeHistogram``."""
SIZE_RANGES = (10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000)
"""Bytes. Source: HBase's ``MutableSizeHistogram``."""
_NANOSECONDS = 1_000_000


@dataclass(frozen=True)
class Value:
    """A number with the name that HBase prints."""

    name: str
    number: float
    is_counter: bool
    says: str


def values_of(metric: Metric, data: MetricInput) -> Iterator[Value]:
    """The printed values of a metric; none without a source, or without a server if it needs one."""
    if metric.source is None or (metric.needs_server and data.now.calls is None):
        return
    found = metric.source(data)
    if isinstance(found, tuple):
        yield from _histogram(metric, found)
    else:
        yield Value(metric.name, _plain(found), metric.kind is Kind.COUNTER, metric.says)


def _plain(number: float) -> float:
    """Print whole numbers without a fraction, as HBase does."""
    return int(number) if float(number).is_integer() else number


def _histogram(metric: Metric, found: Histogram) -> Iterator[Value]:
    ever, recent = found
    name = metric.name
    unit = _NANOSECONDS if metric.kind is Kind.TIMES else 1
    yield Value(f"{name}_num_ops", ever.count, True, metric.says)
    numbers: list[tuple[str, float]] = [
        ("min", recent.low // unit),
        ("max", recent.high // unit),
        ("mean", round(recent.mean / unit, 3)),
    ]
    numbers += [(f"{_percent(percent)}_percentile", int(recent.percentile(percent) / unit)) for percent in PERCENTILES]
    yield from (Value(f"{name}_{part}", _plain(number), False, metric.says) for part, number in numbers)
    yield from _ranges(name, recent, metric, unit)


def _percent(percent: float) -> str:
    """HBase's name of a percentile: ``median``, or the number as an ordinal.

    >>> _percent(99.9), _percent(50), _percent(25)
    ('99.9th', 'median', '25th')
    """
    return "median" if percent == 50 else f"{percent:g}th"


def _ranges(name: str, recent: Distribution, metric: Metric, unit: int) -> Iterator[Value]:
    kind, bounds = ("Time", TIME_RANGES) if metric.kind is Kind.TIMES else ("Size", SIZE_RANGES)
    counts = [
        (f"{low}-{high}", recent.below(high * unit) - recent.below(low * unit)) for low, high in pairwise((0, *bounds))
    ]
    counts.append((f"{bounds[-1]}-inf", recent.count - recent.below(bounds[-1] * unit)))
    # As in HBase, empty ranges are left out.
    for label, count in counts:
        if count > 0:
            yield Value(f"{name}_{kind}RangeCount_{label}", count, True, metric.says)
