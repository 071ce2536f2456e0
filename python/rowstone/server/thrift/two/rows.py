"""Reads and changes of rows."""

from __future__ import annotations

from typing import Any

import rowstone
from rowstone.errors import RowstoneError
from rowstone.server.thrift._arguments import wait_for_clock
from rowstone.server.thrift._failures import as_many, io_failure, many_failed
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.two._mutations import append_of, delete_of, increment_of, mutations_of, put_of
from rowstone.server.thrift.two._reads import EMPTY, get_options, result_of


def exists(session: Session, table: bytes, get: Any) -> bool:
    """Whether the get would return any cell."""
    return session.table(table).exists(get.row, **get_options(get))


def exists_all(session: Session, table: bytes, gets: list[Any]) -> list[bool]:
    """Like `exists`, for several gets."""
    read = session.table(table)
    return [read.exists(get.row, **get_options(get)) for get in gets]


def get(session: Session, table: bytes, get: Any) -> Any:
    """Get a row; a missing row is empty."""
    found = session.table(table).get(get.row, **get_options(get))
    return EMPTY if get.existence_only else result_of(found)


def get_multiple(session: Session, table: bytes, gets: list[Any]) -> Any:
    """Get rows in the requested order; missing rows are empty."""
    wanted = [rowstone.Get(get.row, **get_options(get)) for get in gets]
    rows = _results(session.table(table), wanted) if wanted else []
    return [EMPTY if get.existence_only else result_of(row) for get, row in zip(gets, rows, strict=True)]


def put(session: Session, table: bytes, put: Any) -> None:
    """Put a row."""
    _mutate(session, table, put_of(put))


def put_multiple(session: Session, table: bytes, puts: list[Any]) -> None:
    """Put rows; if one fails, others may be written."""
    _all(session, table, [put_of(put) for put in puts])


def delete_single(session: Session, table: bytes, delete: Any) -> None:
    """Delete from a row."""
    _mutate(session, table, delete_of(delete))


def delete_multiple(session: Session, table: bytes, deletes: list[Any]) -> list[Any]:
    """Delete from rows; failed deletes are not reported, as in HBase."""
    _all(session, table, [delete_of(delete) for delete in deletes])
    return []


def _mutate(session: Session, table: bytes, mutation: rowstone.Put | rowstone.Delete) -> None:
    session.table(table).mutate_row(mutation.row, [mutation])


def increment(session: Session, table: bytes, increment: Any) -> Any:
    """Increment counters of a row; returns the new values."""
    [row] = _results(session.table(table), [increment_of(increment)])
    wait_for_clock(row)
    return EMPTY if increment.returnResults is False else result_of(row)


def append(session: Session, table: bytes, append: Any) -> Any:
    """Append to values of a row; returns the new values."""
    [row] = _results(session.table(table), [append_of(append)])
    wait_for_clock(row)
    return EMPTY if append.returnResults is False else result_of(row)


def mutate_row(session: Session, table: bytes, mutations: Any) -> None:
    """Apply puts and deletes to one row atomically."""
    wanted = mutations_of(mutations)
    for mutation in wanted:
        if mutation.row != mutations.row:
            raise io_failure(
                "org.apache.hadoop.hbase.client.WrongRowIOException",
                f"the row of a mutation is {mutation.row!r}, not {mutations.row!r}",
            )
    with as_many(1):
        session.table(table).mutate_row(mutations.row, wanted)


def _results(table: rowstone.Table, actions: list[Any]) -> list[Any]:
    """The results of actions, or the first error."""
    results = table.multi(actions)
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results


def _all(session: Session, table: bytes, mutations: list[Any]) -> None:
    """Run all actions; raises the error of HBase's client if some fail."""
    if mutations:
        with as_many(len(mutations)):
            results = session.table(table).multi(mutations)
        failures = [result for result in results if isinstance(result, RowstoneError)]
        if failures:
            raise many_failed(failures)
