"""Reading rows of a table in batches, and entries of an index."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from rowstone.errors import TableNotFound
from rowstone.indexes._definition import Definition
from rowstone.indexes._entries import BUCKET, ENTRY, MEMBERS, bucket_row, check_owner, packed, split, tail

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone._core.table import Table

BATCH = 500
Entry = tuple[bytes, bytes]


def entries_table(database: "Database", definition: Definition, *, is_checked: bool = False) -> "Table":
    """Return the table of entries. ``is_checked`` saves reading its descriptor if a call before did.

    Raises:
        TableNotFound: It is missing, as in a clone of a snapshot. The message names the next step.
        TableExists: Another table has its name.
    """
    try:
        table = database.table(definition.index_table or "")
    except TableNotFound:
        indexed, name = definition.table, definition.name
        raise TableNotFound(
            f"index '{name}' of table '{indexed}' has no table '{definition.index_table}' of entries: "
            f"db.index('{indexed}', '{name}').rebuild() creates it"
        ) from None
    if not is_checked:
        check_owner(database, definition)
    return table


def batches(items: Iterable[Any], size: int = BATCH) -> Iterator[list[Any]]:
    """Group items into lists of ``size``."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def valued(table: "Table", definition: Definition, **options: Any) -> Iterator[tuple[Any, tuple[bytes, int] | None]]:
    """Iterate over rows with their values, reading only the needed columns."""
    if definition.columns is None:
        options["cells_per_family"] = 1
    with table.scan(columns=definition.columns, **options) as rows:
        for row in rows:
            yield row, definition.value_of(row.key, row.cells)


def entries(table: "Table", low: bytes | None, high: bytes | None) -> Iterator[Entry]:
    """Iterate over value and row key of the entries from ``low`` (included) to ``high`` (excluded)."""
    start = ENTRY + packed(low or b"")
    stop = b"w" if high is None else ENTRY + packed(high)
    with table.scan(start, stop) as rows:
        for row in rows:
            yield split(row.key[1:])


def members(table: "Table", definition: Definition, low: bytes | None, high: bytes | None) -> Iterator[Entry]:
    """The same for the members in the buckets of a summary."""
    start = BUCKET if low is None else bucket_row(bucket(definition, low))
    stop = b"c" if high is None else bucket_row(bucket(definition, high)) + b"\x00"
    least, end = packed(low or b""), None if high is None else packed(high)
    with table.scan(start, stop, columns=[MEMBERS]) as rows:
        for row in rows:
            for cell in row.cells:
                if cell.qualifier >= least and (end is None or cell.qualifier < end):
                    yield split(cell.qualifier)


def buckets(definition: Definition, low: bytes | None, high: bytes | None) -> tuple[bytes, bytes]:
    """Return the row range of the buckets that overlap the values from ``low`` (included) to ``high`` (excluded)."""
    start = BUCKET if low is None else bucket_row(bucket(definition, low))
    if high is None:
        return start, b"c"
    # A bucket that begins at the bound does not overlap the range.
    is_first = definition.number(high) % (definition.by or 1) == 0
    return start, bucket_row(bucket(definition, high)) + (b"" if is_first else b"\x00")


def bucket(definition: Definition, ordered: bytes) -> int:
    """Return the bucket of a value."""
    return definition.number(ordered) // (definition.by or 1)


def place(definition: Definition, ordered: bytes, row: bytes) -> tuple[bytes, bytes]:
    """Return row and column of a summary for a row of the table."""
    return bucket_row(bucket(definition, ordered)), MEMBERS + b":" + tail(ordered, row)
