"""Impersonation rules (proxy users), mostly for gateways. Source: Hadoop's ``DefaultImpersonationProvider``."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rowstone.errors import InvalidArgument

_EVERYTHING = "*"
_SETTING = re.compile(r"hadoop\.proxyuser\.(?P<name>.+)\.(?P<what>hosts|groups|users)")


@dataclass(frozen=True)
class Proxy:
    """Users that a proxy may impersonate, and the hosts it may connect from; ``"*"`` means all.

    Args:
        users: User names.
        groups: Groups whose members may be impersonated.
        hosts: Addresses, networks such as ``"10.0.0.0/8"``, or host names.
    """

    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()

    def allows(self, effective: str, groups: Iterable[str], address: str) -> bool:
        """Whether the proxy may impersonate ``effective``, a member of ``groups``, from ``address``."""
        is_for = _EVERYTHING in (*self.users, *self.groups) or effective in self.users
        is_for = is_for or not set(self.groups).isdisjoint(groups)
        return is_for and any(_is_at(host, address) for host in self.hosts)


def proxies_of(settings: Mapping[str, str]) -> dict[str, Proxy]:
    """Parse Hadoop's comma-separated settings: ``hadoop.proxyuser.NAME.hosts``, ``.groups``, ``.users``.

    Raises:
        InvalidArgument: One of the settings has another name.
    """
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for key, value in settings.items():
        match = _SETTING.fullmatch(key)
        if match is None:
            raise InvalidArgument(f"{key!r} is no setting of a proxy: hadoop.proxyuser.NAME.hosts, .groups or .users")
        parts = tuple(part.strip() for part in value.split(",") if part.strip())
        found.setdefault(match["name"], {})[match["what"]] = parts
    return {name: Proxy(**parts) for name, parts in found.items()}


def _is_at(host: str, address: str) -> bool:
    if host == _EVERYTHING:
        return True
    where = ipaddress.ip_address(address)
    try:
        return where in ipaddress.ip_network(host, strict=False)
    except ValueError:
        pass
    try:
        return any(ipaddress.ip_address(info[4][0]) == where for info in socket.getaddrinfo(host, None))
    except (OSError, ValueError):
        return False
