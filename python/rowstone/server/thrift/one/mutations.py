"""Puts and deletes.

As in HBase, deletes are applied before puts for one row, and all puts before all deletes for many rows. The last
mutation of a kind decides for all of its kind whether they are written to the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rowstone
from rowstone._base.options.words import Durability
from rowstone.errors import InvalidArgument, RowstoneError
from rowstone.server.columns import split_column
from rowstone.server.thrift._arguments import acl_of, given_timestamp, wait_a_tick
from rowstone.server.thrift._failures import as_many, many_failed
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.one._structs import java_illegal_argument

Attributes = dict[bytes, bytes] | None


class _RowChanges:
    """The put and the delete that combine the mutations of a row."""

    def __init__(self, row: bytes, mutations: Iterable[Any], timestamp: int | None) -> None:
        self.row = row
        self.timestamp = given_timestamp(timestamp)
        self.without_qualifier: bytes | None = None
        self._values: list[tuple[tuple[bytes, bytes], bytes]] = []
        self._deleted: list[tuple[bytes, bytes | None]] = []
        self._logs_put = self._logs_delete = True
        for is_delete, column, value, logs in mutations:
            family, qualifier = split_column(column)
            if is_delete:
                self._deleted.append((family, qualifier))
                self._logs_delete = logs
            else:
                if qualifier is None:
                    self.without_qualifier = family
                else:
                    self._values.append(((family, qualifier), b"" if value is None else value))
                self._logs_put = logs

    def put(self, attributes: Attributes) -> rowstone.Put | None:
        """The put, or None if it is empty."""
        if not self._values:
            return None
        durability = durability_of(self._logs_put)
        acl = acl_of(attributes)
        return rowstone.Put(self.row, self._values, timestamp=self.timestamp, durability=durability, acl=acl)

    def delete(self) -> rowstone.Delete | None:
        """The delete, or None if it is empty."""
        if not self._deleted:
            return None
        delete = rowstone.Delete(self.row, durability=durability_of(self._logs_delete))
        for family, qualifier in self._deleted:
            if qualifier is None:
                delete = delete.add_family(family, self.timestamp)
            else:
                delete = delete.add_columns((family, qualifier), self.timestamp)
        return delete


def durability_of(logs: bool) -> Durability | None:
    """Skip the log, or use the table's durability."""
    return None if logs else "SKIP_WAL"


def mutate_row(session: Session, table: bytes, row: bytes, mutations: list[Any], attributes: Attributes) -> None:
    """Apply a row's deletes, then its puts."""
    mutate_row_ts(session, table, row, mutations, None, attributes)


def mutate_row_ts(
    session: Session, table: bytes, row: bytes, mutations: list[Any], timestamp: int | None, attributes: Attributes
) -> None:
    """Like `mutate_row`, with a timestamp. A put without a qualifier is ignored."""
    changes = _row_changes(row, mutations, timestamp)
    changed = session.table(table)
    delete, put = changes.delete(), changes.put(attributes)
    if delete is not None:
        changed.mutate_row(row, [delete])
        if put is not None and changes.timestamp is None:
            wait_a_tick()
    if put is not None:
        changed.mutate_row(row, [put])


def _row_changes(row: bytes, mutations: list[Any], timestamp: int | None) -> _RowChanges:
    if not row:
        raise java_illegal_argument("Row length 0 is not between 1 and 32767")
    return _RowChanges(row, mutations, timestamp)


def mutate_rows(session: Session, table: bytes, batches: list[Any], attributes: Attributes) -> None:
    """Apply all puts, then all deletes, of several rows."""
    mutate_rows_ts(session, table, batches, None, attributes)


def mutate_rows_ts(
    session: Session, table: bytes, batches: list[Any], timestamp: int | None, attributes: Attributes
) -> None:
    """Like `mutate_rows`, with a timestamp. Puts and deletes of a row are each atomic; rows fail independently."""
    rows = [_RowChanges(row, mutations, timestamp) for row, mutations in batches]
    for changes in rows:
        if changes.without_qualifier is not None:
            raise InvalidArgument("Invalid famAndQf provided.")
    _do_all(session, table, [put for changes in rows if (put := changes.put(attributes)) is not None])
    _do_all(session, table, [delete for changes in rows if (delete := changes.delete()) is not None])


def _do_all(session: Session, table: bytes, mutations: list[Any]) -> None:
    """Run all actions; raises the error of HBase's client if some fail."""
    if not mutations:
        return
    with as_many(len(mutations)):
        results = session.table(table).multi(mutations)
    failures = [result for result in results if isinstance(result, RowstoneError)]
    if failures:
        raise many_failed(failures)


def delete_all(session: Session, table: bytes, row: bytes, column: bytes, attributes: Attributes) -> None:
    """Delete a column or a family of a row."""
    delete_all_ts(session, table, row, column, None, attributes)


def delete_all_ts(
    session: Session, table: bytes, row: bytes, column: bytes, timestamp: int | None, attributes: Attributes
) -> None:
    """Like `delete_all`, up to and including a timestamp."""
    changes = _RowChanges(row, [(True, column, None, True)], timestamp)
    session.table(table).mutate_row(row, [changes.delete()])  # type: ignore[list-item]


def delete_all_row(session: Session, table: bytes, row: bytes, attributes: Attributes) -> None:
    """Delete a row."""
    delete_all_row_ts(session, table, row, None, attributes)


def delete_all_row_ts(
    session: Session, table: bytes, row: bytes, timestamp: int | None, attributes: Attributes
) -> None:
    """Like `delete_all_row`, up to and including a timestamp."""
    session.table(table).delete(row, timestamp=given_timestamp(timestamp))
