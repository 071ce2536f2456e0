"""Row keys as labels of limited length."""

from __future__ import annotations

from rowstone._base.printable import printable


def label(key: bytes, most: int) -> str:
    r"""The key as text of at most ``most`` characters. A longer one is cut between two of its bytes.

    >>> print(label(b"web1\x00\x7f\xff", 16), label(b"web1\x00\x7f\xff", 15))
    web1\x00\x7F\xFF web1\x00\x7F…
    """
    text = printable(key)
    if len(text) <= most:
        return text
    shown = ""
    for byte in key:
        escaped = printable(bytes((byte,)))
        if len(shown) + len(escaped) >= most:
            break
        shown += escaped
    return f"{shown}…"
