"""Explanations of missing rows and cells: the next key, the form, the text, the markers that hide a version."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone._core.inspect.explain_missing import OF_FAMILY, Marker, explain_missing, hiding
from rowstone.server.dashboard._markup import Markup, markup
from rowstone.server.dashboard._parts import code, link, notice, section
from rowstone.server.dashboard._site import Request, address_of
from rowstone.server.dashboard._words import count
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._query import Query, bytes_of, check_families, column_of
from rowstone.server.dashboard.data._reader import read_page

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell

_MOST_LINES = 200
HidingMarkers = Callable[["Cell"], tuple[Marker, ...]]
"""The markers that hide a cell."""


def hiding_markers(cells: list[Cell]) -> HidingMarkers:
    """Find markers among the ``cells`` of a page; those of a family may be on an earlier one."""
    found: dict[bytes, list[Marker]] = {}
    for cell in cells:
        if cell.type != "Put":
            place = cell.family if cell.type in OF_FAMILY else cell.column
            found.setdefault(place, []).append(Marker(cell.type, cell.timestamp))
    return lambda cell: hiding([*found.get(cell.family, []), *found.get(cell.column, [])], cell.timestamp)


def no_row(source: Table, key: bytes, budget: Budget) -> Markup:
    """The text instead of a row's cells, with a link to the next row."""
    found = read_page(source, Query(source.name, start=key), budget, rows=1, width=1).rows
    if not found:
        return markup('<p class="empty">The row has no stored cells here.</p>')
    following = found[0].key
    address = address_of("row", source.name, key=printable(following))
    text = '<p class="empty">The row has no stored cells here. The next key is {}.</p>'
    return markup(text, link(address, code(printable(following, 100))))


def missing_address(of_table: str, key: bytes, column: bytes) -> str:
    """The address of the explanation of a column."""
    return address_of("row", of_table, key=printable(key), missing=printable(column)) + "#missing"


def missing_cell(request: Request, key: bytes, budget: Budget) -> Markup:
    """The form for a column that has no value, and the explanation of the column that was asked for."""
    wanted = request.query.get("missing", "")
    if not wanted:
        return missing_form(request, key)
    source = request.database.table(request.rest)
    check_families([bytes_of(wanted, "column")], source.schema.families)
    column = column_of(wanted)
    return missing_form(request, key, _explanation(source, key, column, budget))


def missing_form(request: Request, key: bytes, answer: Markup | None = None) -> Markup:
    """The form, with the column that was asked for, and an answer."""
    form = markup(
        '<form class="filter" id="missing" action="{}"><input type="hidden" name="key" value="{}"><input type="hidden" '
        'name="part" value="missing"><input type="search" name="missing" value="{}" placeholder="family:qualifier" '
        'aria-label="Column" required><button>Explain</button></form>',
        address_of("row", request.rest),
        printable(key),
        request.query.get("missing", ""),
    )
    note = "Delete markers, expiry or newer versions hide cells."
    return section("Why is my cell missing?", form, answer or Markup(""), note=note)


def _explanation(source: Table, key: bytes, column: bytes, budget: Budget) -> Markup:
    try:
        text = str(explain_missing(source, key, column, _spending(budget)))
    except _Ended as error:
        return notice(str(error))
    lines = text.splitlines()
    more = [f"  and {count(len(lines) - _MOST_LINES)} more"] if len(lines) > _MOST_LINES else []
    return markup('<pre class="wrap">{}</pre>', "\n".join(lines[:_MOST_LINES] + more))


class _Ended(Exception):
    """A limit ended the explanation."""


def _spending(budget: Budget) -> Callable[[int], None]:
    """Count bytes of the explanation, separately from those of the page, and raise `_Ended` at a limit."""
    read = 0

    def spend(byte_count: int) -> None:
        nonlocal read
        budget.check()
        read += byte_count
        if read >= budget.limits.bytes or budget.is_over:
            limit = "bytes" if read >= budget.limits.bytes else "seconds"
            raise _Ended(f"the limit of {limit} ended the explanation: use Database.explain_missing")

    return spend
