"""``/row/NAME?key=``: all versions and delete markers of a row, and why a cell is missing."""

from __future__ import annotations

import time
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rowstone._base.printable import from_printable, printable
from rowstone.errors import UsageError
from rowstone.filters import KeyOnlyFilter
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section, table
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of
from rowstone.server.dashboard._words import size
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import (
    DisplayOptions,
    compare_form,
    data,
    edit_link,
    head,
    row_form,
    value_link,
)
from rowstone.server.dashboard.data._query import Query, columns_of
from rowstone.server.dashboard.data._reader import read_row
from rowstone.server.dashboard.data._times import age
from rowstone.server.dashboard.data._values import codecs_of
from rowstone.server.dashboard.data.change.edit import last_change
from rowstone.server.dashboard.data.row._missing import (
    hiding_markers,
    missing_address,
    missing_cell,
    missing_form,
    no_row,
)
from rowstone.server.dashboard.data.row._states import States, Version

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell

SHOWN_CELLS = 200
_BATCH_CELLS = 1_000
_LIMITED = {
    True: "the limit of {} ended this page early; continue with the next cells, or choose a family",
    False: "the limit of {} ended this page before cell {:,} of the row; choose a family, or go back",
}
"""Notices, by whether cells were read."""


def key_of(request: Request) -> bytes:
    """The row key of a request. Raises `NotFound` without one."""
    key = from_printable(request.query.get("key", ""))
    if not key:
        raise NotFound("The row key is empty: choose a row of the table, or type its key.")
    return key


def body(site: Site, request: Request, budget: Budget) -> Markup:
    return _row(site, request, budget, missing_cell(request, key_of(request), budget))


def refused_page(site: Site, request: Request, budget: Budget, error: UsageError) -> Markup:
    """The page with its forms, and why a column cannot be explained. Raises other errors."""
    if not request.query.get("missing"):
        raise error
    return _row(site, request, budget, missing_form(request, key_of(request), notice(str(error))))


def _row(site: Site, request: Request, budget: Budget, missing: Markup) -> Markup:
    key, of_table = key_of(request), request.rest
    source = request.database.table(of_table)
    families = tuple(dict.fromkeys(name.partition(b":")[0] for name in columns_of(request.query.get("family", ""))))
    skip = request.number("skip", 0, least=0)
    cells, limit = _page_of_cells(source, key, families, skip, budget)
    visible, is_complete = _visible(source, key, families, cells, budget)
    options = DisplayOptions(Query(of_table), codecs_of(source.schema.attributes), round(time.time() * 1000))
    # Markers of a family come before its cells, so those of the first family may be on an earlier page.
    begun = cells[0].family if cells and skip else None
    states = States(visible, is_complete, hiding_markers(cells), source.schema.families, begun)
    more = bool(limit) or len(cells) > SHOWN_CELLS
    is_missing = not (cells or limit or families or skip)
    return joined(
        [
            head("row", of_table, key),
            row_form(of_table),
            last_change(site, request, key, budget) if site.can_write else Markup(""),
            notice(_LIMITED[bool(cells)].format(limit, skip + 1) if limit else None),
            _families(of_table, key, list(source.schema.families), families),
            section("Versions", no_row(source, key, budget))
            if is_missing
            else section(
                "Versions", _timeline(cells[:SHOWN_CELLS], states, options, site.can_write), note=_extent(skip, cells)
            )
            if cells or not limit
            else Markup(""),
            _pager(of_table, key, families, skip, min(len(cells), SHOWN_CELLS) if more else 0),
            missing,
            section("Compare with another row", compare_form(of_table, key)),
            _change(of_table, key) if site.can_write else Markup(""),
        ]
    )


def _extent(skip: int, cells: list[Cell]) -> str:
    """The cells that the page has."""
    last = skip + min(len(cells), SHOWN_CELLS)
    which = f"Cell {last:,}" if last == skip + 1 else f"Cells {skip + 1:,} to {last:,}"
    return f"{which} of the row, as stored; newest versions first." if cells else ""


