"""Metrics of a database and its server at one point in time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rowstone.server.dashboard._distribution import Distribution, together

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone.server.serve import Server


@dataclass(frozen=True)
class Calls:
    """Call statistics of a server since it started; times are in nanoseconds.

    Attributes:
        methods: Latency by method. series: Other histograms by name, such as ``queue``, ``put_batch``, ``request``.
        failures: Counts by Java class. slow: Calls of more than a second, by the name of their histogram.
        numbers: ``open_connections``, ``calls_in_flight``, … : see ``Measured`` of the crate ``rowstone-rpc``.
    """

    methods: Mapping[str, Distribution] = field(default_factory=dict)
    series: Mapping[str, Distribution] = field(default_factory=dict)
    failures: Mapping[str, int] = field(default_factory=dict)
    slow: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)

    def times(self, *names: str) -> Distribution:
        """These histograms merged; names of methods are capitalized."""
        return together(
            self.methods.get(name, Distribution()) if name[0].isupper() else self.series.get(name, Distribution())
            for name in names
        )

    def of(self, method: str) -> int:
        """Number of calls of a method."""
        return self.methods.get(method, Distribution()).count

    @property
    def all(self) -> Distribution:
        """Latency of all calls."""
        return together(self.methods.values())


@dataclass(frozen=True)
class Figures:
    """Metrics at one point in time.

    Attributes:
        seconds: Time by a monotonic clock. stats: `Metrics.stats`. calls: None without a server.
    """

    seconds: float
    stats: Mapping[str, int]
    calls: Calls | None

    @property
    def rows(self) -> int:
        """Rows read and written in all regions since they were opened."""
        return self.stats.get("read_requests", 0) + self.stats.get("write_requests", 0)


def figures_of(database: Database, server: Server | None, seconds: float | None = None) -> Figures:
    """Collect the current metrics."""
    now = time.monotonic() if seconds is None else seconds
    # Not by `Database.admin`, which would import the module at start just for this.
    return Figures(
        now, database._native.admin().statistics(None), None if server is None else calls_of(server._native.measured())
    )


def calls_of(measured: Mapping[str, Mapping[str, Any]]) -> Calls:
    """Convert the binding's result to our types."""

    def read(found: Mapping[str, Any]) -> dict[str, Distribution]:
        return {name: Distribution(tuple(buckets), total) for name, (buckets, total) in found.items()}

    rest = {name: measured[name] for name in ("failures", "slow", "numbers")}
    return Calls(read(measured["methods"]), read(measured["series"]), **rest)
