"""Allowed `Host` headers of unauthenticated HTTP ports.

A web page can have its own name resolved to this machine's loopback address ("DNS rebinding"). Its requests then come
from this machine and could read and write everything. But the browser puts the page's name into ``Host``. So a port on
loopback without authentication answers only requests that name this machine.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone.server.http.bounds import Application, Receive, Scope, Send

MISDIRECTED = 421
_LOCAL = "localhost"
_ANY = "*"
_NAME_AND_PORT = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^\[\]:/@\s]+))(?::[0-9]*)?")


@dataclass(frozen=True)
class Hosts:
    """Allowed names of a port, in addition to those of loopback. ``"*"`` allows every name."""

    names: frozenset[str]

    def allows(self, header: str) -> bool:
        """Return whether a request with this ``Host`` header is answered.

        >>> Hosts(frozenset()).allows("127.0.0.1:8080"), Hosts(frozenset()).allows("evil.example:8080")
        (True, False)
        """
        name = _name_in(header)
        if name in self.names or _ANY in self.names:
            return True
        return name == _LOCAL or name.endswith(f".{_LOCAL}") or _is_loopback(name)

    def refusal(self, header: str) -> str:
        """Return the text of the response to a refused request."""
        shown = _name_in(header)[:128]
        return (
            f"Misdirected Request: {shown!r} is not an allowed host name of this port; add it with --allowed-host or "
            "allowed_hosts=\n"
        )


def hosts_of(host: str, *, knows_users: bool, allowed: Iterable[str]) -> Hosts | None:
    """Return the allowed names of a port that listens at ``host``. None allows all names: clients authenticate, or the
    port is open to other machines, which the operator had to allow.

    Raises:
        InvalidArgument: An item of ``allowed`` is more than a name, or ``allowed`` is a single text.
    """
    if isinstance(allowed, str):
        raise InvalidArgument(f"allowed_hosts is the text {allowed!r}: give a list of names")
    names = frozenset(_checked(name) for name in allowed)
    if knows_users or not _is_loopback(host):
        return None
    return Hosts(names)


class HostHeaderCheck:
    """An ASGI application that answers only requests to its own names."""

    def __init__(self, application: Application, hosts: Hosts) -> None:
        self._application = application
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with status 421."""
        given = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"host"]
        wrong = next((header for header in given if not self._hosts.allows(header)), None)
        if scope["type"] != "http" or wrong is None:
            await self._application(scope, receive, send)
            return
        body = self._hosts.refusal(wrong).encode()
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": MISDIRECTED, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _name_in(header: str) -> str:
    """Return the name or address of ``name:port`` in lower case. A text that is neither is returned whole.

    >>> _name_in("[::1]:80"), _name_in("::1"), _name_in("db.example.:80"), _name_in("[::1].evil.example")
    ('::1', '::1', 'db.example', '[::1].evil.example')
    """
    text = header.strip().lower()
    found = _NAME_AND_PORT.fullmatch(text)
    # An IPv6 address without brackets has no port.
    return text if found is None else (found["address"] or found["name"]).rstrip(".")


def _checked(name: str) -> str:
    if not isinstance(name, str) or not name or any(mark in name for mark in " /@,"):
        raise InvalidArgument(f"allowed host {name!r} is no name: give it without scheme, port and path")
    return _name_in(name)


def _is_loopback(text: str) -> bool:
    try:
        # With a zone the text could end in anything.
        return "%" not in text and ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False
