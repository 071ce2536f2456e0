"""String successor: ``'az'.succ`` is ``'ba'``."""

from __future__ import annotations

from collections.abc import Iterator

_KINDS = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_FIRST_ADDED = {"0123456789": "1", "abcdefghijklmnopqrstuvwxyz": "a", "ABCDEFGHIJKLMNOPQRSTUVWXYZ": "A"}


def successor(text: str) -> str:
    """The successor of ``text``, as ``String#succ`` computes it.

    >>> successor("az"), successor("Zz9"), successor("row-9")
    ('ba', 'AAa0', 'row-10')
    """
    if not text:
        return ""
    places = [place for place, character in enumerate(text) if _kind(character)]
    if not places:
        return _plain_successor(text)
    characters = list(text)
    last = places[-1]
    for place in reversed(places):
        if place != last and last - place > 1 and not _is_chained(text, place, last):
            break
        kind = _kind(characters[place])
        last = place
        if characters[place] != kind[-1]:
            characters[place] = kind[kind.index(characters[place]) + 1]
            return "".join(characters)
        characters[place] = kind[0]
    characters.insert(last, _FIRST_ADDED[_kind(text[last])])
    return "".join(characters)


def _kind(character: str) -> str:
    return next((kind for kind in _KINDS if character in kind), "")


def _is_chained(text: str, place: int, last: int) -> bool:
    """Whether a carry goes over the signs between two letters or digits: ``1.9`` is followed by ``2.0``."""
    return text[place].isdigit() == text[last].isdigit()


def _plain_successor(text: str) -> str:
    """Successor of text without letters and digits: increments the last character."""
    last = ord(text[-1])
    if last < 0x10FFFF:
        return text[:-1] + chr(last + 1)
    return text + chr(1)


def texts_between(first: str, last: str, *, excludes_end: bool) -> Iterator[str]:
    """The strings from one to another: numbers by value, others by `successor` up to the length of ``last``."""
    if first.isdecimal() and last.isdecimal() and first.isascii() and last.isascii() and len(last) <= 18:
        width = len(first)
        for number in range(int(first), int(last) + (0 if excludes_end else 1)):
            yield str(number).zfill(width)
        return
    if len(first) == len(last) == 1:
        for code in range(ord(first), ord(last) + (0 if excludes_end else 1)):
            yield chr(code)
        return
    if len(first) > len(last) or (len(first) == len(last) and first > last):
        return
    text = first
    while len(text) <= len(last):
        if text == last and excludes_end:
            return
        yield text
        if text == last:
            return
        text = successor(text)
