"""Tokens: 32 random bytes as text, shown once. A plain hash is kept of each, as nobody can guess one."""

from __future__ import annotations

import hashlib
import hmac
import secrets

PREFIX = "rowstone_"
"""Tokens are known by it where they should not be, such as in a repository."""
_MOST_LETTERS = 128


def new_token() -> str:
    """A token."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """What to keep of it."""
    return "sha256$" + hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def is_kept(text: str) -> bool:
    """Whether `hash_token` may have made the text."""
    digits = text.removeprefix("sha256$")
    return digits != text and len(digits) == 64 and all(digit in "0123456789abcdef" for digit in digits)


def matches(token: str, kept: str) -> bool:
    """Whether the token is the one that was kept."""
    return len(token) <= _MOST_LETTERS and hmac.compare_digest(hash_token(token), kept)
