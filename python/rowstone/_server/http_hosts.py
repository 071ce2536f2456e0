"""By which names a port of HTTP may be called that believes whoever comes.

A page in a browser may have its own name resolved to this machine's loopback address ("DNS rebinding"); what it then
asks comes from this machine, and may read and write everything. But the browser puts the page's name into ``Host``. So
a port on loopback, where nobody has to say who he is, answers those alone who call it by a name of this machine.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone._server.http_bounds import Application, Receive, Scope, Send

MISDIRECTED = 421
_LOCAL = "localhost"
_ANY = "*"
_NAME_AND_PORT = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^\[\]:/@\s]+))(?::[0-9]*)?")


@dataclass(frozen=True)
class Hosts:
    """The names by which a port may be called, beside those of loopback; ``"*"`` is every name."""

    names: frozenset[str]

    def allows(self, header: str) -> bool:
        """Whether a request may be answered whose header ``Host`` is this.

        >>> Hosts(frozenset()).allows("127.0.0.1:8080"), Hosts(frozenset()).allows("evil.example:8080")
        (True, False)
        """
        name = _name_in(header)
        if name in self.names or _ANY in self.names:
            return True
        return name == _LOCAL or name.endswith(f".{_LOCAL}") or _is_loopback(name)

    def refusal(self, header: str) -> str:
        """What a client is told whose request is not answered."""
        shown = _name_in(header)[:128]
        return (
            f"Misdirected Request: this port answers on this machine, to names of it, and {shown!r} is none; where it "
            "is meant to be one, allow it: --allowed-host, allowed_hosts=\n"
        )


def hosts_of(host: str, *, knows_users: bool, allowed: Iterable[str]) -> Hosts | None:
    """The names for a port that listens at ``host``; None where any will do: users say who they are there, or other
    machines reach it, which had to be agreed to.

    Raises:
        InvalidArgument: One of ``allowed`` is a text with more than a name in it, or ``allowed`` is a single text.
    """
    if isinstance(allowed, str):
        raise InvalidArgument(f"allowed_hosts is the text {allowed!r}: give a list of names")
    names = frozenset(_checked(name) for name in allowed)
    if knows_users or not _is_loopback(host):
        return None
    return Hosts(names)


class CalledRightly:
    """An ASGI application that answers requests to its own names only."""

    def __init__(self, application: Application, hosts: Hosts) -> None:
        self._application = application
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it with 421."""
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
    """The name or address of ``name:port``, in small letters, as it is compared; all of a text that is neither.

    >>> _name_in("[::1]:80"), _name_in("::1"), _name_in("db.example.:80"), _name_in("[::1].evil.example")
    ('::1', '::1', 'db.example', '[::1].evil.example')
    """
    text = header.strip().lower()
    found = _NAME_AND_PORT.fullmatch(text)
    # An address of IPv6 without brackets has no port.
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
