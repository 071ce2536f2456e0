"""Bringing entries of an index up to date, for some rows or all; and finding differences."""

from collections.abc import Iterable, Iterator
from secrets import token_bytes
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone.indexes._definition import Definition
from rowstone.indexes._entries import (
    BUCKET,
    COLUMN,
    COUNT,
    DIRTY,
    ENTRY,
    KEY_COLUMN,
    MEMBERS,
    META,
    ROW,
    SINCE,
    SUM,
    bucket_of,
    entry,
    split,
)
from rowstone.indexes._read import Entry, batches, place, valued

if TYPE_CHECKING:
    from rowstone._core.table import Table

Range = tuple[bytes | None, bytes | None]
"""Range of keys: from the first, included, to the second, excluded; None is the end of the table."""
EVERYTHING: Range = (None, None)
_BUCKETS_AT_ONCE = 20


def known_until(index: "Table") -> int | None:
    """Return the time up to which an index knows its table, in the store's milliseconds; None if it was never built."""
    data = index.get(META).get(SINCE)
    return None if data is None else int.from_bytes(data, "big")


def now_of(index: "Table") -> int:
    """Return the store's time, which may differ from this machine's."""
    index.put(META, {b"i:now": b""})
    return index.get(META, [b"i:now"]).cells[0].timestamp


def note(index: "Table", until: int) -> None:
    """Store the time up to which the index knows its table."""
    index.put(META, {SINCE: until.to_bytes(8, "big")})


def changed_rows(table: "Table", since: int, rows: Range = EVERYTHING) -> Iterator[bytes]:
    """Iterate over keys of rows with cells or markers of that time or later."""
    with table.scan(*rows, time_range=(since, 2**63 - 1), raw=True, versions=None) as found:
        for row in found:
            yield row.key


def all_rows(table: "Table", index: "Table", rows: Range = EVERYTHING) -> Iterator[bytes]:
    """Iterate over the keys of all rows, and of rows that exist only in the index."""
    with table.scan(*rows, cells_per_family=1) as found:
        for row in found:
            yield row.key
    start, stop = rows
    with index.scan(ROW + (start or b""), ROW + stop if stop else b"s") as found:
        for batch in batches(row.key[1:] for row in found):
            yield from (key for key, is_there in zip(batch, table.exists_many(batch), strict=True) if not is_there)


def refresh(table: "Table", index: "Table", definition: Definition, keys: Iterable[bytes]) -> int:
    """Make the entries of ``keys`` agree with the table; return how many changed.

    Buckets of a summary are marked; `count_marked` counts them.
    """
    changed = 0
    for batch in batches(keys):
        rows = table.get_many(batch, definition.columns)
        known = index.get_many([ROW + key for key in batch], [KEY_COLUMN])
        marked: set[bytes] = set()
        with index.batch() as writer:
            for key, row, old in zip(batch, rows, known, strict=True):
                changed += _one(writer, definition, key, row, old.get(KEY_COLUMN), marked)
    return changed


def _one(
    writer: _native.BufferedWriter,
    definition: Definition,
    key: bytes,
    row: _native.Row,
    old: bytes | None,
    marked: set[bytes],
) -> int:
    value = definition.value_of(key, row.cells) if row else None
    if definition.strategy == "summary":
        target = None if value is None else place(definition, value[0], key)
        new = None if target is None else target[0] + target[1]
        data = row.get(definition.sums, b"") if definition.sums and row else b""
        if target is not None:
            # Even if it stays: the summed column may have changed.
            _mark(writer, target[0], marked)
            writer.put(target[0], {target[1]: data})
        if old is not None and old != new:
            _mark(writer, old[:9], marked)
            writer.delete(old[:9], [old[9:]])
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


def _mark(writer: _native.BufferedWriter, bucket: bytes, marked: set[bytes]) -> None:
    """Mark a bucket before its members change, so that the mark survives a crash in between."""
    if bucket not in marked:
        writer.put(bucket, {DIRTY: token_bytes(8)})
        marked.add(bucket)


