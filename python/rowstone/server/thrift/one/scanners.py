"""Scanners, by id."""

from __future__ import annotations

from functools import partial
from typing import Any

from rowstone.filters import PrefixFilter, WhileMatchFilter
from rowstone.server.columns import columns_of
from rowstone.server.thrift._arguments import older_than, parsed
from rowstone.server.thrift._scanners import OpenScanner, UnknownScanner
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.one._structs import illegal_argument, rows_of
from rowstone.server.thrift.one.mutations import Attributes

Columns = list[bytes] | None


def scanner_open_with_scan(session: Session, table: bytes, scan: Any, attributes: Attributes) -> int:
    """Open a scanner for a ``TScan``."""
    options: dict[str, Any] = {**older_than(scan.timestamp), "reverse": bool(scan.reversed)}
    if scan.filterString is not None:
        options["filter"] = parsed(scan.filterString)
    if scan.batchSize is not None and scan.batchSize > 0:
        options["batch"] = scan.batchSize
    if scan.cacheBlocks is not None:
        options["cache_blocks"] = scan.cacheBlocks
    sorted_columns = bool(scan.sortColumns)
    return _open(session, table, scan.startRow, scan.stopRow, scan.columns, sorted_columns=sorted_columns, **options)


def scanner_open(session: Session, table: bytes, start: bytes, columns: Columns, attributes: Attributes) -> int:
    """Open a scanner that starts at a row."""
    return _open(session, table, start, None, columns)


def scanner_open_with_stop(
    session: Session, table: bytes, start: bytes, stop: bytes, columns: Columns, attributes: Attributes
) -> int:
    """Open a scanner from a start row to a stop row (exclusive)."""
    return _open(session, table, start, stop, columns)


def scanner_open_with_prefix(
    session: Session, table: bytes, prefix: bytes, columns: Columns, attributes: Attributes
) -> int:
    """Open a scanner of the rows with a prefix."""
    return _open(session, table, prefix, None, columns, filter=WhileMatchFilter(PrefixFilter(prefix)))


def scanner_open_ts(
    session: Session, table: bytes, start: bytes, columns: Columns, timestamp: int, attributes: Attributes
) -> int:
    """Open a scanner that starts at a row, for cells older than the timestamp."""
    return _open(session, table, start, None, columns, **older_than(timestamp))


def scanner_open_with_stop_ts(
    session: Session,
    table: bytes,
    start: bytes,
    stop: bytes,
    columns: Columns,
    timestamp: int,
    attributes: Attributes,
) -> int:
    """Open a scanner from a start row to a stop row, for cells older than the timestamp."""
    return _open(session, table, start, stop, columns, **older_than(timestamp))


def _open(
    session: Session,
    table: bytes,
    start: bytes | None,
    stop: bytes | None,
    columns: Columns,
    *,
    sorted_columns: bool = False,
    **options: Any,
) -> int:
    first, end = start or b"", stop or b""
    # As in HBase, equal start and stop rows select that row, since these clients cannot express it otherwise.
    options |= {"columns": columns_of(columns), "include_stop": first == end and first != b""}
    scan = partial(_start, session, table, first, end, options)
    return session.scanners.add(OpenScanner(scan, session.user, sorted_columns))


def _start(session: Session, table: bytes, start: bytes, stop: bytes, options: dict[str, Any]) -> Any:
    return session.table(table).scan(start, stop, **options)


def scanner_get(session: Session, number: int) -> Any:
    """The next row, or nothing at the end."""
    return scanner_get_list(session, number, 1)


def scanner_get_list(session: Session, number: int, count: int) -> Any:
    """The next rows; none at the end."""
    scanner = _scanner(session, number)
    return rows_of(scanner.next(max(count, 0)), sorted_columns=scanner.sorted_columns)


def scanner_close(session: Session, number: int) -> None:
    """Close the scanner."""
    _scanner(session, number)
    session.scanners.close(number, session.user)


def _scanner(session: Session, number: int) -> OpenScanner:
    try:
        return session.scanners.get(number, session.user)
    except UnknownScanner:
        raise illegal_argument("scanner ID is invalid") from None
