"""Bringing an index up to date: all of it, or the rows that were written since."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone.indexes._definition import Definition
from rowstone.indexes._entries import (
    BUCKET,
    COLUMN,
    COUNT,
    ENTRY,
    KEY_COLUMN,
    META,
    ROW,
    SINCE,
    SUM,
    bucket_of,
    entry,
    split,
)
from rowstone.indexes._read import batches, place, valued

if TYPE_CHECKING:
    from rowstone._table import Table


def known_until(index: "Table") -> int | None:
    """Up to when an index knows its table, in the store's milliseconds; None where it never was built."""
    data = index.get(META).get(SINCE)
    return None if data is None else int.from_bytes(data, "big")


def now_of(index: "Table") -> int:
    """The store's time, which need not be this machine's."""
    index.put(META, {b"i:now": b""})
    return index.get(META, [b"i:now"]).cells[0].timestamp


def note(index: "Table", until: int) -> None:
    """Notes up to when the index knows its table."""
    index.put(META, {SINCE: until.to_bytes(8, "big")})


def changed_rows(table: "Table", since: int) -> Iterator[bytes]:
    """The keys of rows with cells or markers of that time or later."""
    with table.scan(time_range=(since, 2**63 - 1), raw=True, versions=None) as rows:
        for row in rows:
            yield row.key


def all_rows(table: "Table", index: "Table") -> Iterator[bytes]:
    """The keys of all rows, and of those that only the index has."""
    yield from table
    with index.scan(ROW, b"s") as rows:
        for batch in batches(row.key[1:] for row in rows):
            yield from (key for key, is_there in zip(batch, table.exists_many(batch), strict=True) if not is_there)


def refresh(table: "Table", index: "Table", definition: Definition, keys: Iterable[bytes]) -> int:
    """How many entries changed: those of ``keys`` are as the table says then."""
    changed = 0
    for batch in batches(keys):
        rows = table.get_many(batch, definition.columns)
        known = index.get_many([ROW + key for key in batch], [KEY_COLUMN])
        buckets: set[bytes] = set()
        with index.batch() as writer:
            for key, row, old in zip(batch, rows, known, strict=True):
                changed += _one(writer, definition, key, row, old.get(KEY_COLUMN), buckets)
        if buckets:
            _count(index, definition, buckets)
    return changed


def _one(
    writer: _native.BufferedWriter,
    definition: Definition,
    key: bytes,
    row: _native.Row,
    old: bytes | None,
    buckets: set[bytes],
) -> int:
    value = definition.value_of(key, row.cells) if row else None
    if definition.strategy == "summary":
        target = None if value is None else place(definition, value[0], key)
        new = None if target is None else target[0] + target[1]
        data = row.get(definition.sums, b"") if definition.sums and row else b""
        if target is not None:
            # Also where it stays: what is added up may have changed.
            writer.put(target[0], {target[1]: data})
            buckets.add(target[0])
        if old is not None and old != new:
            writer.delete(old[:9], [old[9:]])
            buckets.add(old[:9])
    else:
        new = None if value is None else entry(value[0], key)
        if new is not None and new != old:
            writer.put(new, {COLUMN: b""})
        if old is not None and old != new:
            writer.delete(old)
    if new == old:
        return 0
    if new is None:
        writer.delete(ROW + key)
    else:
        writer.put(ROW + key, {KEY_COLUMN: new})
    return 1


def _count(index: "Table", definition: Definition, buckets: Iterable[bytes]) -> None:
    for row in index.get_many(sorted(buckets), [b"m"]):
        numbers = totals(row)
        if numbers[0]:
            data = {COUNT: numbers[0].to_bytes(8, "big")}
            if definition.sums:
                data[SUM] = numbers[1].to_bytes(16, "big", signed=True)
            index.put(row.key, data)
        else:
            index.delete(row.key)


def totals(row: _native.Row) -> tuple[int, int]:
    """Count and sum of the members of a bucket."""
    cells = [cell for cell in row.cells if cell.family == b"m"]
    sums = (int.from_bytes(cell.value, "big", signed=True) for cell in cells if len(cell.value) == 8)
    return len(cells), sum(sums)


def differences(table: "Table", index: "Table", definition: Definition, report: Any) -> int:
    """How many rows of the table were compared; ``report(kind, row key)`` hears of each difference."""
    checked = 0
    for batch in batches(valued(table, definition)):
        checked += len(batch)
        wanted = [(row.key, value[0]) for row, value in batch if value is not None]
        if definition.strategy == "summary":
            gets = [_native.Get(*_bucket_get(definition, value, key)) for key, value in wanted]
            there = [bool(row) for row in index.multi(gets)]
        else:
            there = index.exists_many([entry(value, key) for key, value in wanted])
        for (key, _), is_there in zip(wanted, there, strict=True):
            if not is_there:
                report("missing", key)
    extra_entries(table, index, definition, lambda _, key: report("extra", key), report)
    return checked


def extra_entries(
    table: "Table", index: "Table", definition: Definition, found: Callable[[bytes, bytes], None], report: Any = None
) -> None:
    """Calls ``found(value, row key)`` for each entry that says what the table does not."""
    for batch in batches(_noted(index, definition, report)):
        rows = table.get_many([key for _, key in batch], definition.columns)
        for (value, key), row in zip(batch, rows, strict=True):
            now = definition.value_of(key, row.cells) if row else None
            if now is None or now[0] != value:
                found(value, key)


def _bucket_get(definition: Definition, value: bytes, key: bytes) -> tuple[bytes, list[bytes]]:
    row, column = place(definition, value, key)
    return row, [column]


def _noted(index: "Table", definition: Definition, report: Any) -> Iterator[tuple[bytes, bytes]]:
    """What the index says of which row."""
    if definition.strategy != "summary":
        with index.scan(ENTRY, b"w") as rows:
            for row in rows:
                yield split(row.key[1:])
        return
    with index.scan(BUCKET, b"c") as rows:
        for row in rows:
            count, total = totals(row)
            counted = int.from_bytes(row.get(COUNT, b""), "big")
            added = int.from_bytes(row.get(SUM, b""), "big", signed=True)
            if count != counted or (definition.sums is not None and total != added):
                report("extra", b"bucket %d" % bucket_of(row.key))
            for cell in row.cells:
                if cell.family == b"m":
                    yield split(cell.qualifier)
