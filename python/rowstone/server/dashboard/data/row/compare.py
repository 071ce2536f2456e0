"""``/compare/NAME?key=&with=``: the newest versions of two rows, side by side."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rowstone._base.printable import counted, printable
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section, table, tag
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import DisplayOptions, compare_form, data, head, row_address, value_link
from rowstone.server.dashboard.data._query import Query, bytes_of
from rowstone.server.dashboard.data._reader import read_row
from rowstone.server.dashboard.data._times import date
from rowstone.server.dashboard.data._values import codecs_of
from rowstone.server.dashboard.data.row.versions import SHOWN_CELLS, key_of

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell

_ENDED = f"a row has more than {SHOWN_CELLS} columns, or a limit of the page was reached"
Column = tuple[bytes, bytes]
"""Family and qualifier."""


def body(site: Site, request: Request, budget: Budget) -> Markup:
    key, other = key_of(request), bytes_of(request.query.get("with", ""), "row key")
    source = request.database.table(request.rest)
    options = DisplayOptions(Query(request.rest), codecs_of(source.schema.attributes), round(time.time() * 1000))
    if not other:
        raise InvalidArgument("the key of the second row is empty")
    rows, ends = [], []
    for row in (key, other):
        cells, end = _newest(source, row, budget)
        rows.append(cells)
        ends += [] if end is None else [end]
    if ends:
        rows = [{name: cell for name, cell in row.items() if name <= min(ends)} for row in rows]
    absent = [printable(row, 100) for row, cells in zip((key, other), rows, strict=True) if not cells]
    cut = f"only columns up to {_text(min(ends))} are compared: {_ENDED}" if ends else None
    return joined(
        [
            head("comparison of row", request.rest, key, below=markup("with {}", code(printable(other, 200)))),
            notice(cut),
            notice(f"no value is visible in row {' and '.join(absent)}") if absent and not ends else Markup(""),
            _side_by_side((key, other), rows, options),
            section("Compare with another row", compare_form(request.rest, key, printable(other))),
        ]
    )


def refused_page(site: Site, request: Request, budget: Budget, error: Exception) -> Markup:
    """The form with what was typed, and why there is no comparison."""
    key, of_table = key_of(request), request.database.table(request.rest).schema.name
    form = compare_form(of_table, key, request.query.get("with", ""))
    return joined(
        [
            head("comparison of row", of_table, key, below="comparison"),
            section("Compare with another row", form, notice(str(error))),
        ]
    )


def _newest(source: Table, key: bytes, budget: Budget) -> tuple[dict[Column, Cell], Column | None]:
    """The newest version of each column, and the last column that was read if a limit left out others."""
    found: dict[Column, Cell] = {}
    for cell in read_row(source, key, (), budget, raw=False, versions=1):
        if len(found) == SHOWN_CELLS:
            return found, max(found)
        found[cell.family, cell.qualifier] = cell
    return found, max(found, default=(b"", b"")) if budget.spend(0) else None


def _side_by_side(keys: tuple[bytes, bytes], rows: list[dict[Column, Cell]], options: DisplayOptions) -> Markup:
    names, differing = sorted({*rows[0], *rows[1]}), 0
    lines: list[list[object]] = []
    for name in names:
        first, second = rows[0].get(name), rows[1].get(name)
        if first is None or second is None:
            state = tag("only in one row", "warm")
        elif first.value == second.value:
            state = tag("equal", "good")
        else:
            state = tag("differs", "warm")
        differing += first is None or second is None or first.value != second.value
        lines.append([code(_text(name)), state, *(_value(one, options) for one in (first, second))])
    headings = [
        "Column",
        "State",
        *(link(row_address(key, options.query.table), code(printable(key, 60))) for key in keys),
    ]
    title = f"{differing:,} of {counted(len(names), 'column')} differ{'s' if differing == 1 else ''}"
    return section(title, data(table(headings, lines, empty="No cells.")), note="The newest version of each column.")


def _value(cell: Cell | None, options: DisplayOptions) -> Markup:
    if cell is None:
        return Markup("")
    value, _ = value_link(cell, options)
    return markup('{}<small class="about">{}</small>', value, date(cell.timestamp, options.now_ms))


def _text(name: Column) -> str:
    return printable(b":".join(name), 200)
