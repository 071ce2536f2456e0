"""The gateways of a server: what it serves beside HBase's RPC, each on a port of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rowstone._base.acting import MayActFor
    from rowstone._server.serve import Server, ServerTls
    from rowstone.security._gateway_users import GatewayUsers


class Gateway(Protocol):
    """A gateway at work."""

    @property
    def port(self) -> int:
        """Where it listens."""

    def stop(self) -> None:
        """Ends its connections; the database stays open."""


@dataclass(frozen=True)
class Surroundings:
    """What a gateway is told of its server."""

    server: Server
    host: str
    here: tuple[str, int]
    """Host and port of the RPC."""
    tls: ServerTls | None
    users: GatewayUsers | None
    """Who may come; without them whoever comes is the server's own user."""
    may_act_for: MayActFor | None
    """Whether one of them may act for another."""
    allowed_hosts: tuple[str, ...] = ()
    """Names by which requests of HTTP may call it, beside those of loopback."""

    def access(self) -> dict[str, Any]:
        """What every gateway is told of its users. That it may listen there was agreed to by the server."""
        given: dict[str, Any] = {"allowed_hosts": self.allowed_hosts, "insecure": True}
        if self.users is not None:
            given |= {"authenticate": self.users.authenticate, "groups_of": self.users.groups_of}
        return given


def _thrift(version: int) -> Callable[[Surroundings, int], Gateway]:
    def make(around: Surroundings, port: int) -> Gateway:
        from rowstone import thrift

        return thrift.serve(
            around.server.database,
            version=version,
            host=around.host,
            port=port,
            tls=around.tls,
            may_act_for=around.may_act_for,
            region_server=around.here,
            server=around.server,
            **around.access(),
        )

    return make


def _rest(around: Surroundings, port: int) -> Gateway:
    from rowstone import rest

    return rest.serve(
        around.server.database,
        host=around.host,
        port=port,
        tls=around.tls,
        may_act_for=around.may_act_for,
        region_server=around.here,
        **around.access(),
    )


def _info(around: Surroundings, port: int) -> Gateway:
    from rowstone import sight

    server, given = around.server, around.access()
    if around.users is not None:
        ask = around.users.authenticate
        given["authenticate"] = lambda header: ask(_Request({"authorization": header}))
    return sight.serve(server.database, server, host=around.host, port=port, tls=around.tls, **given)


@dataclass(frozen=True)
class _Request:
    """What is known of a request of which only one header is."""

    headers: Mapping[str, str]


_MAKERS: dict[str, Callable[[Surroundings, int], Gateway]] = {
    "thrift": _thrift(1),
    "thrift2": _thrift(2),
    "rest": _rest,
    "info": _info,
}
"""By name. Where they may listen was looked at before: the RPC listens there, too."""


class Gateways:
    """Those of one server, by their names."""

    def __init__(self) -> None:
        self._running: dict[str, Gateway] = {}

    def start(self, around: Surroundings, ports: Mapping[str, int | None]) -> None:
        """Begins with those that have a port; where one cannot be had, those before it go on until `stop`."""
        for name, port in ports.items():
            if port is not None:
                self._running[name] = _MAKERS[name](around, port)

    def port(self, name: str) -> int | None:
        """Where a gateway listens; None for one that there is not."""
        return self._running[name].port if name in self._running else None

    def stop(self) -> None:
        """Ends all of them."""
        while self._running:
            self._running.popitem()[1].stop()
