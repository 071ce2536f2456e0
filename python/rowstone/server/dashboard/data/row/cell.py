"""``/cell/NAME?key=&column=&timestamp=``: one value in full; ``/value/NAME`` with the same parameters: its bytes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from starlette.responses import Response

from rowstone._base.printable import from_printable, printable
from rowstone.errors import InvalidArgument
from rowstone.filters import BinaryComparator, ColumnRangeFilter, Filter, QualifierFilter
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, definitions, link, section
from rowstone.server.dashboard._site import NotFound, Request, Site
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import cell_address, edit_link, head
from rowstone.server.dashboard.data._reader import read_row
from rowstone.server.dashboard.data._values import IMAGES, age, codecs_of, hex_dump, pretty, show_value
from rowstone.server.dashboard.data.row.versions import key_of

if TYPE_CHECKING:
    from rowstone._native import Cell

_DUMP_BYTES = 4096
_TEXT_CHARACTERS = 4096


def body(site: Site, request: Request, budget: Budget) -> Markup:
    cell = _find(request, budget)
    source = request.database.table(request.rest)
    codec = codecs_of(source.schema.attributes).of(cell.column)
    guessed, decoded = show_value(cell.value), show_value(cell.value, codec, limit=_TEXT_CHARACTERS)
    links = [link(cell_address("value", request.rest, cell), "download")]
    if site.can_write:
        links.append(edit_link(request.rest, cell))
    facts = definitions(
        [
            ("column", code(printable(cell.column))),
            ("timestamp", markup("{} ({})", str(cell.timestamp), age(cell.timestamp, round(time.time() * 1000)))),
            ("size", f"{size(len(cell.value))} ({count(len(cell.value))} bytes)"),
            ("type", f"{decoded.label}{'' if decoded.is_sure else ' (guessed)'}"),
            ("value", joined(markup("{} ", one) for one in links)),
        ]
    )
    parts = [head("cell of row", request.rest, cell.row), section("Cell", facts)]
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
    key, column = key_of(request), from_printable(request.query.get("column", ""))
    family, colon, qualifier = column.partition(b":")
    timestamp = request.query.get("timestamp", "")
    if not colon:
        raise NotFound("The address names no column: it needs the parameter column, as family:qualifier.")
    source = request.database.table(request.rest)
    stamp = int(timestamp) if timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 20 else None
    is_stored = stamp is not None
    for cell in read_row(source, key, (family,), budget, raw=is_stored, filter=only(qualifier), timestamp=stamp):
        if cell.type == "Put":
            return cell
    if limit := budget.spend(0):
        raise InvalidArgument(f"the limit of {limit} ended the search for column {printable(column, 100)}")
    raise NotFound(f"Row {printable(key, 100)} has no such version of column {printable(column, 100)}.")
