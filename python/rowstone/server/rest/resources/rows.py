"""``/{table}/{row}[/{columns}[/{times}]]``: rows and cells read, written and deleted. Source: HBase's RowResource."""

from __future__ import annotations

import dataclasses

from rowstone import _native
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import NOT_FOUND, Answer
from rowstone.server.rest._cells import full_column, row_message, rows_message, succeeded, written_cell
from rowstone.server.rest._failures import DO_NOT_RETRY, bad_request, failed_class
from rowstone.server.rest._request import Request, decoded, filter_of, whole_number
from rowstone.server.rest._rowspec import RowSpec, column_of, parse
from rowstone.server.rest.messages import _models
from rowstone.server.rest.messages.shapes import Message
from rowstone.server.rest.resources import changes


def spec_of(request: Request) -> RowSpec:
    """The row, columns and times in the path."""
    encoding = request.headers.get("encoding") or request.query.get("e")
    return parse(request.parts["row"], encoding=encoding, versions=request.query.get("v"))


def get(request: Request) -> Answer:
    """The cells of a row, or of several."""
    found = _read(request, spec_of(request))
    return _answer.message(_models.CELL_SET, found, request.media) if found["Row"] else NOT_FOUND


def get_value(request: Request) -> Answer:
    """The value of one column, unencoded."""
    spec = spec_of(request)
    if len(spec.columns) != 1:
        raise bad_request(
            "Bad request: Default 'GET' method only works if there is exactly 1 column in the row. Using the 'Accept' "
            "header with one of these formats lets you retrieve the entire row if it has multiple columns: "
            "text/xml, application/json, application/x-protobuf, application/protobuf"
        )
    found = _read(request, spec)
    if not found["Row"]:
        return NOT_FOUND
    cell = found["Row"][0]["Cell"][0]
    return Answer(200, cell["$"], request.media, {"X-Timestamp": str(cell["timestamp"])})


def _read(request: Request, spec: RowSpec) -> Message:
    """Read rows; returns none for errors that HBase only logs, such as an unknown family."""
    try:
        options = {**spec.reading(), "cache_blocks": "nocache" not in request.query}
        table = request.table()
        if spec.end_row is None:
            row = table.get(spec.row, **options)
            return rows_message([row] if row else [])
        with table.scan(**spec.rows, **options) as rows:
            return rows_message(rows)
    except DO_NOT_RETRY as error:
        if failed_class(error).startswith("org.apache.hadoop.hbase."):
            return {"Row": []}
        raise


def write(request: Request) -> Answer:
    """Write the cells of the body to the rows in the body, or to the row of the path; or run ``check``."""
    spec, kind = spec_of(request), (request.query.get("check") or "").lower()
    if kind:
        if kind not in changes.KINDS:
            raise bad_request(f"Invalid check value '{request.query.get('check')}'")
        return changes.KINDS[kind](request, spec)
    puts = [_put(row, spec) for row in request.message.get("Row", ())]
    succeeded(request.table().multi(puts))
    return _answer.done()


def _put(row: Message, spec: RowSpec) -> _native.Put:
    columns = iter(spec.columns)
    cells = []
    for cell in row.get("Cell", ()):
        column = cell.get("column") or next(columns, None)
        if column is None:
            raise bad_request("Bad request: Column found to be null.")
        cells.append(written_cell(full_column(column), cell))
    return _native.Put(row.get("key", spec.row), cells)


def write_value(request: Request) -> Answer:
    """Write the body as the value of one column; the headers X-Row, X-Column and X-Timestamp override the path."""
    spec, headers = spec_of(request), request.headers
    row = headers["x-row"].encode() if "x-row" in headers else spec.row
    if not spec.columns:
        raise bad_request("Bad request\r\njava.lang.ArrayIndexOutOfBoundsException: the path has no column")
    column = headers["x-column"].encode() if "x-column" in headers else spec.columns[0]
    time = whole_number("X-Timestamp", headers["x-timestamp"]) if "x-timestamp" in headers else None
    request.table().put(row, {full_column(column): request.body}, timestamp=time)
    return _answer.done()


def delete(request: Request) -> Answer:
    """Delete the row, families or columns, up to the time in the path, if any."""
    spec = spec_of(request)
    columns = [column_of(column) for column in spec.columns]
    request.table().delete(spec.row, columns or None, timestamp=spec.timestamp)
    return _answer.done()


def get_many(request: Request) -> Answer:
    """The existing rows, in the order of the request, each with columns and times as in a path."""
    encoding = request.headers.get("encoding") or request.query.get("e")
    columns = decoded(request.parts["columns"]).replace("/", "")
    extra = tuple(name.encode() for name in columns.split(",")) if columns else ()
    filter = filter_of(request)
    gets = []
    for row in request.query.all("row"):
        spec = parse(row, encoding=encoding, versions=request.query.get("v"))
        spec = dataclasses.replace(spec, columns=(*spec.columns, *extra))
        options = {**spec.reading(), "cache_blocks": "nocache" not in request.query}
        gets.append(_native.Get(spec.row, filter=filter, **options))
    try:
        rows = [row for row in succeeded(request.table().multi(gets)) if row]
    except DO_NOT_RETRY:
        rows = []
    if not rows:
        return _answer.text(404, "No rows found.")
    return _answer.message(_models.CELL_SET, {"Row": [row_message(row.key, row.cells) for row in rows]}, request.media)
