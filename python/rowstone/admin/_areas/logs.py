"""Recent events that servers remember: slow and large calls, decisions of the balancer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rowstone._base.options.checks import as_list
from rowstone.admin._area import Area, packed, unpacked

_PROTOS = "org.apache.hadoop.hbase.shaded.protobuf.generated"
_FILTERS = {
    "REGION_NAME": "region_name", "TABLE_NAME": "table_name", "CLIENT_IP": "client_address", "USER": "user_name",
}  # fmt: skip


class Logs(Area):
    """Ring buffers of recent events in the memory of a cluster's servers: ``db.admin.logs``.

    A directory has none: these calls raise `UnsupportedOperation` there.

    Example:
        >>> import rowstone as rs
        >>> with rs.testing.server() as url, rs.connect(url) as db:
        ...     [server] = db.admin.servers.status().servers
        ...     print(db.admin.logs.slow_calls(server.name))
        []
    """

    def slow_calls(
        self, server: str, *, large: bool = False, filters: Mapping[str, str] | None = None, limit: int = 10
    ) -> list[dict[str, Any]]:
        """Return calls that were slow on a server, or with ``large=True`` calls with large answers; newest first.

        Args:
            filters: Values required of ``REGION_NAME``, ``TABLE_NAME``, ``CLIENT_IP``, ``USER``; ``FILTER_BY_OP`` is
                ``AND`` or ``OR``, the default.

        Source: HBase's ``Admin.getLogEntries``.
        """
        given = dict(filters or {})
        request: dict[str, Any] = {"limit": limit, "log_type": "LARGE_LOG" if large else "SLOW_LOG"}
        request["filter_by_operator"] = given.pop("FILTER_BY_OP", "OR")
        request.update({_FILTERS[name]: value for name, value in given.items()})
        message = self._encoded("SlowLogRequest", request)
        kind = f"{_PROTOS}.AdminProtos$SlowLogResponseRequest"
        answer = self._server(server, "GetLogEntries", log_class_name=kind, log_message=message)
        calls: list[dict[str, Any]] = self._read("SlowCalls", answer["log_message"]).get("calls", [])
        return calls

    def clear_slow_calls(self, servers: Iterable[str]) -> int:
        """Clear slow and large calls; return on how many servers. Source: HBase's ``Admin.clearSlowLogResponses``."""
        return sum(bool(self._server(name, "ClearSlowLogsResponses")["on"]) for name in as_list("servers", servers))

    def balancer_decisions(self, limit: int = 250) -> list[dict[str, Any]]:
        """Return recent balancer decisions, if ``hbase.master.balancer.decision.buffer.enabled`` is set."""
        return self._balancer("BalancerDecisions", "balancer_decision", limit)

    def balancer_rejections(self, limit: int = 250) -> list[dict[str, Any]]:
        """Return why the balancer did nothing, if ``hbase.master.balancer.rejection.buffer.enabled`` is set."""
        return self._balancer("BalancerRejections", "balancer_rejection", limit)

    def _balancer(self, kind: str, field: str, limit: int) -> list[dict[str, Any]]:
        message = self._encoded("EventsRequest", {"limit": limit})
        name = f"{_PROTOS}.MasterProtos${kind}Request"
        answer = self._master("GetLogEntries", log_class_name=name, log_message=message)
        found: list[dict[str, Any]] = self._read(kind, answer["log_message"]).get(field, [])
        return found

    def _encoded(self, kind: str, message: Mapping[str, Any]) -> str:
        return packed(self._cluster.encoded_message(kind, json.dumps(message)))

    def _read(self, kind: str, message: str) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self._cluster.stored_message(kind, unpacked(message)))
        return read
