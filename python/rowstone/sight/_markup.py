"""HTML as text that knows it is HTML: whatever else is put into it is escaped. The one place where pages do that."""

from __future__ import annotations

import html
from collections.abc import Iterable

from rowstone._base.printable import printable


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(value: object) -> Markup:
    """A value as HTML: markup as it is, None as nothing, bytes by `printable`, other text with control
    characters as ``\\xNN``.

    >>> escaped("<b> & 'c'"), escaped(Markup("<hr>")), escaped(b"row\\x00"), escaped(None)
    ('&lt;b&gt; &amp; &#x27;c&#x27;', '<hr>', 'row\\\\x00', '')
    """
    if isinstance(value, Markup):
        return value
    if value is None:
        return Markup("")
    if isinstance(value, bytes):
        return Markup(html.escape(printable(value)))
    return Markup(html.escape("".join(letter if letter.isprintable() else _code(letter) for letter in str(value))))


def _code(letter: str) -> str:
    return letter.encode("unicode_escape").decode() if letter != "\n" else letter


def markup(template: str, /, *values: object, **named: object) -> Markup:
    """``template`` with the values in its braces, escaped.

    >>> markup("<td>{}</td>", "a<b")
    '<td>a&lt;b</td>'
    """
    return Markup(template.format(*map(escaped, values), **{name: escaped(value) for name, value in named.items()}))


def joined(parts: Iterable[Markup]) -> Markup:
    """Pieces of HTML behind each other."""
    return Markup("".join(parts))
