"""Parts of the pages with data: a page's heading, rows as a grid or line by line, links to rows and cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._markup import Markup, markup
from rowstone.server.dashboard._parts import code, link, table
from rowstone.server.dashboard._site import address_of
from rowstone.server.dashboard._words import size
from rowstone.server.dashboard.data._query import Query
from rowstone.server.dashboard.data._reader import Page
from rowstone.server.dashboard.data._times import date
from rowstone.server.dashboard.data._values import show_value

if TYPE_CHECKING:
    from rowstone._native import Cell
    from rowstone.codecs import Codecs
    from rowstone.keys import Key

GRID_COLUMNS = 12
"""A page with more columns has a line per cell."""
_WIDE_COLUMNS = 4
"""In a grid with more columns, one long value must not push the others out of sight."""
_VALUE_CHARACTERS, _NARROW_CHARACTERS = 120, 60
_KEY_BYTES = 80
_HEADING_BYTES = 200
_MOST_REASON = 120


@dataclass(frozen=True)
class DisplayOptions:
    """Display options: the form of values, codecs of the columns, the time for ages, parts of the keys."""

    query: Query
    codecs: Codecs
    now_ms: int
    key: Key | None = None


def head(name: str, of_table: str, row: bytes | None = None, *, below: object = "") -> Markup:
    """The heading of a page. Pages of a row also have the way to them: table, row and, if given, the part ``below``."""
    subject, to_table = name[:1].upper() + name[1:], link(address_of("tables", of_table), of_table)
    if row is None:
        return markup("<h1>{} of {}</h1>", subject, to_table)
    key = code(printable(row, _HEADING_BYTES))
    heading = markup("<h1>{} {} of {}</h1>", subject, key, to_table)
    if below:
        key = markup("{} › {}", link(row_address(row, of_table), key), below)
    onward = link(address_of("rows", of_table, **{"from": printable(row)}), "rows from here on")
    return markup('{}<p class="lead">{} › {} · {}</p>', heading, to_table, key, onward)


def rows_table(page: Page, options: DisplayOptions) -> Markup:
    """The rows of a page: as a grid if they have few columns, else with a line per cell."""
    columns = sorted({cell.column for row in page.rows for cell in row.cells})
    if len(columns) > GRID_COLUMNS:
        return data(_lines(page, options))
    return data(_grid(page, options, columns), is_narrow=len(columns) > _WIDE_COLUMNS)


def data(table: Markup, *, is_narrow: bool = False) -> Markup:
    """A table with keys and values, which keep some width on a small screen; ``is_narrow``: values wrap early."""
    return markup('<div class="data{}">{}</div>', " narrow" if is_narrow else "", table)


def _grid(page: Page, options: DisplayOptions, columns: list[bytes]) -> Markup:
    limit = _VALUE_CHARACTERS if len(columns) <= _WIDE_COLUMNS else _NARROW_CHARACTERS
    headings = ["Row", *(code(printable(column, 60)) for column in columns)]
    lines = []
    for row in page.rows:
        cells: dict[bytes, Cell] = {}
        for cell in row.cells:
            cells.setdefault(cell.column, cell)
        lines.append([_key(row.key, options), *(_cell(cells.get(name), options, limit) for name in columns)])
    return table(headings, lines, empty=_empty(page))


def _lines(page: Page, options: DisplayOptions) -> Markup:
    def lines() -> Iterator[list[object]]:
        for row in page.rows:
            key: object = _key(row.key, options)
            for cell in row.cells:
                yield [key, code(printable(cell.column, 60)), _cell(cell, options, _VALUE_CHARACTERS)]
                key = ""
            if row.has_more:
                yield [key, "…", link(row_address(row.key, options.query.table), "further columns of this row")]

    return table(("Row", "Column", "Value"), lines(), empty=_empty(page))


def _empty(page: Page) -> str:
    return "No row here yet; continue with the next page." if page.after else "No rows."


def row_address(key: bytes, of_table: str) -> str:
    """The address of a row's page."""
    return address_of("row", of_table, key=printable(key))


def _key(key: bytes, options: DisplayOptions) -> Markup:
    """A row key as a link to its row, with its parts if they are known."""
    shown_key = link(row_address(key, options.query.table), code(printable(key, _KEY_BYTES)))
    if options.key is None:
        return shown_key
    try:
        parts = " · ".join(
            f"{name}={value!r}" for name, value in zip(options.key.fields, options.key.decode(key), strict=True)
        )
    except InvalidArgument as error:
        parts = f"does not have these parts: {error}"[:_MOST_REASON]
    return markup('{}<small class="about">{}</small>', shown_key, parts)


def _cell(cell: Cell | None, options: DisplayOptions, limit: int) -> Markup:
    """A value with its type, size and date; a link to the whole of it, with all bytes."""
    if cell is None:
        return Markup("")
    value, kind = value_link(cell, options, limit)
    about = '{}<small class="about">{} · {}</small><small class="about">{}</small>'
    return markup(about, value, kind, size(len(cell.value)), date(cell.timestamp, options.now_ms))


def value_link(cell: Cell, options: DisplayOptions, limit: int = _VALUE_CHARACTERS) -> tuple[Markup, str]:
    """A value of about ``limit`` characters as a link to the page of its cell, and the name of its type."""
    found = show_value(cell.value, options.codecs.of(cell.column), options.query.show, limit)
    address = cell_address("cell", options.query.table, cell)
    return markup('<a class="value" href="{}">{}</a>', address, found.text or "(empty)"), found.label


def cell_address(page: str, of_table: str, cell: Cell, **more: object) -> str:
    """The address of a page about one version of a cell."""
    place: dict[str, object] = {
        "key": printable(cell.row),
        "column": printable(cell.column),
        "timestamp": str(cell.timestamp),
    }
    return address_of(page, of_table, **place, **more)


def edit_link(of_table: str, cell: Cell) -> Markup:
    """A link to the form that changes the column of a cell."""
    return link(address_of("edit", of_table, key=printable(cell.row), column=printable(cell.column)), "Edit")


def row_form(of_table: str) -> Markup:
    """The form that leads to a row by its key."""
    return markup(
        '<form class="filter" action="{}"><input type="search" name="key" placeholder="row key" aria-label="Row key" '
        "required><button>Show row</button></form>",
        address_of("row", of_table),
    )


def compare_form(of_table: str, key: bytes, other: str = "") -> Markup:
    """The form that compares a row with another one; ``other`` is the text of that one's key."""
    return markup(
        '<form class="filter" action="{}"><input type="hidden" name="key" value="{}"><input type="search" name="with" '
        'value="{}" placeholder="row key" aria-label="Compare with row" required><button>Compare</button></form>',
        address_of("compare", of_table),
        printable(key),
        other,
    )
