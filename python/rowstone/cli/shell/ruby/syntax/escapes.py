r"""Escapes in quotes: ``\x00``, ``\003``, ``\u00e9``, ``\n``."""

from __future__ import annotations

import re

from rowstone.cli.shell.errors import SyntaxMistake

_SIMPLE = {
    "n": b"\n", "t": b"\t", "r": b"\r", "a": b"\a", "b": b"\b", "e": b"\x1b", "f": b"\f", "s": b" ", "v": b"\v",
}  # fmt: skip

ESCAPE = re.compile(
    r"\\(?:x(?P<hex>[0-9a-fA-F]{1,2})|(?P<octal>[0-7]{1,3})|u(?P<unicode>[0-9a-fA-F]{4})"
    r"|u\{(?P<points>[0-9a-fA-F ]+)\}|(?P<bad>[xuMCc])|(?P<newline>\n)|(?P<other>.))",
    re.DOTALL,
)


def single_quoted(inside: str, closing: str = "'") -> str:
    r"""The text between single quotes: only ``\'`` and ``\\`` are escapes."""
    return re.sub(rf"\\([\\{re.escape(closing)}])", r"\1", inside)


def meaning_of(match: re.Match[str]) -> bytes:
    """The bytes that an escape stands for. Raises `SyntaxMistake`."""
    if match["hex"]:
        return bytes([int(match["hex"], 16)])
    if match["octal"]:
        return bytes([int(match["octal"], 8) & 0xFF])
    if match["unicode"]:
        return chr(int(match["unicode"], 16)).encode(errors="surrogatepass")
    if match["points"]:
        try:
            return "".join(chr(int(point, 16)) for point in match["points"].split()).encode(errors="surrogatepass")
        except (ValueError, OverflowError):
            raise SyntaxMistake("invalid Unicode codepoint (too large)") from None
    if match["bad"]:
        raise SyntaxMistake("Invalid escape character syntax")
    if match["newline"]:
        return b""
    return _SIMPLE.get(match["other"]) or match["other"].encode(errors="surrogateescape")
