r"""What stands in quotes, and what it means: ``\x00``, ``\003``, ``\u00e9``, ``\n``, ``#{expression}``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rowstone.shell.errors import SyntaxMistake
from rowstone.shell.values import to_text

_SIMPLE = {
    "n": b"\n", "t": b"\t", "r": b"\r", "0": b"\0", "a": b"\a", "b": b"\b", "e": b"\x1b", "f": b"\f", "s": b" ",
    "v": b"\v",
}  # fmt: skip

_ESCAPE = re.compile(
    r"\\(?:x(?P<hex>[0-9a-fA-F]{1,2})|(?P<octal>[0-7]{1,3})|u(?P<unicode>[0-9a-fA-F]{4})"
    r"|u\{(?P<points>[0-9a-fA-F ]+)\}|(?P<bad>[xuMCc])|(?P<newline>\n)|(?P<other>.))",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Source:
    """The text of an expression inside a text."""

    text: str


def single_quoted(inside: str) -> str:
    r"""The text between single quotes: only ``\'`` and ``\\`` mean something else."""
    return re.sub(r"\\([\\'])", r"\1", inside)


def double_quoted(inside: str) -> list[str | Source]:
    """The parts of the text between double quotes: text with its escapes undone, and expressions."""
    parts: list[str | Source] = []
    data, place = bytearray(), 0
    while place < len(inside):
        if inside.startswith("#{", place):
            end, depth = place + 2, 1
            while depth:
                depth += (inside[end] == "{") - (inside[end] == "}")
                end += 1
            parts += [to_text(bytes(data)), Source(inside[place + 2 : end - 1])]
            data.clear()
            place = end
        elif inside[place] == "\\":
            match = _ESCAPE.match(inside, place)
            data += _meaning(match) if match else b"\\"
            place = match.end() if match else place + 1
        else:
            data += inside[place].encode(errors="surrogateescape")
            place += 1
    if data or not parts:
        parts.append(to_text(bytes(data)))
    return [part for part in parts if part != ""] or [""]


def _meaning(match: re.Match[str]) -> bytes:
    if match["hex"]:
        return bytes([int(match["hex"], 16)])
    if match["octal"]:
        return bytes([int(match["octal"], 8) & 0xFF])
    if match["unicode"]:
        return chr(int(match["unicode"], 16)).encode(errors="surrogatepass")
    if match["points"]:
        return "".join(chr(int(point, 16)) for point in match["points"].split()).encode(errors="surrogatepass")
    if match["bad"]:
        raise SyntaxMistake("Invalid escape character syntax")
    if match["newline"]:
        return b""
    return _SIMPLE.get(match["other"]) or match["other"].encode(errors="surrogateescape")
