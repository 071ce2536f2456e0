"""Conditional and read-modify-write changes: ``?check=put|delete|append|increment``. Source: HBase's RowResource."""

from __future__ import annotations

from collections.abc import Callable

from rowstone import _native
from rowstone._native import Row
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import Answer
from rowstone.server.rest._cells import full_column, row_message, timestamp_of, written_cell
from rowstone.server.rest._failures import bad_request
from rowstone.server.rest._request import Request, whole_number
from rowstone.server.rest._rowspec import RowSpec
from rowstone.server.rest.messages import _models
from rowstone.server.rest.messages.shapes import Message


def check_and_put(request: Request, spec: RowSpec) -> Answer:
    """Write all cells but the last if the last cell's column has its value now."""
    key, cells = _row(request, spec)
    if len(cells) <= 1:
        raise bad_request("Bad request: Either row key is null or no data found for columns specified.")
    *written, checked = cells
    column = checked.get("column") or b""
    if not column.partition(b":")[2]:
        raise bad_request("Bad request: Column incorrectly specified.")
    if any(not cell.get("column") for cell in written):
        raise bad_request("Bad request: Column found to be null.")
    puts = [written_cell(full_column(cell["column"]), cell) for cell in written]
    if column not in [cell["column"] for cell in written]:
        raise bad_request("Bad request: The column to put and check do not match.")
    put = _native.Put(key, puts)
    if not request.table().check_and_mutate(key, column, "EQUAL", checked.get("$", b""), put):
        return _answer.text(304, "Value not Modified")
    return _answer.done()


def check_and_delete(request: Request, spec: RowSpec) -> Answer:
    """Delete the columns of all cells but the last (or of the only cell) if the last cell's column has its value."""
    key, cells = _row(request, spec)
    if not cells:
        raise bad_request("Bad request\r\njava.lang.IndexOutOfBoundsException: the row has no cells")
    *deleted, checked = cells
    column = checked.get("column") or next(iter(spec.columns), None)
    if column is None:
        raise bad_request("Bad request: Column not specified for check.")
    delete = _native.Delete(key)
    for cell in deleted:
        _add(delete, cell)
    if b":" not in column:
        raise bad_request("Bad request: Column to check incorrectly specified.")
    if not deleted:
        delete.add_columns(column)
    if not request.table().check_and_mutate(key, column, "EQUAL", checked.get("$", b""), delete):
        return _answer.text(304, " Delete check failed.")
    return _answer.done()


def _add(delete: _native.Delete, cell: Message) -> None:
    column = cell.get("column")
    if not column:
        raise bad_request("Bad request: Column found to be null.")
    if b":" in column:
        delete.add_column(column, timestamp_of(cell))
    else:
        delete.add_family(column, timestamp_of(cell))


def append(request: Request, spec: RowSpec) -> Answer:
    """Append to values."""
    key, cells = _row(request, spec)
    suffixes = [(column, cell.get("$", b"")) for column, cell in _with_columns(cells, spec)]
    return _result(request, request.table().append(key, suffixes), "Append return empty.")


def increment(request: Request, spec: RowSpec) -> Answer:
    """Increment eight-byte counters; the amounts are decimal texts."""
    key, cells = _row(request, spec)
    amounts = [
        (column, whole_number("the amount", cell.get("$", b"").decode(errors="replace")))
        for column, cell in _with_columns(cells, spec)
    ]
    return _result(request, request.table().increment(key, amounts), "Increment return empty.")


def _with_columns(cells: list[Message], spec: RowSpec) -> list[tuple[bytes, Message]]:
    """Pair cells with columns: their own, or in turn those of the path."""
    columns = iter(spec.columns)
    found = []
    for cell in cells:
        column = cell.get("column") or next(columns, None)
        if column is None:
            raise bad_request("Bad request: Column found to be null.")
        found.append((full_column(column, "Bad request: Column incorrectly specified."), cell))
    return found


def _row(request: Request, spec: RowSpec) -> tuple[bytes, list[Message]]:
    """The single row of the body: its key, or that of the path, and its cells."""
    rows = request.message.get("Row", ())
    if len(rows) != 1:
        raise bad_request("Bad request: Number of rows specified is not 1.")
    return rows[0].get("key", spec.row), rows[0].get("Cell", [])


def _result(request: Request, row: Row, nothing: str) -> Answer:
    if not request.query.flag("rr", False):
        return _answer.done()
    if not row:
        return _answer.text(304, nothing)
    return _answer.message(_models.CELL_SET, {"Row": [row_message(row.key, row.cells)]}, request.media)


KINDS: dict[str, Callable[[Request, RowSpec], Answer]] = {
    "put": check_and_put,
    "delete": check_and_delete,
    "append": append,
    "increment": increment,
}
"""Handlers by the value of ``check``."""
