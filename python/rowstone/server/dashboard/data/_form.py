"""The form of a query, on the pages of rows and of scans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone.server.dashboard._markup import Markup, escaped, joined, markup
from rowstone.server.dashboard._parts import code
from rowstone.server.dashboard._site import address_of
from rowstone.server.dashboard.data._budget import PAGE
from rowstone.server.dashboard.data._condition import COMPARISONS
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
    inputs.append(_choice("show", "Values", SHOWN, query.show))
    inputs.append(
        markup(
            '<label>Limit<input type="number" name="limit" min="1" max="{}" value="{}"></label>', PAGE.rows, query.limit
        )
    )
    return markup(
        '<form class="query" id="query" action="{}">{}<button>Show rows</button>{}</form><p class="note">{}</p>',
        address_of("rows", query.table),
        joined(inputs),
        _condition({} if given is None else given),
        joined([escaped(_FORM_NOTE), _KEY_NOTE]),
    )


def _choice(name: str, title: str, choices: Mapping[str, str], chosen: str) -> Markup:
    options = [
        markup('<option value="{}"{}>{}</option>', key, Markup(" selected" if key == chosen else ""), words)
        for key, words in choices.items()
    ]
    return markup('<label>{}<select name="{}">{}</select></label>', title, name, joined(options))


def _condition(texts: Mapping[str, str]) -> Markup:
    """The fields of a condition, which becomes a part of the filter. Open if one is filled in."""
    box = '<label>{}<input type="search" name="{}" value="{}" placeholder="{}"></label>'
    words = {name: shown for name, (shown, _, _) in COMPARISONS.items()}
    return markup(
        '<details class="condition"{}><summary>Add a condition</summary><div class="query">{}{}{}</div></details>',
        Markup(" open" if texts.get("where") or texts.get("value") else ""),
        markup(box, "Column (none: the row key)", "where", texts.get("where", ""), "family:qualifier"),
        _choice("comparison", "Condition", words, texts.get("comparison", "is")),
        markup(box, "Text", "value", texts.get("value", ""), "word"),
    )
