"""Words, numbers, texts and signs of a line, each with its place.

Text is `str` in which bytes that are no UTF-8 stand as surrogates, so that ``"\\x00\\xff"`` keeps its bytes: `to_bytes`
and `to_text` (in `values`) go between the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rowstone.shell.errors import Incomplete, SyntaxMistake
from rowstone.shell.escapes import double_quoted, single_quoted

SIGNS = (
    "=>", "==", "!=", "<=", ">=", "::", "**", "+=", "-=", "*=", "/=", "&&", "||",
    "=", "<", ">", "+", "-", "*", "/", "%", "!", ",", ".", ";", "(", ")", "[", "]", "{", "}", ":", "?", "&", "|",
)  # fmt: skip

_TYPOGRAPHIC = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u00a0": "a blank"}
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*[?!]?")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
_SYMBOL = re.compile(r":([A-Za-z_][A-Za-z0-9_]*[?!]?)")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text.

    ``kind`` is ``word``, ``constant``, ``number``, ``text``, ``template`` (text with expressions), ``symbol``,
    ``words``, ``sign``, ``newline`` or ``end``; ``spaced`` says that a blank stands before it.
    """

    kind: str
    value: Any
    place: int
    spaced: bool
    end: int = 0

    def is_sign(self, *signs: str) -> bool:
        """Whether it is one of these signs."""
        return self.kind == "sign" and self.value in signs


def tokens_of(text: str) -> list[Token]:
    """All tokens of ``text``, an ``end`` last.

    Raises:
        Incomplete: A text is not closed. SyntaxMistake: A character has no business here.
    """
    tokens: list[Token] = []
    place, spaced, depth = 0, False, 0
    while place < len(text):
        character = text[place]
        if character in " \t\r\f":
            place, spaced = place + 1, True
            continue
        if character == "#":
            place = text.find("\n", place)
            place = len(text) if place < 0 else place
            continue
        if character == "\\" and text[place + 1 : place + 2] == "\n":
            place, spaced = place + 2, True
            continue
        token = _token(text, place, spaced, depth, tokens)
        depth += (token.is_sign("(", "[", "{")) - (token.is_sign(")", "]", "}"))
        tokens.append(token)
        place, spaced = token.end, False
    tokens.append(Token("end", None, len(text), spaced, len(text)))
    return tokens


def _token(text: str, place: int, spaced: bool, depth: int, before: list[Token]) -> Token:
    character = text[place]
    if character == "\n":
        return Token("newline", "\n", place, spaced, place + 1)
    if character in "'\"":
        return _quoted(text, place, spaced, depth)
    if match := _NUMBER.match(text, place):
        return Token("number", _number(match.group()), place, spaced, match.end())
    if match := _WORD.match(text, place):
        return _word(match, text, place, spaced)
    if character == ":" and not text.startswith("::", place):
        if match := _SYMBOL.match(text, place):
            return Token("symbol", match[1], place, spaced, match.end())
        if text[place + 1 : place + 2] in ("'", '"'):
            name = _quoted(text, place + 1, spaced, depth)
            return Token("symbol", name.value, place, spaced, name.end)
    if text.startswith(("%w", "%i"), place) and text[place + 2 : place + 3] in _CLOSING and not _is_value(before):
        return _words(text, place, spaced, depth)
    for sign in SIGNS:
        if text.startswith(sign, place):
            return Token("sign", sign, place, spaced, place + len(sign))
    if character in _TYPOGRAPHIC:
        meant = _TYPOGRAPHIC[character]
        raise SyntaxMistake(
            f"typographic character {character} (U+{ord(character):04X}): type {meant} instead, as text that was pasted"
            " from a page often holds it"
        )
    raise SyntaxMistake(f"unexpected character {character!r}")


def _is_value(before: list[Token]) -> bool:
    """Whether a sign here stands between two values, not at the beginning of one."""
    return bool(before) and (before[-1].kind in ("number", "text", "symbol") or before[-1].is_sign(")", "]", "}"))


def _word(match: re.Match[str], text: str, place: int, spaced: bool) -> Token:
    word, end = match.group(), match.end()
    if word[-1] in "?!" and text[end : end + 1] in ("=", ">"):
        word, end = word[:-1], end - 1
    return Token("constant" if word[0].isupper() else "word", word, place, spaced, end)


def _number(text: str) -> int | float:
    plain = text.replace("_", "").lower()
    if plain.startswith(("0x", "0b")):
        return int(plain, 0)
    if "." in plain or "e" in plain:
        return float(plain)
    return int(plain, 8) if len(plain) > 1 and plain[0] == "0" and plain.isdigit() and "8" not in plain else int(plain)


def _quoted(text: str, place: int, spaced: bool, depth: int) -> Token:
    quote, end = text[place], place + 1
    while True:
        if end >= len(text):
            raise Incomplete(depth, quote)
        if text[end] == "\\":
            end += 2
        elif quote == '"' and text.startswith("#{", end):
            end = _behind_expression(text, end + 2, depth)
        elif text[end] == quote:
            break
        else:
            end += 1
    inside = text[place + 1 : end]
    if quote == "'":
        return Token("text", single_quoted(inside), place, spaced, end + 1)
    parts = double_quoted(inside)
    if len(parts) == 1 and isinstance(parts[0], str):
        return Token("text", parts[0], place, spaced, end + 1)
    return Token("template", parts, place, spaced, end + 1)


def _behind_expression(text: str, place: int, depth: int) -> int:
    """The place behind the brace that closes an expression inside a text."""
    open_braces = 1
    while open_braces:
        if place >= len(text):
            raise Incomplete(depth, '"')
        open_braces += (text[place] == "{") - (text[place] == "}")
        place += 1
    return place


def _words(text: str, place: int, spaced: bool, depth: int) -> Token:
    closing = _CLOSING[text[place + 2]]
    end = text.find(closing, place + 3)
    if end < 0:
        raise Incomplete(depth + 1)
    return Token("words", text[place + 3 : end].split(), place, spaced, end + 1)
