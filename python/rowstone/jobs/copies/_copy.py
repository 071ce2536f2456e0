"""Copy of a table, region by region."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from rowstone._base.options import with_defaults
from rowstone._core.database import Database
from rowstone.errors import InvalidArgument
from rowstone.jobs._options import RESUME_DEFAULTS, ResumeOptions
from rowstone.jobs.copies._copy_rows import Copied, copy_rows
from rowstone.jobs.copies._schema import check_families
from rowstone.jobs.copies._settings import settings_of
from rowstone.jobs.executors import check, executor_of
from rowstone.jobs.splits.notes import Notes
from rowstone.jobs.splits.table_access import Split, TableAccess, splits_of, table_access

_DONE = "done"


@dataclass(frozen=True)
class _Work:
    source: TableAccess
    target: TableAccess
    split: Split
    deletes: bool
    report: Callable[[int, Copied], None]
    start: bytes | None


def copy_table(
    source: Database,
    table: str,
    target: Database,
    target_table: str | None = None,
    *,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    deletes: bool = True,
    workers: int = 1,
    progress: Callable[[Copied], None] | None = None,
    **options: Unpack[ResumeOptions],
) -> Copied:
    """Copy a table by regions of ``source``, with all versions, timestamps, tags and times to live.

    The target must have the table: `create_table_like` creates it. Copying a row again changes nothing. Rows are read
    in chunks of 10,000 cells, so rows of any width fit in memory; a wider row is not written atomically. Concurrent
    writes may be missing.

    Args:
        target_table: The table of ``target``; by default it has the same name.
        start, stop: Copy the rows from ``start`` (included) to ``stop`` (excluded).
        deletes: Copy delete markers, and deleted cells that no compaction has removed; otherwise only the cells that
            reads of ``source`` see. Families with ``new_version_behavior`` order deletes by the time of the write,
            which a copy cannot preserve: copy them without deletes.
        workers: Number of regions processed in parallel, in threads.
        progress: Called with the counts of this run, whenever 2 MiB are written.
        options: A file that records the progress of each region: see `ResumeOptions`.

    Returns:
        The numbers of rows, cells and bytes of this run.

    Raises:
        TableNotFound: One of the tables does not exist.
        NoSuchColumnFamily: The target lacks a family of the source.
        InvalidArgument: The file ``state`` is of another job, or has other options; or both tables are the same.

    Source: HBase's ``CopyTable``.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as here, rs.connect(":memory:") as there:
        ...     _ = here.create_table("t", ["f"])
        ...     here.table("t").put("row", {"f:q": "value"})
        ...     _ = rs.jobs.create_table_like(here, "t", there)
        ...     copied = rs.jobs.copy_table(here, "t", there)
        ...     print(copied.rows, copied.cells, there.table("t").get("row"))
        1 1 Row(b'row', {b'f:q': b'value'})
    """
    given, runner = with_defaults(copy_table, options, RESUME_DEFAULTS), executor_of(None, workers)
    name = table if target_table is None else target_table
    settings = settings_of(source, table, target, name, start, stop) | {"deletes": deletes}
    _check(source, table, target, name)
    notes = Notes(given["state"], "copy", settings, restart=given["restart"])
    splits = notes.splits(splits_of(source, table, start, stop))
    seen: dict[int, Copied] = {}

    def report(number: int, copied: Copied) -> None:
        seen[number] = copied
        if copied.resume_row is not None:
            notes.note(number, copied.resume_row.hex())
        if progress is not None:
            progress(_sum(seen, _resume_row(splits, notes)))

    with table_access(source, table, runner) as left, table_access(target, name, runner) as right:
        works = [_Work(left, right, split, deletes, report, row) for split, row in _unfinished(splits, notes)]
        for number in runner.run(_copy, works):
            notes.note(number, _DONE)
    notes.finish()
    return _sum(seen, None)


def _check(source: Database, table: str, target: Database, target_table: str) -> None:
    """Refuse a target that is the source, or that lacks a family, before anything is written."""
    is_one = source is target or source.path == target.path != ":memory:"
    # What is open for reading only may be a snapshot, which may be copied to its table.
    if is_one and not source.read_only and source.table(table).name == target.table(target_table).name:
        raise InvalidArgument(f"table '{table}' cannot be copied to itself: name another target_table")
    # Without the permission to see them, the first write to a missing family fails.
    ours, theirs = source._schema(table), target._schema(target_table)
    if ours is not None and theirs is not None:
        check_families(ours, theirs)


def _unfinished(splits: Sequence[Split], notes: Notes) -> Iterator[tuple[Split, bytes | None]]:
    """Yield the splits that are not done, each with the row to start at; None is the first row of the table."""
    for split in splits:
        saved = notes.get(split.number)
        if saved != _DONE:
            yield split, bytes.fromhex(saved) if saved else split.start or None


def _resume_row(splits: Sequence[Split], notes: Notes) -> bytes | None:
    return next((row for _, row in _unfinished(splits, notes)), None)


def _sum(parts: Mapping[int, Copied], resume_row: bytes | None) -> Copied:
    total = Copied(resume_row=resume_row)
    for part in list(parts.values()):
        for name in ("rows", "cells", "markers", "value_bytes"):
            setattr(total, name, getattr(total, name) + getattr(part, name))
    return total


def _copy(work: _Work) -> int:
    split = work.split

    def report(copied: Copied) -> None:
        check(work.source.stopped)
        work.report(split.number, copied)

    with work.source.open() as source, work.target.open() as target:
        copy_rows(
            source,
            target,
            start=work.start,
            stop=split.stop or None,
            deletes=work.deletes,
            progress=report,
        )
    return split.number
