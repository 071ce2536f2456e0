"""The form of a query, on the pages of rows and of scans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone.server.dashboard._markup import Markup, escaped, joined, markup
from rowstone.server.dashboard._parts import code
from rowstone.server.dashboard._site import address_of
from rowstone.server.dashboard.data._budget import PAGE
from rowstone.server.dashboard.data._query import SHOWN, Query

if TYPE_CHECKING:
    from rowstone._core.table import Table

_FORM_NOTE = (
    r"Start row: the first key to show, which need not exist. End row: the first key that is not shown. "
    r"Row prefix: only keys that begin with it. \xHH is a byte."
)
_KEY_NOTE = markup(
    " Key parts: the fields of the keys in their order, such as {} for keys like line-rest, or {} for 8 bytes.",
    code("text('line', end='-'), text('rest')"),
    code("int64('number')"),
)


def form(query: Query, source: Table, given: Mapping[str, str] | None = None) -> Markup:
    """The form of a query, with the texts that were ``given`` if they are not valid; it works without a script."""
    texts = query.parameters() if given is None else given
    fields = [
        ("from", "Start row", r"key or \x00\x01"),
        ("to", "End row (excluded)", "key"),
        ("prefix", "Row prefix", "beginning of keys"),
        ("columns", "Columns", ", ".join(map(printable, source.schema.families))),
        ("filter", "Filter", "ValueFilter(=, 'substring:word')"),
        ("layout", "Key parts", "text('line', end='-'), text('rest')"),
    ]
    box = '<label class="{name}">{title}<input type="search" name="{name}" value="{text}" placeholder="{hint}"></label>'
    inputs = [markup(box, name=name, title=title, text=texts.get(name, ""), hint=hint) for name, title, hint in fields]
    shown_as = [
        markup('<option value="{}"{}>{}</option>', key, Markup(" selected" if key == query.show else ""), words)
        for key, words in SHOWN.items()
    ]
    inputs.append(markup('<label>Values<select name="show">{}</select></label>', joined(shown_as)))
    inputs.append(
        markup(
            '<label>Limit<input type="number" name="limit" min="1" max="{}" value="{}"></label>', PAGE.rows, query.limit
        )
    )
    return markup(
        '<form class="query" action="{}">{}<button>Show rows</button></form><p class="note">{}</p>',
        address_of("rows", query.table),
        joined(inputs),
        joined([escaped(_FORM_NOTE), _KEY_NOTE]),
    )
