"""Credentials that a connection carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


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
    password: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Forbidden(Exception):
    """The client is authenticated, but may not impersonate the requested user."""


Authenticate = Callable[[Credentials], str | None]
"""Returns the name of the client's user; None refuses the client."""
