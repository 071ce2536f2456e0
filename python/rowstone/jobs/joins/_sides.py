"""The two sides of a join: reading their rows, and their sizes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone._base.schema import as_bytes
from rowstone._core.table import Columns, Table
from rowstone._native import Row
from rowstone.jobs.joins._cost import JoinCost

if TYPE_CHECKING:
    from rowstone._core.database import Database

KeyOf = Callable[[Row], bytes | None]
LONGEST_KEY_BYTES = 32_767


@dataclass(frozen=True)
class Sides:
    """Inputs of a join: the rows of a scan of ``left``, each with the row of ``right`` whose key it contains."""

    left: Table
    right: Table
    key_of: KeyOf
    scan: Mapping[str, Any]
    right_columns: Columns | None

    def left_rows(self, cost: JoinCost) -> Iterator[Row]:
        """Iterate over the rows of the left side, in order."""
        cost.scans += 1
        with self.left.scan(**self.scan) as rows:
            yield from cost.count_left(rows)

    def key(self, row: Row) -> bytes | None:
        """Return the key of the right side that a row references; None if there is none, or it cannot be a key."""
        key = self.key_of(row)
        return key if key is not None and 0 < len(key) <= LONGEST_KEY_BYTES else None

    def looked_up(self, keys: Iterable[bytes], cost: JoinCost) -> dict[bytes, Row]:
        """Return the existing rows of the right side by key, in one batch of gets."""
        wanted = list(dict.fromkeys(keys))
        if not wanted:
            return {}
        cost.multi_gets += 1
        cost.gets += len(wanted)
        return {row.key: row for row in cost.right(filter(None, self.right.get_many(wanted, self.right_columns)))}

    def right_rows(self, cost: JoinCost, first: bytes | None = None, last: bytes | None = None) -> Iterator[Row]:
        """Iterate over the rows of the right side from ``first`` to ``last``, both included."""
        cost.scans += 1
        with self.right.scan(first, last, include_stop=last is not None, columns=self.right_columns) as rows:
            yield from cost.right(rows)


def value_of(column: str | bytes) -> KeyOf:
    """Return a function that returns the value of a column."""
    name = as_bytes(column)
    return lambda row: row.get(name)


def size_bytes(database: "Database", table: str) -> int:
    """Return the bytes of a table in files and memory; on a cluster as last reported by its servers."""
    stores = database.admin.metrics.stores(table)
    return sum((store.store_file_bytes or 0) + (store.memstore_bytes or 0) for store in stores)
