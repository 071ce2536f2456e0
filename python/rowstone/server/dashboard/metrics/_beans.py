"""Metrics grouped into HBase's beans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone.server.dashboard.metrics import _places, _table
from rowstone.server.dashboard.metrics._metric import MetricInput
from rowstone.server.dashboard.metrics._values import Value, values_of

if TYPE_CHECKING:
    from rowstone._base.stores import StoreReport
    from rowstone.server.dashboard._site import Site

_SUMMED = ("index_bytes", "bloom_bytes", "flushed_bytes", "compacted_bytes", "compacted_input_bytes")


@dataclass(frozen=True)
class Bean:
    """A group of metrics under one name.

    Attributes:
        name: Such as ``RegionServer,sub=Server``.
    """

    name: str
    values: list[Value]

    @property
    def context(self) -> str:
        """HBase's word for the type of process."""
        return self.name.partition(",")[0].lower()

    @property
    def record(self) -> str:
        """Prefix of the names in Prometheus. Source: the names of HBase's metrics records."""
        process, _, sub = self.name.partition(",sub=")
        return process if sub == "IPC" else sub


def beans_of(site: Site) -> Iterator[Bean]:
    """All beans with their current values; empty beans are left out."""
    stores = site.database.admin.metrics.stores()
    data = MetricInput(*site.history.now(), _sums(stores))
    by_bean: dict[str, list[Value]] = {}
    for metric in _table.METRICS:
        by_bean.setdefault(metric.bean, []).extend(values_of(metric, data))
    by_bean["RegionServer,sub=Tables"] = list(_places.of_tables(stores))
    by_bean["RegionServer,sub=Regions"] = list(_places.of_regions(stores))
    return (Bean(name, values) for name, values in by_bean.items() if values)


def _sums(stores: StoreReport) -> dict[str, int]:
    found = {name: sum(getattr(one, name) or 0 for one in stores) for name in _SUMMED}
    return {**found, "stores_to_compact": sum(bool(one.compaction_debt_bytes) for one in stores)}
