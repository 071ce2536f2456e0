"""Join of the rows of one table with the rows of another that they reference."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, NamedTuple, Unpack

from rowstone._base.blocking import check_blocking
from rowstone._base.options import check_names, check_number
from rowstone._base.options.calls import RowsOptions
from rowstone._base.schema import as_bytes, columns_with, pair_of
from rowstone._core.table import Columns
from rowstone._native import Row
from rowstone.errors import InvalidArgument
from rowstone.jobs.joins._cost import JoinCost
from rowstone.jobs.joins._sides import KeyOf, Sides, size_bytes, value_of
from rowstone.jobs.joins._ways import Pairs, hash_left, hash_right, nested

if TYPE_CHECKING:
    from rowstone._core.database import Database

How = Literal["nested", "hash", "auto"]
WAYS = ("nested", "hash", "auto")
BLOCK_BYTES = 64 << 10
"""Bytes that an uncached get reads: one block of HBase's default size."""


class Joined(NamedTuple):
    """A row of the left side and the row of the right side that it references, or None."""

    left: Row
    right: Row | None


class Join:
    """Pairs of rows in the order of the left side. Created by `join`; iterate once or repeatedly, then read `cost`."""

    def __init__(self, database: "Database", sides: Sides, how: How, outer: bool, batch_rows: int) -> None:
        self._database = database
        self._sides = sides
        self._how = how
        self._outer = outer
        self._batch_rows = batch_rows
        self._cost = JoinCost()

    @property
    def cost(self) -> JoinCost:
        """Cost of the last iteration, as far as it went."""
        return self._cost

    def __iter__(self) -> Iterator[Joined]:
        cost = self._cost = JoinCost()
        for left, right in self._pairs(cost):
            if right is not None or self._outer:
                cost.returned += 1
                yield Joined(left, right)

    def _pairs(self, cost: JoinCost) -> Pairs:
        left = self._sides.left_rows(cost)
        if self._how == "nested":
            return nested(self._sides, left, self._batch_rows, cost)
        sizes = [size_bytes(self._database, table.name) for table in (self._sides.left, self._sides.right)]
        if self._how == "auto":
            few = list(islice(left, max(self._batch_rows, sizes[1] // BLOCK_BYTES) + 1))
            left = chain(few, left)
            # The gets for these rows read no more blocks than a scan of the right side.
            if len(few) <= max(self._batch_rows, sizes[1] // BLOCK_BYTES):
                return nested(self._sides, left, self._batch_rows, cost)
        hashed = hash_left if sizes[0] < sizes[1] else hash_right
        return hashed(self._sides, left, cost)


def join(
    db: "Database",
    left: str,
    right: str,
    *,
    on: str | bytes | KeyOf,
    how: How = "auto",
    outer: bool = False,
    left_columns: Columns | None = None,
    right_columns: Columns | None = None,
    batch_rows: int = 500,
    **scan: Unpack[RowsOptions],
) -> Join:
    """Join the rows of table ``left`` with the rows of table ``right`` whose keys they contain.

    The tables are read during the iteration: the result is not a snapshot.

    Args:
        on: The column of ``left`` that contains the key of a row of ``right``. Or a function that returns this key for
            a row of ``left``; None if there is none.
        how: ``"nested"`` reads the left side in batches and gets the rows that each batch references. ``"hash"`` scans
            both sides and keeps the smaller one in memory. ``"auto"`` reads the left side first. It continues as a
            nested join if the number of rows on the left is at most that of a batch, or at most the number of 64 KiB
            blocks of the right side. Otherwise it continues with a hash join. All give the same pairs.
        outer: Also return rows of ``left`` that reference no row; their right side is None.
        left_columns: Columns of ``left`` to read; the column ``on`` is added.
        right_columns: Columns of ``right`` to read.
        batch_rows: Number of rows of ``left`` that are looked up together.
        scan: Options of `Table.scan` for ``left``, except ``columns``: ``prefix``, ``start``, ``stop``, ``filter``,
            ``limit``, ...

    Raises:
        InvalidArgument: ``how`` or ``batch_rows`` is invalid, or ``on`` has no colon.
        NoSuchColumnFamily: ``left`` has no family of ``on``.
        TableNotFound: One of the tables does not exist.

    The iteration raises the errors of `Table.scan` and `Table.get_many`.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("orders", ["f"]), db.create_table("users", ["f"])
        ...     db.table("orders").put("o1", {"f:user": "ann", "f:sum": "5"})
        ...     db.table("users").put("ann", {"f:town": "Oslo"})
        ...     for order, user in rs.jobs.join(db, "orders", "users", on="f:user"):
        ...         print(order["f:sum"], user["f:town"])
        b'5' b'Oslo'
    """
    check_blocking("db", db)
    if how not in WAYS:
        raise InvalidArgument(f"how is {how!r}: it must be one of {', '.join(map(repr, WAYS))}")
    check_number("batch_rows", batch_rows)
    check_names(join, scan, RowsOptions.__optional_keys__)
    columns = None
    if left_columns is not None:
        named = [left_columns] if isinstance(left_columns, (str, bytes)) else list(left_columns)
        columns = named if callable(on) else columns_with(named, [as_bytes(on)])
    key_of = on if callable(on) else value_of(on)
    sides = Sides(db.table(left), db.table(right), key_of, {**scan, "columns": columns}, right_columns)
    if not callable(on):
        # A get raises if there is no such family. Readers may not be allowed to read the table descriptor.
        sides.left.exists(b"\0", [pair_of(as_bytes(on, "on"))])
    return Join(db, sides, how, outer, batch_rows)
