"""Safe HTML: text marked as HTML; all other values are escaped. All pages build their HTML here."""

from __future__ import annotations

from collections.abc import Iterable

from rowstone._base.html import escape_text
from rowstone._base.printable import printable


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()


def escaped(value: object) -> Markup:
    """Escape a value for HTML: markup unchanged, None as empty, bytes by `printable`, control characters in other
    text as ``\\xNN``.

    >>> escaped("<b> & 'c'"), escaped(Markup("<hr>")), escaped(b"row\\x00"), escaped(None)
    ('&lt;b&gt; &amp; &#x27;c&#x27;', '<hr>', 'row\\\\x00', '')
    """
    if isinstance(value, Markup):
        return value
    if value is None:
        return Markup("")
    if isinstance(value, bytes):
        return Markup(escape_text(printable(value)))
    return Markup(escape_text(str(value)))


def markup(template: str, /, *values: object, **named: object) -> Markup:
    """Fill the braces of ``template`` with escaped values.

    >>> markup("<td>{}</td>", "a<b")
    '<td>a&lt;b</td>'
    """
    return Markup(template.format(*map(escaped, values), **{name: escaped(value) for name, value in named.items()}))


def joined(parts: Iterable[Markup]) -> Markup:
    """Concatenate pieces of HTML."""
    return Markup("".join(parts))
