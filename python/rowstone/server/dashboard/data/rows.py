"""``/rows/NAME``: rows of a table, by key, prefix, columns and filter.

Few columns make a grid with a column each; many make a line per cell. Both show 24 columns of each family at a time.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rowstone._base.printable import counted, printable
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, duration, not_a, size
from rowstone.server.dashboard.data._budget import DOWNLOAD, PAGE, Budget
from rowstone.server.dashboard.data._cells import DisplayOptions, head, rows_table
from rowstone.server.dashboard.data._form import form
from rowstone.server.dashboard.data._query import Query, check_families, query_of
from rowstone.server.dashboard.data._reader import CELLS_PER_FAMILY, PIECE_ROWS, Page, read_page
from rowstone.server.dashboard.data._values import codecs_of

if TYPE_CHECKING:
    from rowstone._core.table import Table

_LEGEND = " Below each value: its type (with ? if it is guessed), its size, and the date of its timestamp in UTC."
_OF_FILTER = (
    "As in HBase, the filter sees all versions of a cell, not only the newest: the value shown may be an older one. "
    "SingleColumnValueFilter compares only the newest version of its column, and keeps whole rows."
)
_DOWNLOAD_NOTE = (
    "All rows that the fields of the form select now, with {} of each column. Values and Limit have no effect. CSV has "
    "a line per cell: row, column, timestamp and the whole value. JSON lines and Parquet have one per row. Bytes are "
    "text with {} in CSV and JSON lines; Parquet has the declared types. A file has at most {}; if a limit ends it, "
    "its name has the number of its rows. {} has no limit."
)
_FORMATS = {"csv": "CSV", "jsonl": "JSON lines", "parquet": "Parquet"}


def body(site: Site, request: Request, budget: Budget) -> Markup:
    query = query_of(request)
    source = request.database.table(query.table)
    check_families(query.columns, source.schema.families)
    page = read_page(source, query, budget, rows=query.limit)
    options = DisplayOptions(query, codecs_of(source.schema.attributes), round(time.time() * 1000), query.key())
    step = _step(page, len(query.families or source.schema.families))
    return joined(
        [
            head("rows", query.table),
            notice(_limit_notice(request, query)),
            form(query, source),
            _result(page, options, budget, step, _reason(source, query, page, budget)),
            _downloads(query) if page.rows else Markup(""),
            _new_row(query.table) if site.can_write else Markup(""),
        ]
    )


def _limit_notice(request: Request, query: Query) -> str | None:
    """For a limit that the page does not have: the one that it uses."""
    given = request.query.get("limit", "")
    if given in ("", str(query.limit)):
        return None
    return not_a(given, f"limit from 1 to {PAGE.rows}", f"this page has at most {counted(query.limit, 'row')}")


def refused_page(site: Site, request: Request, budget: Budget, error: Exception) -> Markup:
    """The page of a query that is not valid, with its form."""
    source = request.database.table(request.rest)
    return joined([head("rows", request.rest), notice(str(error)), form(Query(request.rest), source, request.query)])


def _reason(source: Table, query: Query, page: Page, budget: Budget) -> Markup:
    """For a page without rows: why its range has no key, or that no key has the prefix, with a link to the next key."""
    if query.is_empty and query.after is None:
        return markup('<p class="empty">No rows. {}</p>', _empty_range(query))
    if page.rows or page.examined or page.limit or not query.prefix or query.columns or query.after is not None:
        return Markup("")
    if query.start or query.stop:
        text = "No rows. No key that begins with {} is in the range of the start row and end row."
        return markup(f'<p class="empty">{text}</p>', code(printable(query.prefix, 100)))
    found = read_page(source, Query(query.table, start=query.prefix), budget, rows=1, width=1)
    after: object = "; no key comes after it"
    if found.rows:
        address = address_of("rows", query.table, **{"from": printable(found.rows[0].key)})
        after = markup("; the next key is {}", link(address, code(printable(found.rows[0].key, 100))))
    elif found.limit:
        after = ""
    return markup('<p class="empty">No rows. No key begins with {}{}.</p>', code(printable(query.prefix, 100)), after)


def _empty_range(query: Query) -> str:
    if query.stop and query.start >= query.stop:
        return "The end row is not after the start row."
    side = "start row comes after" if query.start > query.prefix else "end row comes before"
    return f"The {side} all keys with the row prefix."


def _result(page: Page, options: DisplayOptions, budget: Budget, step: int, reason: Markup) -> Markup:
    query = options.query
    plan = link(query.address("scan"), "cost and code of this scan")
    examined = f" of {count(page.examined)} examined" if query.filter or query.columns else ""
    examined += f" (at least {PIECE_ROWS} at a time)" if examined and page.after is not None else ""
    rows = f"{counted(len(page.rows), 'row')}{examined}"
    read = f"{rows}, {size(budget.bytes)}, {duration(budget.seconds * 1e9)}"
    note = markup("{} · {}. A page reads at most {}.{}", read, plan, PAGE, _LEGEND if page.rows else "")
    pager = _pager(page, query, step)
    parts = [pager, rows_table(page, options), pager] if page.rows else [reason or rows_table(page, options), pager]
    if page.limit:
        cut = "; the last row is incomplete: its own page has all cells" if page.rows and page.rows[-1].is_cut else ""
        parts.insert(0, notice(f"the limit of {page.limit} ended this page early{cut}; continue with the next page"))
    if query.filter:
        parts.insert(0, markup('<p class="note">{}</p>', _OF_FILTER))
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
    # Buttons of the form, so that they export what its fields say now.
    template = '<button form="query" formaction="{}" name="format" value="{}">{}</button>'
    buttons = [markup(template, address_of("download", query.table), key, title) for key, title in _FORMATS.items()]
    versions = "the newest version that passes the filter" if query.filter else "the newest version"
    note = markup(_DOWNLOAD_NOTE, versions, code(r"\xHH"), DOWNLOAD, code("rowstone export"))
    return section("Download", markup('<div class="pages">{}</div>', joined(buttons)), note=note)


def _new_row(of_table: str) -> Markup:
    return markup('<div class="pages"><a class="button" href="{}">Put a cell</a></div>', address_of("edit", of_table))
