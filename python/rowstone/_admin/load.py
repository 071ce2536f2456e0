"""Load of servers and regions, from their last reports."""

from __future__ import annotations

from typing import Any

from rowstone._admin.asking import Asking
from rowstone._admin.messages import server_text, unpacked


class Load(Asking):
    """Numbers from HBase's messages; values that a server did not report are left out."""

    def server_loads(self) -> dict[str, dict[str, Any]]:
        """Return each server's report: ``number_of_requests``, ``used_heap_mb``, ``region_loads`` and the like.

        The fields are those of ``crates/rpc/proto/operate/load.proto``. Source: ``ClusterMetrics``.
        """
        report = self._master("GetClusterStatus")["cluster_status"]
        found = {server_text(one["server"]): one["server_load"] for one in report.get("live_servers", [])}
        return dict(sorted(found.items()))

    def region_loads(self) -> dict[bytes, dict[str, Any]]:
        """Return each region's report, by region name: ``storefile_size_mb``, ``read_requests_count`` and the like.

        Source: HBase's ``RegionMetrics``.
        """
        loads = [load for server in self.server_loads().values() for load in server.get("region_loads", [])]
        return {unpacked(load["region_specifier"]["value"]): load for load in loads}
