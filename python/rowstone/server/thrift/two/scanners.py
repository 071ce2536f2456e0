"""Scanners by id, and a scan in one call."""

from __future__ import annotations

from itertools import islice
from typing import Any

from rowstone.server.thrift._failures import Declared
from rowstone.server.thrift._scanners import OpenScanner, UnknownScanner
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.two._reads import result_of, scan_options


def open_scanner(session: Session, table: bytes, scan: Any) -> int:
    """Open a scanner."""
    options = scan_options(scan)
    return session.scanners.add(OpenScanner(lambda: session.table(table).scan(**options), session.user))


def get_scanner_rows(session: Session, number: int, count: int) -> Any:
    """The next rows; none at the end."""
    try:
        scanner = session.scanners.get(number, session.user)
    except UnknownScanner:
        raise Declared("ia", "Invalid scanner Id") from None
    return [result_of(row) for row in scanner.next(max(count, 0))]


def close_scanner(session: Session, number: int) -> None:
    """Close the scanner; a missing one (it may have expired) is not an error."""
    try:
        session.scanners.close(number, session.user)
    except UnknownScanner:
        return


def get_scanner_results(session: Session, table: bytes, scan: Any, count: int) -> Any:
    """The first rows of a scan."""
    with session.table(table).scan(**scan_options(scan)) as rows:
        return [result_of(row) for row in islice(rows, max(count, 0))]
