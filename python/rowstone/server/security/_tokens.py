"""Tokens: 32 random bytes as text, shown once. A plain hash is stored, because a token cannot be guessed."""

from __future__ import annotations

import hashlib
import hmac
import secrets

PREFIX = "rowstone_"
"""Prefix that lets scanners find leaked tokens, such as in a repository."""
_MOST_LETTERS = 128


def new_token() -> str:
    """Create a token."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """The hash to store for a token."""
    return "sha256$" + hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def is_kept(text: str) -> bool:
    """Whether the text has the form of a `hash_token` result."""
    digits = text.removeprefix("sha256$")
    return digits != text and len(digits) == 64 and all(digit in "0123456789abcdef" for digit in digits)


def matches(token: str, kept: str) -> bool:
    """Whether the token matches the hash."""
    return len(token) <= _MOST_LETTERS and hmac.compare_digest(hash_token(token), kept)
