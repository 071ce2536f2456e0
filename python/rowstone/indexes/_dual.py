"""Writing a table and its index one after the other, on a directory or a cluster, without a common log record.

The entry is written before the row and deleted after it, so every row has its entry; a surplus entry does no harm.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rowstone._base.schema import as_bytes
from rowstone._native import Cell, Put
from rowstone.indexes._definition import Definition
from rowstone.indexes._entries import COLUMN, entry
from rowstone.indexes._read import batches, valued
from rowstone.indexes._rebuild import Range, extra_entries

if TYPE_CHECKING:
    from rowstone._base.options.calls import DeleteOptions, PutOptions
    from rowstone._core.table import Table


def _value(table: "Table", definition: Definition, row: bytes, families: Iterable[bytes] = ()) -> bytes | None:
    """The row's value. Raises `NoSuchColumnFamily` if the table lacks one of ``families``."""
    if definition.columns is None:
        found = table.get(row)
        if unknown := set(families).difference(cell.family for cell in found.cells):
            table.exists(row, sorted(unknown))
    else:
        # The columns without a qualifier are only read to check the families in the same call.
        found = table.get(row, [*definition.columns, *((family, b"") for family in families)])
    value = definition.value_of(row, found.cells) if found else None
    return None if value is None else value[0]


def _delete_entry(entries: "Table", key: bytes) -> None:
    """Delete exactly the version of the entry that is stored, not one that another client writes."""
    found = entries.get(key)
    if found:
        entries.delete(key, [COLUMN], version=found.cells[0].timestamp)


def put(
    table: "Table", entries: "Table", definition: Definition, row: str | bytes, data: Any, options: "PutOptions"
) -> None:
    """Put a row with its entry; a call that `Table.put` refuses writes neither."""
    key = as_bytes(row)
    pairs = list(data.items() if hasattr(data, "items") else data)
    written = Put(key, pairs, **options).cells
    old = _value(table, definition, key, {cell.family for cell in written})
    new = _written(definition, key, written)
    for value in new - {old}:
        entries.put(entry(value, key), {COLUMN: b""})
    table.put(key, pairs, **options)
    # A put of an older version does not change the visible value.
    now = _value(table, definition, key)
    for one in ({old} | new) - {now, None}:
        _delete_entry(entries, entry(one or b"", key))


def _written(definition: Definition, key: bytes, cells: list[Cell]) -> set[bytes]:
    """The values that the row may have after a put: those of all versions in it."""
    if isinstance(definition.on, bytes):
        raw = [cell.value for cell in cells if cell.column == definition.on]
    else:
        part = definition.on.of(key)
        raw = [] if part is None else [part]
    return {value for one in raw if (value := definition.ordered(one)) is not None}


def delete(
    table: "Table", entries: "Table", definition: Definition, row: str | bytes, columns: Any, options: "DeleteOptions"
) -> None:
    """Delete from a row and update its entry."""
    key = as_bytes(row)
    old = _value(table, definition, key)
    table.delete(key, columns, **options)
    now = _value(table, definition, key)
    if now is not None and now != old:
        entries.put(entry(now, key), {COLUMN: b""})
    if old is not None and now != old:
        _delete_entry(entries, entry(old, key))


def add_missing(table: "Table", entries: "Table", definition: Definition, rows: Range) -> int:
    """Add the missing entries of rows that are older than the index; return their number."""
    changed = 0
    for batch in batches(valued(table, definition, start=rows[0], stop=rows[1])):
        wanted = [entry(value[0], row.key) for row, value in batch if value is not None]
        there = entries.exists_many(wanted)
        with entries.batch() as writer:
            for key, is_there in zip(wanted, there, strict=True):
                if not is_there:
                    writer.put(key, {COLUMN: b""})
                    changed += 1
    return changed


def delete_extra(table: "Table", entries: "Table", definition: Definition, rows: Range) -> int:
    """Delete the entries in this range of the index that contradict the table; return their number."""
    changed = 0
    for value, key in extra_entries(table, entries, definition, rows):
        _delete_entry(entries, entry(value, key))
        changed += 1
    return changed
