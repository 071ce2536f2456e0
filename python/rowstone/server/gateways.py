"""Gateways of a server: Thrift, REST and the dashboard, each on its own port next to HBase's RPC."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rowstone.server.acting import MayActFor
    from rowstone.server.listening import ServerTls
    from rowstone.server.options import GatewayPorts
    from rowstone.server.security._users import GatewayUsers
    from rowstone.server.serve import Server


class Gateway(Protocol):
    """A running gateway."""

    @property
    def port(self) -> int:
        """The port that it listens on."""

    def stop(self) -> None:
        """Close its connections. The database stays open."""


@dataclass(frozen=True)
class Surroundings:
    """Context that a gateway gets from its server."""

    server: Server
    host: str
    here: tuple[str, int]
    """Host and port of the RPC."""
    tls: ServerTls | None
    users: GatewayUsers | None
    """Users that may log in. None: every client has the permissions of the server's own user."""
    may_act_for: MayActFor | None
    """Decides whether one user may act for another (`doAs`)."""
    allowed_hosts: tuple[str, ...]
    """Allowed `Host` names of HTTP requests, in addition to those of loopback."""
    options: GatewayPorts

    def access(self) -> dict[str, Any]:
        """Return the arguments about users that all gateways take. The server has already checked the address."""
        given: dict[str, Any] = {"allowed_hosts": self.allowed_hosts, "insecure": True}
        if self.users is not None:
            given |= {"authenticate": self.users.authenticate, "groups_of": self.users.groups_of}
        return given


def _thrift(version: int) -> Callable[[Surroundings, int], Gateway]:
    def make(around: Surroundings, port: int) -> Gateway:
        from rowstone.server import thrift

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
    from rowstone.server import rest

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
    from rowstone.server import dashboard

    server, given = around.server, {**around.access(), "data": bool(around.options.get("info_data"))}
    if around.users is not None:
        ask = around.users.authenticate
        given["authenticate"] = lambda header: ask(_Request({"authorization": header}))
    return dashboard.serve(server.database, server, host=around.host, port=port, tls=around.tls, **given)


@dataclass(frozen=True)
class _Request:
    """A request of which only one header is known."""

    headers: Mapping[str, str]


_MAKERS: dict[str, Callable[[Surroundings, int], Gateway]] = {
    "thrift_port": _thrift(1),
    "thrift2_port": _thrift(2),
    "rest_port": _rest,
    "info_port": _info,
}
"""Factories by the name of their option. The address was checked before, because the RPC listens on it too."""


class Gateways:
    """The running gateways of one server, by the names of their options, such as ``rest_port``."""

    def __init__(self) -> None:
        self._running: dict[str, Gateway] = {}

    def start(self, around: Surroundings) -> None:
        """Start the gateways that have a port. If a port is not available, those already started run until `stop`."""
        ports: Mapping[str, Any] = around.options
        for name, make in _MAKERS.items():
            if ports.get(name) is not None:
                self._running[name] = make(around, ports[name])

    def port(self, name: str) -> int | None:
        """Return the port of a gateway, or None if it does not run."""
        return self._running[name].port if name in self._running else None

    def stop(self) -> None:
        """Stop all of them."""
        while self._running:
            self._running.popitem()[1].stop()
