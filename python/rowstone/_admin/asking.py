"""A cluster's services, asked by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rowstone import _native


class Asking:
    """Calls a method of a cluster's services: what all other parts are made of."""

    def __init__(self, native: _native.ClusterAdmin) -> None:
        self._cluster = native

    def ask(
        self, service: str, method: str, request: Mapping[str, Any] | None = None, *, server: str | None = None
    ) -> dict[str, Any]:
        """The answer of a method that no other call here makes, such as ``ask("MasterService", "GetLocks")``.

        Request and answer have the fields of the texts in ``crates/rpc/proto/operate``: bytes are texts in base64,
        choices their names. Where a procedure is started, it has ended.

        Args:
            service: ``MasterService``, ``HbckService``, ``AdminService``, ``RSGroupAdminService``,
                ``VisibilityLabelsService`` or ``AuthenticationService``.
            server: ``"host,port,startcode"``, the region server that ``AdminService`` is asked of.

        Raises:
            InvalidArgument: There is no such method, or the request is not one of it. RemoteError: What the cluster
                answered. UnsupportedOperation: It is no cluster.
        """
        return self._asked(service, method, dict(request or {}), server)

    def _master(self, method: str, **request: Any) -> dict[str, Any]:
        return self._asked("MasterService", method, request, None)

    def _server(self, server: str, method: str, **request: Any) -> dict[str, Any]:
        return self._asked("AdminService", method, request, server)

    def _asked(self, service: str, method: str, request: dict[str, Any], server: str | None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._cluster.ask(service, method, server, json.dumps(request)))
        return answer
