"""``/{table}/scanner``: scanners that stay open between requests. Sources: HBase's ScannerResource,
ScannerInstanceResource."""

from __future__ import annotations

import base64
from typing import Any

from rowstone._native import Cell
from rowstone.errors import (
    AccessDenied,
    InvalidArgument,
    NoSuchColumnFamily,
    NotFoundError,
    RowstoneError,
    StateError,
    TableNotFound,
)
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import GONE, NO_CACHE, NOT_FOUND, Answer
from rowstone.server.rest._cells import cell_message
from rowstone.server.rest._request import Request
from rowstone.server.rest._rowspec import LATEST, column_of
from rowstone.server.rest._scanners import OpenScanner
from rowstone.server.rest.messages import _json_filters, _models
from rowstone.server.rest.messages.shapes import Message

ALL = (1 << 31) - 1


def create(request: Request) -> Answer:
    """Open a scanner; the header Location is its address."""
    model = request.message
    try:
        scanner = request.table().scan(**_options(model))
    except (NotFoundError, NoSuchColumnFamily):
        return NOT_FOUND
    except InvalidArgument:
        return _answer.text(400, "Bad request")
    except AccessDenied:
        raise
    except RowstoneError:
        return _answer.text(503, "Unavailable")
    opened = OpenScanner(request.user, request.table_name, scanner, model.get("batch", ALL))
    return _answer.created(f"{request.url.rstrip('/')}/{request.scanners.add(opened)}")


def _options(model: Message) -> dict[str, Any]:
    times = (model.get("startTime", 0), model.get("endTime", LATEST))
    start, stop = model.get("startRow") or None, model.get("endRow") or None
    text = model.get("filter")
    return {
        "start": start,
        "stop": stop,
        "include_stop": start is not None and start == stop,
        "columns": [column_of(column) for column in model.get("column", ())] or None,
        "time_range": None if times == (0, LATEST) else times,
        "versions": model.get("maxVersions", ALL),
        "cache_blocks": model.get("cacheBlocks", True),
        "filter": _json_filters.parse(text) if text else None,
    }


def next_cells(request: Request) -> Answer:
    """The next cells: the scanner's batch or ``c`` cells, of at most ``n`` rows. 204 at the end."""
    scanner = _find(request)
    if isinstance(scanner, Answer):
        return scanner
    most_rows, most_cells = request.query.number("n", 0), request.query.number("c", 0)
    with request.scanners.using(request.parts["scanner"], scanner):
        try:
            rows = _take(scanner, most_rows, most_cells if most_cells > 0 else scanner.batch)
        except (StateError, NotFoundError) as error:
            return _ended(request, error)
    if not rows:
        return Answer(204)
    return _answer.message(_models.CELL_SET, {"Row": rows}, request.media, NO_CACHE)


def _take(scanner: OpenScanner, most_rows: int, most_cells: int) -> list[Message]:
    rows: list[Message] = []
    count = 0
    while count < max(most_cells, 1):
        cell = scanner.next_cell()
        if cell is None:
            break
        if not rows or rows[-1]["key"] != cell.row:
            if rows and len(rows) == most_rows:
                scanner.put_back(cell)
                break
            rows.append({"key": cell.row, "Cell": []})
        rows[-1]["Cell"].append(cell_message(cell))
        count += 1
    return rows


def next_value(request: Request) -> Answer:
    """The next cell's value, unencoded; row, column and time are headers, the first two in base64."""
    scanner = _find(request)
    if isinstance(scanner, Answer):
        return scanner
    with request.scanners.using(request.parts["scanner"], scanner):
        try:
            cell = scanner.next_cell()
        except (StateError, NotFoundError) as error:
            return _ended(request, error)
    if cell is None:
        return Answer(204)
    return Answer(200, cell.value, request.media, {**NO_CACHE, **_headers(cell)})


def _headers(cell: Cell) -> dict[str, str]:
    return {
        "X-Row": base64.b64encode(cell.row).decode(),
        "X-Column": base64.b64encode(cell.column).decode(),
        "X-Timestamp": str(cell.timestamp),
    }


def close(request: Request) -> Answer:
    """Close a scanner."""
    scanner = _find(request)
    if isinstance(scanner, Answer):
        return scanner
    request.scanners.remove(request.parts["scanner"])
    return _answer.done()


def _find(request: Request) -> OpenScanner | Answer:
    """The scanner of the path, or the response if it is unknown or expired. Raises `AccessDenied`."""
    name = request.parts["scanner"]
    scanner = request.scanners.get(name)
    if scanner is None:
        return GONE if request.scanners.was_open(name) else NOT_FOUND
    if scanner.owner != request.user:
        raise AccessDenied(f"user '{request.user}' did not open scanner {name}")
    return scanner


def _ended(request: Request, error: RowstoneError) -> Answer:
    """The response when the table was disabled or deleted meanwhile."""
    request.scanners.remove(request.parts["scanner"])
    return GONE if isinstance(error, (StateError, TableNotFound)) else NOT_FOUND
