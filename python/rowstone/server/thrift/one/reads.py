"""Reads of cells and rows by key. The timestamp of a read is exclusive: only older cells are returned."""

from __future__ import annotations

from typing import Any

from rowstone.server.columns import columns_of, one_column
from rowstone.server.thrift._arguments import older_than, versions_of
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.one._structs import cells_of, rows_of

Attributes = dict[bytes, bytes] | None


def get(session: Session, table: bytes, row: bytes, column: bytes, attributes: Attributes) -> Any:
    """The newest version of a column, or of all columns of a family."""
    return cells_of(session.table(table).get(row, [one_column(column)]))


def get_ver(session: Session, table: bytes, row: bytes, column: bytes, versions: int, attributes: Attributes) -> Any:
    """The newest versions, newest first."""
    return cells_of(session.table(table).get(row, [one_column(column)], versions=versions_of(versions)))


def get_ver_ts(
    session: Session, table: bytes, row: bytes, column: bytes, timestamp: int, versions: int, attributes: Attributes
) -> Any:
    """The newest versions among those older than the timestamp."""
    options = {**older_than(timestamp), "versions": versions_of(versions)}
    return cells_of(session.table(table).get(row, [one_column(column)], **options))


def get_row(session: Session, table: bytes, row: bytes, attributes: Attributes) -> Any:
    """The row, or an empty list."""
    return get_row_with_columns_ts(session, table, row, None, None, attributes)


def get_row_with_columns(
    session: Session, table: bytes, row: bytes, columns: list[bytes] | None, attributes: Attributes
) -> Any:
    """Some columns of the row."""
    return get_row_with_columns_ts(session, table, row, columns, None, attributes)


def get_row_ts(session: Session, table: bytes, row: bytes, timestamp: int, attributes: Attributes) -> Any:
    """The row as it was before the timestamp."""
    return get_row_with_columns_ts(session, table, row, None, timestamp, attributes)


def get_row_with_columns_ts(
    session: Session,
    table: bytes,
    row: bytes,
    columns: list[bytes] | None,
    timestamp: int | None,
    attributes: Attributes,
) -> Any:
    """Some columns of the row as it was before the timestamp."""
    return rows_of([session.table(table).get(row, columns_of(columns), **older_than(timestamp))])


def get_rows(session: Session, table: bytes, rows: list[bytes], attributes: Attributes) -> Any:
    """Those rows that exist, in the requested order."""
    return get_rows_with_columns_ts(session, table, rows, None, None, attributes)


def get_rows_with_columns(
    session: Session, table: bytes, rows: list[bytes], columns: list[bytes] | None, attributes: Attributes
) -> Any:
    """Some columns of the rows."""
    return get_rows_with_columns_ts(session, table, rows, columns, None, attributes)


def get_rows_ts(session: Session, table: bytes, rows: list[bytes], timestamp: int, attributes: Attributes) -> Any:
    """The rows as they were before the timestamp."""
    return get_rows_with_columns_ts(session, table, rows, None, timestamp, attributes)


def get_rows_with_columns_ts(
    session: Session,
    table: bytes,
    rows: list[bytes],
    columns: list[bytes] | None,
    timestamp: int | None,
    attributes: Attributes,
) -> Any:
    """Some columns of the rows as they were before the timestamp."""
    return rows_of(session.table(table).get_many(rows, columns_of(columns), **older_than(timestamp)))
