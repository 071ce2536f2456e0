"""Ruby regular expressions, translated to Python's.

A pattern is the user's own and runs in the user's own process, where Ctrl-C ends it.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.values.objects import Regex
from rowstone.cli.shell.values import inspect

_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s",
    "xdigit": "0-9a-fA-F", "punct": r"!-/:-@\[-`{-~", "blank": r" \t", "word": r"\w", "cntrl": r"\x00-\x1f\x7f",
}  # fmt: skip
_TOKEN = re.compile(
    r"\\z|\\Z|\\h|\\H|\\R|\\K|\\G|\\X|\\[pP]\{|\\.|\[:(\^?)(\w+):\]|\(\?<(?![=!])|[$^]|\[|\]|.", re.DOTALL
)
_HEXADECIMAL = {r"\h": "0-9a-fA-F"}
_OTHERWISE = {
    r"\z": r"\Z", r"\Z": r"(?=\n?\Z)", r"\h": "[0-9a-fA-F]", r"\H": "[^0-9a-fA-F]", "(?<": "(?P<",
}  # fmt: skip
_BEYOND = (r"\R", r"\K", r"\G", r"\X", r"\p{", r"\P{")
_FLAGS = {"i": re.IGNORECASE, "m": re.DOTALL, "x": re.VERBOSE}


@lru_cache(maxsize=256)
def regex(source: str, flags: str = "") -> Regex:
    """Parse a regex literal. Raises `RubyError` if it is invalid."""
    wanted = re.MULTILINE
    for letter in flags:
        wanted |= _FLAGS.get(letter, re.MULTILINE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of brackets inside brackets
            return Regex(source, flags, re.compile(_translated(source), wanted))
    except (re.error, OverflowError, RecursionError) as error:
        raise RubyError(f"{error}: /{source}/", "RegexpError") from None


def _translated(source: str) -> str:
    """Translate syntax that Python writes differently."""
    found: list[str] = []
    is_inside = False
    for match in _TOKEN.finditer(source):
        token = match.group()
        members = _CLASSES.get(match[2]) if match[2] is not None else None
        if token in _BEYOND or (match[2] is not None and (members is None or match[1])):
            raise re.error(f"{token} is not supported")
        if members is not None and is_inside:
            found.append(members)
            continue
        if token == "[" or (token == "]" and is_inside):
            is_inside = token == "["
        found.append(_HEXADECIMAL[token] if token in _HEXADECIMAL and is_inside else _OTHERWISE.get(token, token))
    return "".join(found)


def escaped(text: str) -> str:
    """Escape text to match literally, as ``Regexp.escape`` does."""
    signs = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\f": r"\f", "\v": r"\v", " ": r"\ "}
    return "".join(signs.get(letter, "\\" + letter if letter in r".*?+^$|\()[]{}-#" else letter) for letter in text)


def pattern_of(value: object) -> re.Pattern[str]:
    """The pattern of a regex or of a string to search for. Raises `RubyError`."""
    if isinstance(value, Regex):
        return value.pattern
    if isinstance(value, str):
        return re.compile(re.escape(value))
    raise RubyError(f"wrong argument type {inspect(value)} (expected Regexp)", "TypeError")


_REFERENCE = re.compile(r"\\(?:(\d)|k<(\w+)>|([&`'\\]))")


def expanded(match: re.Match[str], replacement: str) -> str:
    r"""Expand ``\1``, ``\k<name>`` and ``\0`` in a replacement."""

    def filled(reference: re.Match[str]) -> str:
        number, name, sign = reference.groups()
        if number is not None:
            return (match.group(int(number)) or "") if int(number) <= match.re.groups else ""
        if name is not None:
            return (match.group(name) or "") if name in match.re.groupindex else ""
        if sign == "&":
            return match.group()
        if sign == "`":
            return match.string[: match.start()]
        return match.string[match.end() :] if sign == "'" else "\\"

    return _REFERENCE.sub(filled, replacement) if "\\" in replacement else replacement
