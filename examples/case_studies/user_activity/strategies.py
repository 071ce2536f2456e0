"""The table once for each strategy: loaded, indexed, written to."""

from __future__ import annotations

from collections.abc import Iterable

from examples.case_studies.user_activity.data import Activity

import rowstone as rs
from rowstone.indexes import Index

STRATEGIES = ("filter", "periodic", "dual", "summary", "coprocessor")
KEPT_BY_WRITES = ("dual", "coprocessor")
"""Strategies whose index exists before the rows. The others build theirs from existing rows."""


def table_of(strategy: str) -> str:
    """The table of a strategy."""
    return f"activity_{strategy}"


def load(db: rs.Database, strategy: str, rows: list[Activity]) -> Index:
    """Creates the table and its index, and fills both."""
    name = table_of(strategy)
    db.create_table(name, {"f": rs.Family()})
    if strategy in KEPT_BY_WRITES:
        index = create(db, strategy)
        write(db, index, rows)
        return index
    write_plain(db.table(name), rows)
    return create(db, strategy)


def create(db: rs.Database, strategy: str) -> Index:
    """The index by time."""
    summary = {"by": "day", "sums": "f:miles"} if strategy == "summary" else {}
    return db.create_index(table_of(strategy), "by_time", "f:at", strategy=strategy, codec="int64", **summary)


def write(db: rs.Database, index: Index, rows: Iterable[Activity]) -> None:
    """Writes rows through the index if the strategy requires it, else to the table."""
    if index.definition.strategy == "dual":
        for one in rows:
            index.put(one.key, one.columns())
    else:
        write_plain(db.table(index.definition.table), rows)


def write_plain(table: rs.Table, rows: Iterable[Activity]) -> None:
    """Writes to the table in batches of some hundred rows, because an observer has a second for each batch."""
    with table.batch(buffer_bytes=1 << 17) as writer:
        for one in rows:
            writer.put(one.key, one.columns())
