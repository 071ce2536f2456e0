"""Rebuild of an index as a job in any executor, split by the regions of the table and of the index."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from rowstone import _native
from rowstone.indexes import _dual, _rebuild
from rowstone.indexes._definition import Definition
from rowstone.indexes._entries import entry
from rowstone.indexes._read import Entry
from rowstone.jobs.executors import Executor, check
from rowstone.jobs.splits.table_access import Split, TableAccess, splits_of, table_access

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone._core.table import Table

Item = TypeVar("Item")
_MOST_FOUND = 20_000


@dataclass(frozen=True)
class _Work:
    """A range of the table to index, or a range of the index to check."""

    table: TableAccess
    entries: TableAccess
    definition: Definition
    split: Split
    of_index: bool = False
    since: int | None = None

    @property
    def range(self) -> _rebuild.Range:
        return self.split.start or None, self.split.stop or None


@dataclass(frozen=True)
class _Wrong:
    """Wrong entries that a split found, and the key to continue at; None if it is finished."""

    entries: list[Entry]
    rest: _Work | None


def rebuild(database: "Database", definition: Definition, since: int | None, executor: Executor) -> int:
    """Rebuild and return how many entries were written or deleted; see `Index.rebuild`. A split may run twice."""
    index = definition.index_table or ""
    with (
        table_access(database, definition.table, executor) as rows_access,
        table_access(database, index, executor) as entries_access,
    ):
        first = _Work(rows_access, entries_access, definition, Split(0, b"", b""), since=since)
        of_table = [replace(first, split=split) for split in splits_of(database, definition.table, None, None)]
        of_index = [replace(first, split=split, of_index=True) for split in splits_of(database, index, None, None)]
        if definition.strategy == "coprocessor":
            return _touch(database, definition, executor, of_index) + _touch(database, definition, executor, of_table)
        if definition.strategy == "dual":
            return sum(executor.run(_add_missing, of_table)) + sum(executor.run(_take_extra, of_index))
        changed = sum(executor.run(_refresh, of_table))
    if definition.strategy == "summary":
        _rebuild.count_marked(database.table(index), definition)
    return changed


def _refresh(work: _Work) -> int:
    with work.table.open() as table, work.entries.open() as entries:
        keys = (
            _rebuild.all_rows(table, entries, work.range)
            if work.since is None
            else _rebuild.changed_rows(table, work.since, work.range)
        )
        return _rebuild.refresh(table, entries, work.definition, _until_stopped(work, keys))


def _add_missing(work: _Work) -> int:
    with work.table.open() as table, work.entries.open() as entries:
        return _dual.add_missing(table, entries, work.definition, work.range)


def _take_extra(work: _Work) -> int:
    with work.table.open() as table, work.entries.open() as entries:
        return _dual.delete_extra(table, entries, work.definition, work.range)


def _touch(database: "Database", definition: Definition, executor: Executor, works: list[_Work]) -> int:
    """Find wrong entries in the executor, and fix them in this process, which has the directory open.

    Only this process can write row and entry in one record."""
    table, entries = database.table(definition.table), database.table(definition.index_table or "")
    changed = 0
    while works:
        unfinished = []
        for found in executor.run(_find_wrong, works):
            for value, key in found.entries:
                if works[0].of_index:
                    # A writer may create it again before the touch restores it.
                    entries.delete(entry(value, key))
                _native.touch(table, key)
            changed += len(found.entries)
            unfinished += [found.rest] if found.rest is not None else []
        works = unfinished
    return changed


def _find_wrong(work: _Work) -> _Wrong:
    found: list[Entry] = []
    with work.table.open() as table, work.entries.open() as entries:
        for value, key in _until_stopped(work, _wrong(work, table, entries)):
            found.append((value, key))
            if len(found) == _MOST_FOUND:
                following = (entry(value, key) if work.of_index else key) + b"\x00"
                return _Wrong(found, replace(work, split=replace(work.split, start=following)))
    return _Wrong(found, None)


def _wrong(work: _Work, table: "Table", entries: "Table") -> Iterator[Entry]:
    if work.of_index:
        yield from _rebuild.extra_entries(table, entries, work.definition, work.range)
        return
    for key, is_right in _rebuild.compared(table, entries, work.definition, work.range):
        # The timestamps of such entries cannot be compared with those of their values.
        if not is_right or work.definition.expires:
            yield b"", key


def _until_stopped(work: _Work, items: Iterable[Item]) -> Iterator[Item]:
    for number, item in enumerate(items):
        if number % 1024 == 0:
            check(work.table.stopped)
        yield item
