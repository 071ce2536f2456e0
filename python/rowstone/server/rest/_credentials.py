"""Credentials from the Authorization header, for an authentication hook."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Credentials:
    """Credentials of a client.

    ``scheme`` is ``"basic"`` with ``user`` and ``secret`` (a password), ``"bearer"`` with ``secret`` (a token), another
    scheme in lower case, or empty without credentials.
    """

    scheme: str
    user: str
    secret: str
    headers: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Credentials(scheme={self.scheme!r}, user={self.user!r}, secret=…)"


Authenticate = Callable[[Credentials], str | None]
"""Returns the name of the user with these credentials, or None to refuse them."""


def credentials_of(headers: Mapping[str, str]) -> Credentials:
    """Parse the credentials in a request's headers."""
    scheme, _, rest = headers.get("authorization", "").strip().partition(" ")
    scheme, rest = scheme.lower(), rest.strip()
    user, secret = "", rest
    if scheme == "basic":
        try:
            user, _, secret = base64.b64decode(rest, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            user, secret = "", ""
    return Credentials(scheme, user, secret, headers)
