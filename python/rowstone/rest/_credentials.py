"""Who asks: what the header Authorization says, for a hook that knows users."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Credentials:
    """What a client offers.

    ``scheme`` is ``"basic"`` with ``user`` and ``secret`` (a password), ``"bearer"`` with ``secret`` (a token), another
    scheme in lower case, or empty where nothing was offered.
    """

    scheme: str
    user: str
    secret: str
    headers: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Credentials(scheme={self.scheme!r}, user={self.user!r}, secret=…)"


Authenticate = Callable[[Credentials], str | None]
"""Gives the name of the user whose credentials these are, or None to refuse them."""


def credentials_of(headers: Mapping[str, str]) -> Credentials:
    """What a request's headers offer."""
    scheme, _, rest = headers.get("authorization", "").strip().partition(" ")
    scheme, rest = scheme.lower(), rest.strip()
    user, secret = "", rest
    if scheme == "basic":
        try:
            user, _, secret = base64.b64decode(rest, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            user, secret = "", ""
    return Credentials(scheme, user, secret, headers)
