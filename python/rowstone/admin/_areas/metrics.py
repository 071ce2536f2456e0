"""Metrics: statistics of the database and its stores, loads of servers and regions, heat maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._base.stores import StoreReport, stores_of
from rowstone.admin._area import Area, server_text, unpacked
from rowstone.admin._memory import MemoryLimits, limits_of

if TYPE_CHECKING:
    from rowstone.schema.heat import HeatMap


class Stats(dict[str, int]):
    """Numbers by name: a `dict` that prints as a table."""

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {value:>15,}" for name, value in self.items())

    def _repr_html_(self) -> str:
        from rowstone._base.html import stats_html

        return stats_html(self)


class Metrics(Area):
    """Metrics: ``db.admin.metrics``. Loads of servers are those of a cluster.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     db.table("t").put("row", {"f:q": "value"})
        ...     db.admin.flush("t")
        ...     print(db.admin.metrics.stats("t")["store_files"], len(db.admin.metrics.stores("t")))
        1 1
    """

    def stats(self, name: str | None = None) -> Stats:
        """Return statistics of a table or of the database: files, bytes, cache hits, open scanners, …"""
        return Stats(self._native.statistics(name))

    def memory_limits(self) -> MemoryLimits:
        """Return the limits of the block cache and of recent writes, the memory that the process may have, and what
        decided each. Raises `UnsupportedOperation` on a cluster."""
        return limits_of(self._native.memory_limits())

    def stores(self, name: str | None = None) -> StoreReport:
        """Return numbers per region and family, of a table or of all: memory, files, indexes, requests, cache, debt.

        On a cluster there is one entry per region, as its server last reported it. Source: HBase's
        ``Admin.getRegionMetrics``. Raises `TableNotFound`.
        """
        return stores_of(self._cluster, self._native.tables(None) if name is None else [name])

    def heat_map(self, name: str) -> HeatMap:
        """Return the heat map of a table: reads and writes by key range and time since the database was opened.

        A handle on a cluster counts its own calls only; `rowstone.schema.heat.watch` reads the servers' counts of all
        clients' calls. On a cluster the table need not exist any more; in a directory raises `TableNotFound`.
        """
        from rowstone.schema.heat._map import heat_map, windows_of

        reads, writes = self._cluster.heat(name)
        return heat_map(name, windows_of(reads), windows_of(writes), is_sample=True)

    def was_used(self, name: str) -> bool:
        """Whether the table was read or written since the database was opened."""
        return any(self._cluster.heat(name))

    def servers(self) -> dict[str, dict[str, Any]]:
        """Return each server's report: ``number_of_requests``, ``used_heap_mb``, ``region_loads`` and the like.

        Only a cluster has it: for a directory use `stats`.
        The fields are those of ``crates/rpc/proto/operate/load.proto``. Source: ``ClusterMetrics``.
        """
        report = self._master("GetClusterStatus")["cluster_status"]
        found = {server_text(one["server"]): one["server_load"] for one in report.get("live_servers", [])}
        return dict(sorted(found.items()))

    def regions(self) -> dict[bytes, dict[str, Any]]:
        """Return each region's report, by region name: ``storefile_size_mb``, ``read_requests_count`` and the like.

        Only a cluster has it: for a directory use `stores`.
        Source: HBase's ``RegionMetrics``.
        """
        loads = [load for server in self.servers().values() for load in server.get("region_loads", [])]
        return {unpacked(load["region_specifier"]["value"]): load for load in loads}
