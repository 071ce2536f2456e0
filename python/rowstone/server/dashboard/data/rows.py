"""``/rows/NAME``: rows of a table, by key, prefix, columns and filter.

Few columns make a grid with a column each; many make a line per cell. Both show 24 columns of each family at a time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rowstone._base.printable import printable
from rowstone.server.dashboard._markup import Markup, escaped, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, counted, duration, size
from rowstone.server.dashboard.data._budget import DOWNLOAD, PAGE, Budget
from rowstone.server.dashboard.data._cells import Look, head, rows_table
from rowstone.server.dashboard.data._query import SHOWN, Query, check_families, query_of
from rowstone.server.dashboard.data._reader import CELLS_PER_FAMILY, Page, read_page
from rowstone.server.dashboard.data._values import codecs_of

if TYPE_CHECKING:
    from rowstone._core.table import Table

_FORM_NOTE = (
    r"Start row: the first key to show, which need not exist. Row prefix: only keys that begin so. \xHH is a byte."
)
_KEY_NOTE = markup(
    " Key parts: the fields of the keys in their order, such as {} for keys like line-rest, or {} for 8 bytes.",
    code("text('line', end='-'), text('rest')"),
    code("int64('number')"),
)
_LEGEND = " Below each value: its type (with ? if it is guessed), its size, and the time since it was written."
_FORMATS = {"csv": "CSV", "jsonl": "JSON lines", "parquet": "Parquet"}


def body(site: Site, request: Request, budget: Budget) -> Markup:
    query = query_of(request)
    source = request.database.table(query.table)
    check_families(query.columns, source.schema.families)
    page = read_page(source, query, budget, rows=query.limit)
    look = Look(query, codecs_of(source.schema.attributes), round(time.time() * 1000), query.key())
    step = _step(page, len(query.families or source.schema.families))
    return joined(
        [
            head("rows", query.table),
            form(query, source),
            _result(page, look, budget, step, _nearest(source, query, page, budget)),
            _downloads(query) if page.rows else Markup(""),
            _new_row(query.table) if site.can_write else Markup(""),
        ]
    )


def refused_page(site: Site, request: Request, budget: Budget, error: Exception) -> Markup:
    """The page of a query that is not valid, with its form."""
    source = request.database.table(request.rest)
    return joined([head("rows", request.rest), notice(str(error)), form(Query(request.rest), source, request.query)])


def form(query: Query, source: Table, given: Mapping[str, str] | None = None) -> Markup:
    """The form of a query, with the texts that were ``given`` if they are not valid; it works without a script."""
    texts = query.parameters() if given is None else given
    fields = [
        ("from", "Start row", r"key or \x00\x01"),
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


def _nearest(source: Table, query: Query, page: Page, budget: Budget) -> Markup:
    """For a prefix that no key has: the next key of the table, as a link to the rows from there."""
    if page.rows or page.examined or page.limit or not query.prefix or query.start or query.after is not None:
        return Markup("")
    found = read_page(source, Query(query.table, start=query.prefix), budget, rows=1, width=1)
    after: object = "; no key comes after it"
    if found.rows:
        address = address_of("rows", query.table, **{"from": printable(found.rows[0].key)})
        after = markup("; the next key is {}", link(address, code(printable(found.rows[0].key, 100))))
    elif found.limit:
        after = ""
    return markup('<p class="empty">No rows. No key begins with {}{}.</p>', code(printable(query.prefix, 100)), after)


def _result(page: Page, look: Look, budget: Budget, step: int, nearest: Markup) -> Markup:
    query = look.query
    plan = link(query.address("scan"), "cost and code of this scan")
    examined = f" of {count(page.examined)} examined" if query.filter or query.columns else ""
    rows = f"{counted(len(page.rows), 'row')}{examined}"
    read = f"{rows}, {size(budget.bytes)}, {duration(budget.seconds * 1e9)}"
    note = markup("{} · {}. A page reads at most {}.{}", read, plan, PAGE, _LEGEND if page.rows else "")
    pager = _pager(page, query, step)
    parts = [pager, rows_table(page, look), pager] if page.rows else [nearest or rows_table(page, look), pager]
    if page.limit:
        cut = "; the last row is incomplete: its own page has all cells" if page.rows and page.rows[-1].is_cut else ""
        parts.insert(0, notice(f"the limit of {page.limit} ended this page early{cut}; continue with the next page"))
    return section("Rows", *parts, note=note)


def _step(page: Page, families: int) -> int:
    """Columns of each family that the page shows of every row; 0 if a limit left out whole families of a row."""
    if not (page.rows and page.rows[-1].is_cut):
        return CELLS_PER_FAMILY
    return len(page.rows[-1].cells) if families == 1 else 0


def _pager(page: Page, query: Query, step: int) -> Markup:
    is_wide = step > 0 and any(row.has_more for row in page.rows)
    buttons: list[tuple[bool, str, dict[str, Any]]] = [
        (query.after is not None, "⇤ First rows", {"after": None}),
        (page.after is not None, "Next rows →", {"after": page.after}),
        (query.skip > 0, "← Columns before", {"skip": max(query.skip - CELLS_PER_FAMILY, 0)}),
        (is_wide, "Further columns ⇥", {"skip": query.skip + step}),
    ]
    drawn = [
        markup('<a class="button" href="{}">{}</a>', query.address("rows", **changes), text)
        for is_there, text, changes in buttons
        if is_there
    ]
    if query.skip:
        drawn.append(markup("<span>columns {} and later of each family</span>", count(query.skip + 1)))
    return markup('<div class="pages">{}</div>', joined(drawn)) if drawn else Markup("")


def _downloads(query: Query) -> Markup:
    given = query.parameters(after=None, skip=0)
    links = [
        markup('<a class="button" href="{}">{}</a>', address_of("download", query.table, **given, format=key), title)
        for key, title in _FORMATS.items()
    ]
    note = markup(
        "All rows of the query from its first page on, newest versions, with all columns or those of the field "
        "Columns. CSV has a line per cell, JSON lines and Parquet one per row. A file has at most {}; if a limit ends "
        "it, its name has the number of its rows. {} has no limit.",
        DOWNLOAD,
        code("rowstone export"),
    )
    return section("Download", markup('<div class="pages">{}</div>', joined(links)), note=note)


def _new_row(of_table: str) -> Markup:
    return markup('<div class="pages"><a class="button" href="{}">Put a cell</a></div>', address_of("edit", of_table))
