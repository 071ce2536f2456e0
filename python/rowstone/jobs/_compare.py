"""Comparison of two tables, and copy of a table, region by region."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Unpack

from rowstone._base.options import with_defaults
from rowstone._core.database import Database
from rowstone.jobs._options import RESUME_DEFAULTS, SPLIT_DEFAULTS, ResumeOptions, SplitOptions
from rowstone.jobs.executors import check, executor_of
from rowstone.jobs.splits.notes import Notes
from rowstone.jobs.splits.state import key_setting
from rowstone.jobs.splits.table_access import Split, TableAccess, splits_of, table_access
from rowstone.jobs.transfer import Comparison, Copied
from rowstone.jobs.transfer import compare_tables as compare_ranges
from rowstone.jobs.transfer import copy_table as copy_range


@dataclass(frozen=True)
class _Work:
    source: TableAccess
    target: TableAccess
    split: Split
    raw: bool
    max_differences: int
    report: Callable[[int, Any], None] | None
    resume_row: bytes | None = None


def compare(
    source: Database,
    table: str,
    target: Database,
    target_table: str | None = None,
    *,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    raw: bool = False,
    max_differences: int = 10,
    progress: Callable[[int], None] | None = None,
    **options: Unpack[SplitOptions],
) -> Comparison:
    """Compare two tables by regions of ``source``: every version, value and tag.

    Args:
        target_table: The table of ``target``; by default it has the same name.
        start, stop: Compare the rows from ``start`` (included) to ``stop`` (excluded).
        raw: Include delete markers and deleted cells, as `rowstone.jobs.transfer.compare_tables` does.
        max_differences: Number of differences to return; all are counted.
        progress: Called with the number of cells compared.
        options: Workers, and a file that records which regions are equal: see `SplitOptions`.

    Returns:
        The numbers of equal and of differing cells, and the first differences.

    Raises:
        TableNotFound: One of the tables does not exist.
        InvalidArgument: The file ``state`` is of another job, or has other options.

    Source: HBase's ``VerifyReplication`` and ``SyncTable`` in a dry run.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     for name in ("t", "copy"):
        ...         _ = db.create_table(name, ["f"])
        ...         db.table(name).put("row", {"f:q": name}, timestamp=1)
        ...     found = rs.jobs.compare(db, "t", db, "copy")
        ...     print(found.equal, found.different, found.differences[0].target.value)
        0 1 b'copy'
    """
    given, name = with_defaults(compare, options, SPLIT_DEFAULTS), target_table or table
    settings = _settings(source, table, target, name, start, stop, raw)
    runner = executor_of(given["executor"], given["workers"])
    notes = Notes(given["state"], "compare", settings, restart=given["restart"])
    splits = notes.splits(splits_of(source, table, start, stop))
    total = Comparison(equal=sum(notes.get(split.number) or 0 for split in splits))
    seen: dict[int, int] = {}

    def report(number: int, found: Comparison) -> None:
        seen[number] = found.equal + found.missing + found.extra + found.different
        if progress is not None:
            progress(sum(list(seen.values())))

    here = report if runner.stopped is not None else None
    wanted = [split for split in splits if notes.get(split.number) is None]
    with table_access(source, table, runner) as left, table_access(target, name, runner) as right:
        works = [_Work(left, right, split, raw, max_differences, here) for split in wanted]
        for number, found in runner.run(_compare, works):
            report(number, found)
            _add(total, found)
            if found.are_equal:
                notes.note(number, found.equal)
    notes.finish()
    del total.differences[max_differences:]
    return total


def copy(
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
    """Copy a table by regions of ``source``, with all versions, timestamps and tags; the target must have the table.

    Args:
        target_table: The table of ``target``; by default it has the same name.
        start, stop: Copy the rows from ``start`` (included) to ``stop`` (excluded).
        deletes: Copy delete markers and deleted cells, too, as `rowstone.jobs.transfer.copy_table` does.
        workers: Number of regions processed in parallel, in threads.
        progress: Called with the counts of this run.
        options: A file that records the progress of each region: see `ResumeOptions`.

    Returns:
        The numbers of rows, cells and bytes of this run.

    Raises:
        TableNotFound: One of the tables does not exist.
        NoSuchColumnFamily: The target lacks a family of the source.
        InvalidArgument: The file ``state`` is of another job, or has other options.

    Source: HBase's ``CopyTable``.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"]), db.create_table("copy", ["f"])
        ...     db.table("t").put("row", {"f:q": "value"})
        ...     copied = rs.jobs.copy(db, "t", db, "copy")
        ...     print(copied.rows, copied.cells, db.table("copy").get("row"))
        1 1 Row(b'row', {b'f:q': b'value'})
    """
    given, name = with_defaults(copy, options, RESUME_DEFAULTS), target_table or table
    runner = executor_of(None, workers)
    settings = _settings(source, table, target, name, start, stop, deletes)
    notes = Notes(given["state"], "copy", settings, restart=given["restart"])
    splits = notes.splits(splits_of(source, table, start, stop))
    seen: dict[int, Copied] = {}

    def report(number: int, copied: Copied) -> None:
        seen[number] = copied
        if copied.resume_row is not None:
            notes.note(number, copied.resume_row.hex())
        if progress is not None:
            progress(_sum(seen))

    with table_access(source, table, runner) as left, table_access(target, name, runner) as right:
        works = []
        for split in splits:
            saved = notes.get(split.number)
            if saved != _DONE:
                works.append(_Work(left, right, split, deletes, 0, report, bytes.fromhex(saved) if saved else None))
        for number in runner.run(_copy, works):
            notes.note(number, _DONE)
    notes.finish()
    return _sum(seen)


_DONE = "done"


def _settings(
    source: Database,
    table: str,
    target: Database,
    target_table: str,
    start: str | bytes | None,
    stop: str | bytes | None,
    raw: bool,
) -> dict[str, Any]:
    places = {
        "source": [source.path, source.table(table).name],
        "target": [target.path, target.table(target_table).name],
    }
    return {**places, "start": key_setting(start), "stop": key_setting(stop), "raw": raw}


def _add(total: Comparison, found: Comparison) -> None:
    total.equal += found.equal
    total.missing += found.missing
    total.extra += found.extra
    total.different += found.different
    total.differences += found.differences


def _sum(parts: dict[int, Copied]) -> Copied:
    found = list(parts.values())
    counts = (sum(getattr(part, name) for part in found) for name in ("rows", "cells", "markers", "value_bytes"))
    return Copied(*counts)


def _compare(work: _Work) -> tuple[int, Comparison]:
    split = work.split

    def report(found: Comparison) -> None:
        check(work.source.stopped)
        if work.report is not None:
            work.report(split.number, found)

    with work.source.open() as source, work.target.open() as target:
        found = compare_ranges(
            source,
            target,
            start=split.start or None,
            stop=split.stop or None,
            raw=work.raw,
            max_differences=work.max_differences,
            progress=report,
        )
    return split.number, found


def _copy(work: _Work) -> int:
    split = work.split

    def report(copied: Copied) -> None:
        check(work.source.stopped)
        if work.report is not None:
            work.report(split.number, copied)

    with work.source.open() as source, work.target.open() as target:
        copy_range(
            source,
            target,
            start=work.resume_row or split.start or None,
            stop=split.stop or None,
            deletes=work.raw,
            progress=report,
        )
    return split.number
