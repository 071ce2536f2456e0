"""Calls to a cluster's services by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rowstone import _native


class Asking:
    """Calls methods of a cluster's services: the base of all other parts of `Admin`."""

    def __init__(self, native: _native.ClusterAdmin) -> None:
        self._cluster = native

    def ask(
        self, service: str, method: str, request: Mapping[str, Any] | None = None, *, server: str | None = None
    ) -> dict[str, Any]:
        """Call a method of a service that has no method here, such as ``ask("MasterService", "GetLocks")``.

        Request and answer have the fields of the messages in ``crates/rpc/proto/operate``: bytes are base64 text, enum
        values are their names. If the call starts a procedure, it returns when the procedure has ended.

        Args:
            service: ``MasterService``, ``HbckService``, ``AdminService``, ``RSGroupAdminService``,
                ``VisibilityLabelsService`` or ``AuthenticationService``.
            server: ``"host,port,startcode"``, the region server to call for ``AdminService``.

        Raises:
            InvalidArgument: There is no such method, or the request does not fit it.
            RemoteError: The cluster answered with an error.
            UnsupportedOperation: The database is not a cluster.
        """
        return self._asked(service, method, dict(request or {}), server)

    def _master(self, method: str, **request: Any) -> dict[str, Any]:
        return self._asked("MasterService", method, request, None)

    def _server(self, server: str, method: str, **request: Any) -> dict[str, Any]:
        return self._asked("AdminService", method, request, server)

    def _asked(self, service: str, method: str, request: dict[str, Any], server: str | None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._cluster.ask(service, method, server, json.dumps(request)))
        return answer
