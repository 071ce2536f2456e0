"""Base of the areas of `db.admin`, and calls to a cluster's services by name."""

from __future__ import annotations

import json
from typing import Any

from rowstone import _native


class Area:
    """A part of `db.admin`, on a directory or a cluster."""

    def __init__(self, native: _native.Admin, cluster: _native.ClusterAdmin) -> None:
        self._native = native
        self._cluster = cluster

    def __repr__(self) -> str:
        names = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        return f"<db.admin.{type(self).__name__.lower()}: {names}>"

    def _master(self, method: str, **request: Any) -> dict[str, Any]:
        return self._asked("MasterService", method, request, None)

    def _server(self, server: str, method: str, **request: Any) -> dict[str, Any]:
        return self._asked("AdminService", method, request, server)

    def _asked(self, service: str, method: str, request: dict[str, Any], server: str | None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._cluster.ask(service, method, server, json.dumps(request)))
        return answer
