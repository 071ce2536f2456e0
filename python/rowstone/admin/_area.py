"""Base of the areas of `db.admin`, calls to a cluster's services by name, and names in their JSON messages."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone._core.database import Database


class Area:
    """A part of `db.admin`, on a directory or a cluster.

    ``native`` administers tables and namespaces; ``cluster`` administers regions, snapshots, permissions and quotas, of
    directories, too. Only calls to a server or master by name need a cluster.
    """

    _owner: Database | None = None

    def __init__(self, native: _native.Admin, cluster: _native.ClusterAdmin) -> None:
        self._native = native
        self._cluster = cluster

    def __repr__(self) -> str:
        names = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        return f"<db.admin.{type(self).__name__.lower()}: {names}>"

    def _master(self, method: str, **request: Any) -> dict[str, Any]:
        return self._call_service("MasterService", method, request, None)

    def _server(self, server: str, method: str, **request: Any) -> dict[str, Any]:
        return self._call_service("AdminService", method, request, server)

    def _call_service(self, service: str, method: str, request: dict[str, Any], server: str | None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._cluster.call_service(service, method, server, json.dumps(request)))
        return answer


Message = dict[str, Any]


def packed(value: str | bytes) -> str:
    """Encode bytes, or a text's bytes, as base64."""
    return base64.b64encode(value.encode(errors="surrogateescape") if isinstance(value, str) else value).decode()


def unpacked(text: str) -> bytes:
    """Decode the bytes of a message."""
    return base64.b64decode(text)


def text(value: str) -> str:
    """Decode the bytes of a message as text."""
    return unpacked(value).decode(errors="surrogateescape")


def table(name: str) -> Message:
    """Message of a table's name."""
    namespace, _, qualifier = name.rpartition(":")
    return {"namespace": packed(namespace or "default"), "qualifier": packed(qualifier)}


def table_text(message: Message) -> str:
    """Return a table's name from its message, without the default namespace."""
    namespace, qualifier = text(message["namespace"]), text(message["qualifier"])
    return qualifier if namespace == "default" else f"{namespace}:{qualifier}"


def server(name: str) -> Message:
    """Message of a server, ``host,port,startcode``; the last two may be omitted. Raises `InvalidArgument`."""
    parts = name.replace(":", ",").split(",")
    try:
        numbers = [int(part) for part in parts[1:]]
    except ValueError:
        raise InvalidArgument(f"server {name!r} is not written as host,port,startcode") from None
    return {"host_name": parts[0], **dict(zip(("port", "start_code"), numbers, strict=False))}


def servers(names: Iterable[str]) -> list[Message]:
    """Messages of several servers."""
    return [server(name) for name in names]


def server_text(message: Message) -> str:
    """Return ``host,port,startcode`` of a server's message."""
    return f"{message['host_name']},{message.get('port', 0)},{message.get('start_code', 0)}"


def region(name: str | bytes) -> Message:
    """Message of a region, from its full or its encoded name."""
    data = name.encode(errors="surrogateescape") if isinstance(name, str) else name
    return {"type": "REGION_NAME" if b"," in data else "ENCODED_REGION_NAME", "value": packed(data)}


def pairs(settings: dict[str, str]) -> list[Message]:
    """Messages of settings."""
    return [{"name": name, "value": value} for name, value in settings.items()]


def settings(messages: list[Message]) -> dict[str, str]:
    """Settings of their messages, sorted by name."""
    return dict(sorted((message["name"], message["value"]) for message in messages))
