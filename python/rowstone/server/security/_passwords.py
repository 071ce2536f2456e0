"""Password hashes: salt and scrypt hash, with the cost parameters that they were created with.

    scrypt$15$8$3$<salt>$<hash>         log2 of n, r, p; salt and hash in base64

A check takes 32 MiB and some tenths of a second, on purpose. The cost is stored with each hash, so it can be raised.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import threading
from dataclasses import dataclass
from functools import cache

from rowstone.errors import InvalidArgument

MOST_BYTES = 1024
"""Longer passwords are refused before they are hashed."""
_COST = (15, 8, 3)
_MOST_COST = (20, 16, 16)
_HASH_BYTES = 32
_AT_ONCE = threading.BoundedSemaphore(2)
"""Concurrent checks: an attacker who tries many passwords must not exhaust the machine's memory."""


@dataclass(frozen=True)
class _Kept:
    cost: tuple[int, int, int]
    salt: bytes
    digest: bytes


def check_new(password: str) -> None:
    """Refuse text that cannot be a password. The error message does not contain it."""
    if not password or "\0" in password or len(password.encode(errors="replace")) > MOST_BYTES:
        raise InvalidArgument(f"a password has 1 to {MOST_BYTES} bytes, of which none is 0")


def hash_password(password: str) -> str:
    """The hash to store for a password."""
    check_new(password)
    salt = secrets.token_bytes(16)
    parts = [*map(str, _COST), _text(salt), _text(_digest(password, salt, _COST))]
    return "$".join(["scrypt", *parts])


def is_kept(text: str) -> bool:
    """Whether the text has the form of a `hash_password` result."""
    return _read(text) is not None


def matches(password: str, kept: str | None) -> bool:
    """Whether the password matches the hash. Takes as long without a hash, so timing does not reveal user names."""
    found = _read(kept) if kept is not None else None
    expected = found or _nobody()
    if len(password.encode(errors="replace")) > MOST_BYTES:
        return False
    given = _digest(password, expected.salt, expected.cost)
    return hmac.compare_digest(given, expected.digest) and found is not None


def _digest(password: str, salt: bytes, cost: tuple[int, int, int]) -> bytes:
    n, r, p = 1 << cost[0], cost[1], cost[2]
    with _AT_ONCE:
        return hashlib.scrypt(
            password.encode(errors="surrogatepass"), salt=salt, n=n, r=r, p=p, maxmem=256 * n * r, dklen=_HASH_BYTES
        )


@cache
def _nobody() -> _Kept:
    """Dummy hash, compared for unknown users so that they take as long as known ones."""
    return _Kept(_COST, secrets.token_bytes(16), secrets.token_bytes(_HASH_BYTES))


def _read(text: str) -> _Kept | None:
    parts = text.split("$")
    if len(parts) != 6 or parts[0] != "scrypt":
        return None
    try:
        n, r, p = (int(part) for part in parts[1:4])
        salt, digest = (base64.b64decode(part, validate=True) for part in parts[4:])
    except (ValueError, binascii.Error):
        return None
    is_possible = all(1 <= cost <= most for cost, most in zip((n, r, p), _MOST_COST, strict=True))
    return _Kept((n, r, p), salt, digest) if is_possible and len(digest) == _HASH_BYTES else None


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
