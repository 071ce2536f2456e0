"""State of a call: the user, that user's view of the database, and the gateway's scanners."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rowstone.errors import InvalidName

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone._core.table import Table
    from rowstone.server.serve import Server
    from rowstone.server.thrift._scanners import Scanners


_NO_SPAN: AbstractContextManager[Any] = nullcontext()
HERE = ("localhost", 0)
"""Reported location of a directory's regions that no server serves."""


@dataclass(frozen=True)
class Session:
    """One user's connection, or one HTTP request.

    Attributes:
        database: The user's view of the database.
        user: The user's name, or None if the gateway does not authenticate.
        scanners: Open scanners of the whole gateway.
        region_server: Host and port reported as the location of a directory's regions.
        headers: Headers of the HTTP request, by lower-case name.
        server: The RPC server of a directory, which stores slow calls.
    """

    database: Database
    user: str | None
    scanners: Scanners
    region_server: tuple[str, int] = HERE
    headers: Mapping[str, str] = field(default_factory=dict)
    server: Server | None = None

    def span(self, service: str, method: str) -> AbstractContextManager[Any]:
        """The span around a call, if tracing is on."""
        tracing = self.database._tracing
        if tracing is None:
            return _NO_SPAN
        attributes = {"rpc.system": "apache_thrift", "rpc.service": service, "rpc.method": method}
        return tracing.served(f"{service}/{method}", attributes, self.headers)

    def table(self, name: bytes) -> Table:
        """Open a table by name. Raises `TableNotFound`, `InvalidName`."""
        return self.database.table(table_name(name))

    def server_of(self, place: str | None) -> tuple[str, int, int]:
        """Host, port and start code of a region's server; a cluster reports ``"host,port,startcode"``."""
        if place is None:
            return (*self.region_server, 0)
        host, port, start_code = place.split(",")
        return host, int(port), int(start_code)


def table_name(name: bytes) -> str:
    """Decode a table name to text."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        raise InvalidName(f"{name!r} is no name of a table") from None


def cluster_id(database: Database) -> str:
    """The cluster's id, or the UUID stored in a directory."""
    own = database._native.id
    return database.admin.servers.status().cluster_id if own is None else own
