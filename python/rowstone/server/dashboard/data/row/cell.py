"""``/cell/NAME?key=&column=&timestamp=``: one value in full; ``/value/NAME`` with the same parameters: its bytes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from rowstone._base.printable import counted, printable
from rowstone.errors import InvalidArgument
from rowstone.filters import BinaryComparator, ColumnRangeFilter, Filter, QualifierFilter
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, definitions, link, section
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import cell_address, edit_link, head
from rowstone.server.dashboard.data._query import column_of
from rowstone.server.dashboard.data._reader import read_row
from rowstone.server.dashboard.data._times import age
from rowstone.server.dashboard.data._values import IMAGES, codecs_of, hex_dump, pretty, show_value
from rowstone.server.dashboard.data.row.versions import key_of

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell

_DUMP_BYTES = 4096
_TEXT_CHARACTERS = 4096
_UNIT_BYTES = 1024


def body(site: Site, request: Request, budget: Budget) -> Markup:
    cell = _find(request, budget)
    source = request.database.table(request.rest)
    codec = codecs_of(source.schema.attributes).of(cell.column)
    guessed, decoded = show_value(cell.value), show_value(cell.value, codec, limit=_TEXT_CHARACTERS)
    links = [link(cell_address("value", request.rest, cell), "download"), _onward(site, request, cell, budget)]
    bytes_text = counted(len(cell.value), "byte")
    facts = definitions(
        [
            ("column", code(printable(cell.column))),
            ("timestamp", str(cell.timestamp)),
            ("written", age(cell.timestamp, round(time.time() * 1000))),
            ("size", f"{size(len(cell.value))} ({bytes_text})" if len(cell.value) >= _UNIT_BYTES else bytes_text),
            ("type", f"{decoded.kind}{'' if decoded.is_sure else ' (guessed)'}"),
            ("value", joined(markup("{} ", one) for one in links)),
        ]
    )
    column = code(printable(cell.column, 200))
    parts = [head("cell of row", request.rest, cell.row, below=column), section("Cell", facts)]
    if guessed.kind in IMAGES:
        image = markup('<img src="{}" alt="the value">', cell_address("value", request.rest, cell, inline=1))
        parts.append(section("Image", image))
    parts.append(
        section("Decoded", markup('<pre class="wrap">{}</pre>', pretty(cell.value) or decoded.text or "(empty)"))
    )
    note = "" if len(cell.value) <= _DUMP_BYTES else f"The first {count(_DUMP_BYTES)} bytes."
    parts.append(
        section("Hexadecimal", markup('<pre tabindex="0">{}</pre>', hex_dump(cell.value[:_DUMP_BYTES])), note=note)
    )
    return joined(parts)


def _onward(site: Site, request: Request, cell: Cell, budget: Budget) -> Markup:
    """For the newest visible version the link to its form, which has the newest value; for others a link to that."""
    newest = next(_versions(request.database.table(request.rest), cell.row, cell.column, budget), None)
    if newest is None or budget.spend(0):
        return Markup("")
    if newest.timestamp != cell.timestamp:
        address = address_of("cell", request.rest, key=printable(cell.row), column=printable(cell.column))
        return markup("· not the newest version: {}", link(address, "newest version"))
    return edit_link(request.rest, cell) if site.can_write else Markup("")


def value(site: Site, request: Request, budget: Budget) -> Response:
    """The bytes of a value: an image inline if ``inline`` asks for it, anything else as a download."""
    found = _find(request, budget).value
    media = IMAGES.get(show_value(found).kind)
    if media is not None and request.query.get("inline"):
        return Response(found, media_type=media)
    attached = {"Content-Disposition": 'attachment; filename="value.bin"'}
    return Response(found, media_type="application/octet-stream", headers=attached)


def only(qualifier: bytes) -> Filter:
    """A filter for one qualifier, which also works in raw scans."""
    if not qualifier:
        return QualifierFilter("=", BinaryComparator(qualifier))
    return ColumnRangeFilter(qualifier, True, qualifier, True)


def _find(request: Request, budget: Budget) -> Cell:
    """The stored cell of a request, hidden or not; without a timestamp the newest visible one."""
    key, column = key_of(request), column_of(request.query.get("column", ""))
    timestamp = request.query.get("timestamp", "")
    source = request.database.table(request.rest)
    stamp = int(timestamp) if timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 20 else None
    found = next(_versions(source, key, column, budget, stamp), None)
    if found is not None:
        return found
    if limit := budget.spend(0):
        raise InvalidArgument(f"the limit of {limit} ended the search for column {printable(column, 100)}")
    raise NotFound(f"Row {printable(key, 100)} has no such version of column {printable(column, 100)}.")


def _versions(source: Table, key: bytes, column: bytes, budget: Budget, timestamp: int | None = None) -> Iterator[Cell]:
    """Visible versions of a column; with a timestamp the stored one of it, hidden or not."""
    family, _, qualifier = column.partition(b":")
    options: dict[str, Any] = {"raw": timestamp is not None, "filter": only(qualifier), "timestamp": timestamp}
    return (cell for cell in read_row(source, key, (family,), budget, **options) if cell.type == "Put")
