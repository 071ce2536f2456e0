"""Definition of a metric: its HBase bean and name, and its value here, or the reason it is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from rowstone.server.dashboard._distribution import Distribution
from rowstone.server.dashboard._figures import Calls, Figures
from rowstone.server.dashboard._history import per_second


class Kind(StrEnum):
    """Type of a metric."""

    GAUGE = "gauge"
    COUNTER = "counter"
    TIMES = "histogram of times"
    SIZES = "histogram of sizes"


@dataclass(frozen=True)
class MetricInput:
    """Input of metrics: current metrics, those of ten seconds ago, and sums over all stores."""

    now: Figures
    before: Figures
    stores: dict[str, int]

    @property
    def calls(self) -> Calls:
        """The server's call statistics; None without a server."""
        return self.now.calls or Calls()

    @property
    def seconds(self) -> float:
        """Seconds between the two samples."""
        return self.now.seconds - self.before.seconds

    def rate(self, name: str) -> float:
        """Rate of a number in `Metrics.stats`, per second."""
        return per_second(self.now.stats.get(name, 0), self.before.stats.get(name, 0), self.seconds)

    def recent(self, *names: str) -> tuple[Distribution, Distribution]:
        """Merged histograms of calls: the total, and the recent part."""
        now = self.calls.times(*names)
        return now, now - (self.before.calls or Calls()).times(*names)


Histogram = tuple[Distribution, Distribution]
Source = Callable[[MetricInput], float] | Callable[[MetricInput], Histogram]


@dataclass(frozen=True)
class Metric:
    """A metric of HBase.

    Attributes:
        bean: Such as ``RegionServer,sub=Server``. name: HBase's.
        says: Meaning of the number here; for a metric without a source, why it is missing.
        needs_server: Whether it counts calls, which requires a server.
    """

    bean: str
    name: str
    kind: Kind
    source: Source | None
    says: str
    needs_server: bool = False


def gauge(bean: str, name: str, source: Callable[[MetricInput], float], says: str, *, served: bool = False) -> Metric:
    """A number that goes up and down."""
    return Metric(bean, name, Kind.GAUGE, source, says, served)


def counter(bean: str, name: str, source: Callable[[MetricInput], float], says: str, *, served: bool = False) -> Metric:
    """A number that only grows."""
    return Metric(bean, name, Kind.COUNTER, source, says, served)


def times(bean: str, name: str, says: str, *names: str) -> Metric:
    """A histogram of call latency, in milliseconds."""
    return Metric(bean, name, Kind.TIMES, lambda data: data.recent(*names), says, True)


def sizes(bean: str, name: str, says: str, *names: str) -> Metric:
    """A histogram of bytes."""
    return Metric(bean, name, Kind.SIZES, lambda data: data.recent(*names), says, True)


def missing(bean: str, names: str, reason: str) -> list[Metric]:
    """Metrics that are missing for one common reason; ``names`` are separated by spaces."""
    return [Metric(bean, name, Kind.GAUGE, None, reason) for name in names.split()]