def _page_of_cells(
    source: Table, key: bytes, families: tuple[bytes, ...], skip: int, budget: Budget
) -> tuple[list[Cell], str]:
    """The stored cells of a page and one more if there is one, and the limit that was reached."""
    cells = []
    for cell in read_row(source, key, families, budget, raw=True, skip=skip):
        cells.append(cell)
        if len(cells) > SHOWN_CELLS:
            return cells, ""
    return cells, budget.spend(0)


def _visible(
    source: Table, key: bytes, families: tuple[bytes, ...], cells: list[Cell], budget: Budget
) -> tuple[set[Version], bool]:
    """Versions of ``cells`` that a read returns; False if the limit of seconds came before the last of them."""
    found: set[Version] = set()
    wanted = {(cell.column, cell.timestamp) for cell in cells}
    last = max(((cell.family, cell.qualifier) for cell in cells), default=(b"", b""))
    options: dict[str, Any] = {"versions": None, "filter": KeyOnlyFilter(), "batch": _BATCH_CELLS}
    with source.scan(key, key + b"\0", columns=families or None, **options) as parts:
        for part in parts:
            budget.check()
            for cell in part.cells:
                if (cell.family, cell.qualifier) > last:
                    return found, True
                if (cell.column, cell.timestamp) in wanted:
                    found.add((cell.column, cell.timestamp))
            if budget.is_over:
                return found, False
    return found, True


def _timeline(cells: list[Cell], states: States, options: DisplayOptions, can_write: bool) -> Markup:
    """A line per version and marker. The name of a column with hidden versions or markers is a link that explains it;
    the newest visible version of a column has a link to the form that changes it."""
    lines = []
    for column, group in groupby(cells, key=lambda cell: cell.column):
        versions = list(group)
        shown = [cell for cell in versions if (cell.column, cell.timestamp) in states.visible and cell.type == "Put"]
        name: object = code(printable(column, 200))
        if len(shown) < len(versions):
            name = link(missing_address(options.query.table, versions[0].row, column), name)
        for cell, state in zip(versions, states.of(versions), strict=True):
            edit = edit_link(options.query.table, cell) if can_write and shown[:1] == [cell] else ""
            lines.append([name, state, *_version(cell, edit, options)])
            name = ""
    headings = ("Column", "State", "Value", "Type", "Size", "Age", "Timestamp")
    return data(table(headings, lines, numbers=(4, 6), empty="The row has no stored cells here."))


def _version(cell: Cell, edit: object, options: DisplayOptions) -> list[object]:
    when, stamp = age(cell.timestamp, options.now_ms), str(cell.timestamp)
    if cell.type != "Put":
        return ["", "", "", when, stamp]
    value, kind = value_link(cell, options)
    return [markup("{} {}", value, edit), kind, size(len(cell.value)), when, stamp]


def _families(of_table: str, key: bytes, all_families: list[bytes], chosen: tuple[bytes, ...]) -> Markup:
    if len(all_families) < 2:
        return Markup("")
    place = {"key": printable(key)}
    links = [("all families", address_of("row", of_table, **place), not chosen)]
    links += [
        (printable(name), address_of("row", of_table, **place, family=printable(name)), chosen == (name,))
        for name in all_families
    ]
    parts = (
        markup('<a class="button" href="{}"{}>{}</a>', to, Markup(' aria-current="true"' if is_here else ""), text)
        for text, to, is_here in links
    )
    return markup('<div class="pages">{}</div>', joined(parts))


def _pager(of_table: str, key: bytes, families: tuple[bytes, ...], skip: int, step: int) -> Markup:
    place = {"key": printable(key), "family": ", ".join(map(printable, families))}

    def to(number: int, text: str) -> Markup:
        return markup('<a class="button" href="{}">{}</a>', address_of("row", of_table, **place, skip=number), text)

    parts = [to(max(skip - SHOWN_CELLS, 0), "← Cells before")] if skip else []
    parts += [to(skip + step, "Next cells →")] if step else []
    return markup('<div class="pages">{}</div>', joined(parts)) if parts else Markup("")


def _change(of_table: str, key: bytes) -> Markup:
    return section("Change", link(address_of("edit", of_table, key=printable(key)), "Put, increment or delete"))
