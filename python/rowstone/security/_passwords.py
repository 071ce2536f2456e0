"""What is kept of a password: salt and hash by scrypt, with the cost that they were made with.

    scrypt$15$8$3$<salt>$<hash>         log2 of n, r, p; salt and hash in base64

A check takes 32 MiB and some tenths of a second, by intention. The cost is kept with each hash, so that it can rise.
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
"""Checks at once: who tries many passwords must not take the machine's memory."""


@dataclass(frozen=True)
class _Kept:
    cost: tuple[int, int, int]
    salt: bytes
    digest: bytes


def check_new(password: str) -> None:
    """Refuses what can be no password. The message does not have it."""
    if not password or "\0" in password or len(password.encode(errors="replace")) > MOST_BYTES:
        raise InvalidArgument(f"a password has 1 to {MOST_BYTES} bytes, of which none is 0")


def hash_password(password: str) -> str:
    """What to keep of a password."""
    check_new(password)
    salt = secrets.token_bytes(16)
    parts = [*map(str, _COST), _text(salt), _text(_digest(password, salt, _COST))]
    return "$".join(["scrypt", *parts])


def is_kept(text: str) -> bool:
    """Whether `hash_password` may have made the text."""
    return _read(text) is not None


def matches(password: str, kept: str | None) -> bool:
    """Whether the password is the one that was kept. Takes as long without one: nobody learns which users there are."""
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
    """What the passwords of users are compared with that there are not."""
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
