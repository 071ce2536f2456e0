"""What a metric is: its place and name in HBase, and where its value comes from here, or why it has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from rowstone.sight._distribution import Distribution
from rowstone.sight._figures import Calls, Figures
from rowstone.sight._history import per_second


class Kind(StrEnum):
    """How a metric is written."""

    GAUGE = "gauge"
    COUNTER = "counter"
    TIMES = "histogram of times"
    SIZES = "histogram of sizes"


@dataclass(frozen=True)
class Look:
    """What metrics are computed from: the figures of now, those of ten seconds ago, and sums over all stores."""

    now: Figures
    before: Figures
    stores: dict[str, int]

    @property
    def calls(self) -> Calls:
        """What the server counted; nothing without a server."""
        return self.now.calls or Calls()

    @property
    def seconds(self) -> float:
        """The time between the two."""
        return self.now.seconds - self.before.seconds

    def rate(self, name: str) -> float:
        """How fast a number of `Admin.stats` grew, per second."""
        return per_second(self.now.stats.get(name, 0), self.before.stats.get(name, 0), self.seconds)

    def recent(self, *names: str) -> tuple[Distribution, Distribution]:
        """Histograms of calls, added up: all that was counted, and what came of late."""
        now = self.calls.times(*names)
        return now, now - (self.before.calls or Calls()).times(*names)


Histogram = tuple[Distribution, Distribution]
Source = Callable[[Look], float] | Callable[[Look], Histogram]


@dataclass(frozen=True)
class Metric:
    """A metric of HBase.

    Attributes:
        bean: Such as ``RegionServer,sub=Server``. name: HBase's.
        says: What the number is here; of one without a source, why it is missing.
        needs_server: Whether it counts calls, which only a server takes.
    """

    bean: str
    name: str
    kind: Kind
    source: Source | None
    says: str
    needs_server: bool = False


def gauge(bean: str, name: str, source: Callable[[Look], float], says: str, *, served: bool = False) -> Metric:
    """A number that goes up and down."""
    return Metric(bean, name, Kind.GAUGE, source, says, served)


def counter(bean: str, name: str, source: Callable[[Look], float], says: str, *, served: bool = False) -> Metric:
    """A number that grows."""
    return Metric(bean, name, Kind.COUNTER, source, says, served)


def times(bean: str, name: str, says: str, *names: str) -> Metric:
    """A histogram of these histograms of calls, in milliseconds."""
    return Metric(bean, name, Kind.TIMES, lambda look: look.recent(*names), says, True)


def sizes(bean: str, name: str, says: str, *names: str) -> Metric:
    """A histogram of bytes."""
    return Metric(bean, name, Kind.SIZES, lambda look: look.recent(*names), says, True)


def missing(bean: str, names: str, reason: str) -> list[Metric]:
    """Metrics that are not there, all for one reason; ``names`` are separated by blanks."""
    return [Metric(bean, name, Kind.GAUGE, None, reason) for name in names.split()]
