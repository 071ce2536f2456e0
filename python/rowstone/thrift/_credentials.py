"""Who comes, as far as a connection says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Credentials:
    """What a client says of himself. Only HTTP has a place for names and headers.

    Attributes:
        address: The IP address he comes from.
        user, password: Of HTTP's basic authentication.
        headers: Of the HTTP request, by their names in small letters.
    """

    address: str
    user: str | None = None
    password: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Forbidden(Exception):
    """A client is known, and may not come for whom he would."""


Authenticate = Callable[[Credentials], str | None]
"""Says who a client is; None for one who is not let in."""