def count_marked(index: "Table", definition: Definition) -> None:
    """Count and add up the members of the marked buckets, and remove the marks.

    A bucket that is marked again meanwhile stays marked.
    """
    with index.scan(BUCKET, b"c", columns=[DIRTY]) as rows:
        marks = {row.key: row[DIRTY] for row in rows}
    for batch in batches(marks, _BUCKETS_AT_ONCE):
        for bucket, row in zip(batch, index.get_many(batch, [MEMBERS]), strict=True):
            count, total = totals(row)
            data = {COUNT: count.to_bytes(8, "big")}
            if definition.sums:
                data[SUM] = total.to_bytes(16, "big", signed=True)
            change: list[_native.Put | _native.Delete] = [_native.Delete(bucket)]
            if count:
                change = [_native.Put(bucket, data), _native.Delete(bucket).add_columns(DIRTY)]
            index.check_and_mutate(bucket, DIRTY, "==", marks[bucket], change)


def totals(row: _native.Row) -> tuple[int, int]:
    """Return count and sum of the members of a bucket."""
    cells = [cell for cell in row.cells if cell.family == b"m"]
    sums = (int.from_bytes(cell.value, "big", signed=True) for cell in cells if len(cell.value) == 8)
    return len(cells), sum(sums)


def differences(table: "Table", index: "Table", definition: Definition, report: Any) -> int:
    """Return how many rows of the table were compared; ``report(kind, row key)`` is called for each difference, and for
    rows whose values the codec cannot decode."""
    checked = 0
    for key, is_right in compared(table, index, definition, report=report):
        checked += 1
        if not is_right:
            report("missing", key)
    for _, key in extra_entries(table, index, definition, report=report):
        report("extra", key)
    return checked


def compared(
    table: "Table", index: "Table", definition: Definition, rows: Range = EVERYTHING, *, report: Any = None
) -> Iterator[tuple[bytes, bool]]:
    """Iterate over the table's row keys, each with whether the index has its correct entry."""
    for batch in batches(valued(table, definition, start=rows[0], stop=rows[1])):
        wanted = [(row.key, value[0]) for row, value in batch if value is not None]
        if definition.strategy == "summary":
            gets = [_native.Get(*_bucket_get(definition, value, key)) for key, value in wanted]
            there = [bool(row) for row in index.multi(gets)]
        else:
            there = index.exists_many([entry(value, key) for key, value in wanted])
        if report is not None:
            for row, value in batch:
                if value is None and definition.is_unreadable(row.key, row.cells):
                    report("unreadable", row.key)
        missing = {key for (key, _), is_there in zip(wanted, there, strict=True) if not is_there}
        yield from ((row.key, row.key not in missing) for row, _ in batch)


def extra_entries(
    table: "Table", index: "Table", definition: Definition, rows: Range = EVERYTHING, *, report: Any = None
) -> Iterator[Entry]:
    """Iterate over value and row key of entries that contradict the table; ``rows`` is a range of the index."""
    for batch in batches(_noted(index, definition, rows, report)):
        found = table.get_many([key for _, key in batch], definition.columns)
        for (value, key), row in zip(batch, found, strict=True):
            now = definition.value_of(key, row.cells) if row else None
            if now is None or now[0] != value:
                yield value, key


def _bucket_get(definition: Definition, value: bytes, key: bytes) -> tuple[bytes, list[bytes]]:
    row, column = place(definition, value, key)
    return row, [column]


def _noted(index: "Table", definition: Definition, rows: Range, report: Any) -> Iterator[Entry]:
    """Iterate over the entries of the index with their row keys."""
    first, last = (BUCKET, b"c") if definition.strategy == "summary" else (ENTRY, b"w")
    start, stop = max(first, rows[0] or b""), min(last, rows[1] or last)
    if start >= stop:
        return
    with index.scan(start, stop) as found:
        for row in found:
            if definition.strategy != "summary":
                yield split(row.key[1:])
                continue
            count, total = totals(row)
            counted = int.from_bytes(row.get(COUNT, b""), "big")
            added = int.from_bytes(row.get(SUM, b""), "big", signed=True)
            if count != counted or (definition.sums is not None and total != added):
                report("extra", b"bucket %d" % bucket_of(row.key))
            for cell in row.cells:
                if cell.family == b"m":
                    yield split(cell.qualifier)
