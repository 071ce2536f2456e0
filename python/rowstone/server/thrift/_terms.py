"""Credentials of a connection, and settings shared by all connections of a gateway."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rowstone.server.acting import GroupsOf, MayActFor, acting_user, is_user_name, view_of
from rowstone.server.http.hosts import Hosts
from rowstone.server.thrift._scanners import Scanners
from rowstone.server.thrift._session import Session

if TYPE_CHECKING:
    import ssl

    from rowstone._core.database import Database
    from rowstone.server.serve import Server


@dataclass(frozen=True)
class Terms:
    """See `rowstone.server.thrift.serve` for the meaning of each setting."""

    database: Database
    version: int
    authenticate: Authenticate | None
    may_act_for: MayActFor | None
    region_server: tuple[str, int]
    scanners: Scanners
    most_bytes: int
    most_connections: int
    patience_s: float
    tls: ssl.SSLContext | None
    server: Server | None
    groups_of: GroupsOf | None
    hosts: Hosts | None

    def session(self, credentials: Credentials) -> Session | None:
        """The session of a client; None if the client is refused. Raises `Forbidden`."""
        user = None
        if self.authenticate is not None:
            user = self.authenticate(credentials)
            if user is None or not is_user_name(user):
                return None
        wanted = credentials.headers.get("doas")
        if wanted is not None:
            user = acting_user(user, wanted, credentials.address, self.may_act_for)
            if user is None:
                raise Forbidden(wanted)
        view = view_of(self.database, user, self.groups_of)
        return Session(view, user, self.scanners, self.region_server, credentials.headers, self.server)


@dataclass(frozen=True)
class Credentials:
    """Credentials of a client. Only HTTP carries user names and headers.

    Attributes:
        address: The client's IP address.
        user, password: From HTTP basic authentication.
        headers: Headers of the HTTP request, by lower-case name.
    """

    address: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


class Forbidden(Exception):
    """The client is authenticated, but may not impersonate the requested user."""


Authenticate = Callable[[Credentials], str | None]
"""Returns the name of the client's user; None refuses the client."""
