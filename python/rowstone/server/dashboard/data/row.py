"""``/row/NAME?key=``: all versions and delete markers of a row, and why a cell is missing."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rowstone._base.printable import from_printable, printable
from rowstone._core.inspect.explain_missing import explain_missing
from rowstone.errors import InvalidArgument
from rowstone.filters import KeyOnlyFilter
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section, table, tag
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import Look, data, head, value_link
from rowstone.server.dashboard.data._query import Query, columns_of
from rowstone.server.dashboard.data._reader import read_row
from rowstone.server.dashboard.data._values import age, codecs_of
from rowstone.server.dashboard.data.change.edit import offer_undo

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell

SHOWN_CELLS = 200
_BATCH_CELLS = 1_000
_MOST_LINES = 200
_LIMITED = {
    True: "the limit of {} ended this page early; continue with the next cells, or choose a family",
    False: "the limit of {} ended this page before cell {:,} of the row; choose a family, or go back",
}
"""Notices, by whether cells were read."""
Version = tuple[bytes, int]
"""Column and timestamp."""


def key_of(request: Request) -> bytes:
    """The row key of a request. Raises `NotFound` without one."""
    key = from_printable(request.query.get("key", ""))
    if not key:
        raise NotFound("The address names no row: it needs the parameter key.")
    return key


def body(site: Site, request: Request, budget: Budget) -> Markup:
    key, of_table = key_of(request), request.rest
    source = request.database.table(of_table)
    families = tuple(dict.fromkeys(name.partition(b":")[0] for name in columns_of(request.query.get("family", ""))))
    skip = request.number("skip", 0, least=0)
    missing = _missing(request, key, budget)
    cells, limit = _page_of_cells(source, key, families, skip, budget)
    visible, is_complete = _visible(source, key, families, cells, budget)
    hidden = tag("hidden", "warm") if is_complete else tag("unknown")
    look = Look(Query(of_table), codecs_of(source.schema.attributes), round(time.time() * 1000))
    more = bool(limit) or len(cells) > SHOWN_CELLS
    note = (
        f"Cells {skip + 1:,} to {skip + min(len(cells), SHOWN_CELLS):,} of the row, as stored; newest versions first."
    )
    note = note if cells else ""
    return joined(
        [
            head("row", of_table, key),
            notice(_LIMITED[bool(cells)].format(limit, skip + 1) if limit else None),
            _families(of_table, key, list(source.schema.families), families),
            section("Versions", _timeline(cells[:SHOWN_CELLS], visible, hidden, look), note=note)
            if cells or not limit
            else Markup(""),
            _pager(of_table, key, families, skip, min(len(cells), SHOWN_CELLS) if more else 0),
            missing,
            _edit(site, request, key, budget) if site.can_write else Markup(""),
        ]
    )


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


def _timeline(cells: list[Cell], visible: set[Version], hidden: Markup, look: Look) -> Markup:
    """A line per version and marker; ``hidden`` is the state of versions that are not visible."""
    lines = []
    for column, versions in groupby(cells, key=lambda cell: cell.column):
        name: object = code(printable(column, 200))
        for cell in versions:
            lines.append([name, *_version(cell, visible, hidden, look)])
            name = ""
    headings = ("Column", "State", "Value", "Type", "Size", "Age", "Timestamp")
    return data(table(headings, lines, numbers=(4, 6), empty="The row has no stored cells here."))


def _version(cell: Cell, visible: set[Version], hidden: Markup, look: Look) -> list[object]:
    when, stamp = age(cell.timestamp, look.now_ms), str(cell.timestamp)
    if cell.type != "Put":
        return [tag(f"marker {cell.type}", "bad"), "", "", "", when, stamp]
    # A raw scan returns one put of each timestamp, the one written last.
    is_visible = (cell.column, cell.timestamp) in visible
    value, kind = value_link(cell, look)
    return [tag("visible", "good") if is_visible else hidden, value, kind, size(len(cell.value)), when, stamp]


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


def _missing(request: Request, key: bytes, budget: Budget) -> Markup:
    """The form for a column that has no value, and the explanation of the column that was asked for."""
    wanted = request.query.get("missing", "")
    answer = Markup("")
    if wanted:
        column = from_printable(wanted)
        if b":" not in column:
            raise InvalidArgument(f"'{wanted}' is no column: write family:qualifier")
        answer = _explanation(request.database.table(request.rest), key, column, budget)
    form = markup(
        '<form class="filter" action="{}"><input type="hidden" name="key" value="{}"><input type="search" '
        'name="missing" value="{}" placeholder="family:qualifier" aria-label="Column"><button>Explain</button></form>',
        address_of("row", request.rest),
        printable(key),
        wanted,
    )
    return section("Why is my cell missing?", form, answer, note="Delete markers, expiry or newer versions hide cells.")


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
    """Counts bytes of the explanation, separately from those of the page, and raises `_Ended` at a limit."""
    read = 0

    def spend(byte_count: int) -> None:
        nonlocal read
        budget.check()
        read += byte_count
        if read >= budget.limits.bytes or budget.is_over:
            limit = "bytes" if read >= budget.limits.bytes else "seconds"
            raise _Ended(f"the limit of {limit} ended the explanation: use Database.explain_missing")

    return spend


def _edit(site: Site, request: Request, key: bytes, budget: Budget) -> Markup:
    to_forms = link(address_of("edit", request.rest, key=printable(key)), "Put, increment or delete")
    return section("Change", to_forms, offer_undo(site, request, key, budget))
