"""Comparison of two tables, region by region."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Unpack

from rowstone._base.options import check_number, with_defaults
from rowstone._core.database import Database
from rowstone.jobs._options import SPLIT_DEFAULTS, SplitOptions
from rowstone.jobs.copies._compare_rows import Comparison, compare_rows
from rowstone.jobs.copies._settings import settings_of
from rowstone.jobs.executors import check, executor_of
from rowstone.jobs.splits.notes import Notes
from rowstone.jobs.splits.table_access import Split, TableAccess, splits_of, table_access


@dataclass(frozen=True)
class _Work:
    source: TableAccess
    target: TableAccess
    split: Split
    raw: bool
    max_differences: int
    report: Callable[[int, Comparison], None] | None


def compare_tables(
    source: Database,
    table: str,
    target: Database,
    target_table: str | None = None,
    *,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    raw: bool = False,
    max_differences: int = 10,
    progress: Callable[[Comparison], None] | None = None,
    **options: Unpack[SplitOptions],
) -> Comparison:
    """Compare two tables by regions of ``source``: every version, value and tag.

    Args:
        target_table: The table of ``target``; by default it has the same name.
        start, stop: Compare the rows from ``start`` (included) to ``stop`` (excluded).
        raw: Include delete markers and deleted cells. They differ if only one of the tables was flushed or compacted,
            which drops cells that no read sees.
        max_differences: Number of differences to return; all are counted.
        progress: Called with the counts so far: every 100,000 cells of a region if memory is shared, and after each
            region.
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
        ...     found = rs.jobs.compare_tables(db, "t", db, "copy")
        ...     print(found.equal, found.different, found.differences[0].target.value)
        0 1 b'copy'
    """
    given = with_defaults(compare_tables, options, SPLIT_DEFAULTS)
    check_number("max_differences", max_differences, least=0)
    name = table if target_table is None else target_table
    settings = settings_of(source, table, target, name, start, stop) | {"raw": raw}
    runner = executor_of(given["executor"], given["workers"])
    notes = Notes(given["state"], "compare", settings, restart=given["restart"])
    splits = notes.splits(splits_of(source, table, start, stop))
    known = Comparison(equal=sum(notes.get(split.number) or 0 for split in splits))
    seen: dict[int, Comparison] = {}

    def report(number: int, found: Comparison) -> None:
        seen[number] = found
        if progress is not None:
            progress(_sum([known, *list(seen.values())], max_differences))

    here = report if runner.stopped is not None else None
    wanted = [split for split in splits if notes.get(split.number) is None]
    with table_access(source, table, runner) as left, table_access(target, name, runner) as right:
        works = [_Work(left, right, split, raw, max_differences, here) for split in wanted]
        for number, found in runner.run(_compare, works):
            report(number, found)
            if found.are_equal:
                notes.note(number, found.equal)
    notes.finish()
    return _sum([known, *seen.values()], max_differences)


def _sum(parts: Iterable[Comparison], max_differences: int) -> Comparison:
    total = Comparison()
    for part in parts:
        total.equal += part.equal
        total.missing += part.missing
        total.extra += part.extra
        total.different += part.different
        total.differences += part.differences[: max_differences - len(total.differences)]
    return total


def _compare(work: _Work) -> tuple[int, Comparison]:
    split = work.split

    def report(found: Comparison) -> None:
        check(work.source.stopped)
        if work.report is not None:
            work.report(split.number, found)

    with work.source.open() as source, work.target.open() as target:
        found = compare_rows(
            source,
            target,
            start=split.start or None,
            stop=split.stop or None,
            raw=work.raw,
            max_differences=work.max_differences,
            progress=report,
        )
    return split.number, found
