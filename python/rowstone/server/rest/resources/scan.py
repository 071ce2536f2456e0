"""``/{table}/{prefix}*``: rows by prefix, streamed while they are read. Source: HBase's TableScanResource."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from rowstone._native import Row, Scanner
from rowstone.filters import Filter, FilterList, PrefixFilter
from rowstone.server.rest._answer import Answer
from rowstone.server.rest._cells import row_message
from rowstone.server.rest._request import Request, decoded, filter_of
from rowstone.server.rest._rowspec import LATEST, column_of
from rowstone.server.rest.messages import _media, _models
from rowstone.server.rest.messages.shapes import to_json, to_protobuf, to_xml
from rowstone.server.rest.messages.shapes._xml import DECLARATION

FETCH_ROWS = 10
"""Rows per protobuf message; HBase's setting hbase.rest.scan.fetchsize."""


def scan(request: Request) -> Answer:
    """The rows whose keys start with the prefix, filtered by the query."""
    scanner = request.table().scan(**_options(request))
    rows = _limited(scanner, request.query.number("limit", (1 << 31) - 1))
    form = {_media.JSON: _json, _media.XML: _xml}.get(request.media, _protobuf)
    return Answer(200, form(rows), request.media)


def _options(request: Request) -> dict[str, Any]:
    query = request.query
    prefix = decoded(request.parts["prefix"], plus=False).partition("*")[0].encode()
    start = _bytes(query.get("startrow") or "") or prefix
    stop = _bytes(query.get("endrow") or "")
    times = (query.number("starttime", 0), query.number("endtime", LATEST))
    batch = query.number("batchsize", -1)
    columns = [column_of(_bytes(name.strip())) for name in query.all("column") if name.strip()]
    return {
        "start": start or None,
        "stop": stop or None,
        "include_stop": bool(start) and start == stop,
        "columns": columns or None,
        "versions": query.number("maxversions", 1),
        "time_range": None if times == (0, LATEST) else times,
        "batch": batch if batch > 0 else None,
        "cache_blocks": query.flag("cacheblocks", True),
        "reverse": query.flag("reversed", False),
        "filter": _filter(filter_of(request), prefix),
    }


def _bytes(text: str) -> bytes:
    """The bytes of a parameter, which need not be text."""
    return text.encode(errors="surrogateescape")


def _filter(wanted: Filter | None, prefix: bytes) -> Filter | None:
    filters = [each for each in (wanted, PrefixFilter(prefix) if prefix else None) if each is not None]
    return FilterList("MUST_PASS_ALL", filters) if len(filters) > 1 else filters[0] if filters else None


def _limited(scanner: Scanner, limit: int) -> Iterator[Row]:
    with scanner:
        yield from islice(scanner, max(limit, 0))


def _json(rows: Iterator[Row]) -> Iterator[bytes]:
    yield b'{"Row":['
    for number, row in enumerate(rows):
        yield b"," * bool(number) + to_json(_models.ROW, row_message(row.key, row.cells))
    yield b"]}"


def _xml(rows: Iterator[Row]) -> Iterator[bytes]:
    yield f"{DECLARATION}<CellSet>".encode()
    for row in rows:
        yield to_xml(_models.ROW, row_message(row.key, row.cells)).removeprefix(DECLARATION.encode())
    yield b"</CellSet>"


def _protobuf(rows: Iterator[Row]) -> Iterator[bytes]:
    """Messages of some rows each, preceded by a two-byte length, as HBase's clients expect them."""
    while piece := list(islice(rows, FETCH_ROWS)):
        message = to_protobuf(_models.CELL_SET, {"Row": [row_message(row.key, row.cells) for row in piece]})
        yield (len(message) & 0xFFFF).to_bytes(2, "big") + message
