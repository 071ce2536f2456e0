"""Rows and cells of a table, counted by regions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Unpack

from rowstone import filters
from rowstone._base.blocking import check_blocking
from rowstone._base.options import as_list, with_defaults
from rowstone._core.database import Database
from rowstone.jobs._options import SPLIT_DEFAULTS, SplitOptions
from rowstone.jobs._summary import Summary
from rowstone.jobs.executors import check, executor_of
from rowstone.jobs.splits.notes import Notes
from rowstone.jobs.splits.state import key_setting
from rowstone.jobs.splits.table_access import Split, TableAccess, splits_of, table_access

_ROWS_BETWEEN_REPORTS = 10_000
Report = Callable[[int], None] | None


@dataclass(frozen=True)
class _Work:
    access: TableAccess
    split: Split
    columns: tuple[str | bytes, ...] | None
    versions: int | None
    cells: bool
    report: Callable[[int, int], None] | None

    def scan_options(self) -> dict[str, Any]:
        if self.cells:
            return {"versions": self.versions}
        # The first cell of a row is enough, without its value.
        return {"filter": filters.FirstKeyOnlyFilter() & filters.KeyOnlyFilter()}


def count_rows(
    db: Database,
    table: str,
    *,
    columns: str | bytes | Iterable[str | bytes] | None = None,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    progress: Report = None,
    **options: Unpack[SplitOptions],
) -> int:
    """Count the rows from ``start`` (included) to ``stop`` (excluded) that have one of the columns.

    Args:
        columns: Families, or columns ``family:qualifier``, or one of them; by default all.
        progress: Called with the number of rows so far.
        options: Workers, and a file that records which regions are counted: see `SplitOptions`.

    Source: HBase's ``RowCounter``.
    """
    given = with_defaults(count_rows, options, SPLIT_DEFAULTS)
    settings = {"cells": False, "columns": columns, "start": start, "stop": stop}
    return _run(db, table, settings, None, given, progress).rows


def summarize_table(
    db: Database,
    table: str,
    *,
    columns: str | bytes | Iterable[str | bytes] | None = None,
    versions: int | None = None,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    progress: Report = None,
    **options: Unpack[SplitOptions],
) -> Summary:
    """Count rows, cells and bytes, of the table and of each column; arguments as in `count_rows`.

    ``versions`` is the number of versions of each column to count, by default all that reads see. For further options
    see `SplitOptions`.

    Source: HBase's ``CellCounter``.
    """
    given = with_defaults(summarize_table, options, SPLIT_DEFAULTS)
    settings = {"cells": True, "columns": columns, "start": start, "stop": stop, "versions": versions}
    return _run(db, table, settings, versions, given, progress)


def _run(
    db: Database,
    table: str,
    settings: dict[str, Any],
    versions: int | None,
    options: SplitOptions,
    progress: Report,
) -> Summary:
    check_blocking("db", db)
    executor = executor_of(options["executor"], options["workers"])
    columns, start, stop = settings["columns"], settings["start"], settings["stop"]
    if columns is not None:
        columns = [columns] if isinstance(columns, (str, bytes)) else as_list("columns", columns)
    plain = {
        **settings,
        "table": db.table(table).name,
        "columns": None if columns is None else [key_setting(column) for column in columns],
        "start": key_setting(start, "start"),
        "stop": key_setting(stop, "stop"),
    }
    notes = Notes(options["state"], "count", plain, restart=options["restart"])
    splits = notes.splits(splits_of(db, table, start, stop))
    found = {split.number: Summary.from_json(saved) for split in splits if (saved := notes.get(split.number))}
    seen = {number: summary.rows for number, summary in found.items()}

    def report(number: int, rows: int) -> None:
        seen[number] = rows
        if progress is not None:
            progress(sum(list(seen.values())))

    here = report if executor.stopped is not None else None
    with table_access(db, table, executor) as access:
        works = [
            _Work(access, split, None if columns is None else tuple(columns), versions, settings["cells"], here)
            for split in splits
            if split.number not in found
        ]
        for number, summary in executor.run(_count, works):
            found[number] = summary
            notes.note(number, summary.to_json())
            report(number, summary.rows)
    notes.finish()
    total = Summary()
    for number in sorted(found):
        total.merge(found[number])
    return total


def _count(work: _Work) -> tuple[int, Summary]:
    """The summary of a split."""
    summary, split = Summary(), work.split
    with (
        work.access.open() as table,
        table.scan(
            split.start or None, split.stop or None, columns=work.columns, cache_blocks=False, **work.scan_options()
        ) as rows,
    ):
        for row in rows:
            if work.cells:
                summary.add(row)
            else:
                summary.rows += 1
            if summary.rows % _ROWS_BETWEEN_REPORTS == 0:
                check(work.access.stopped)
                if work.report is not None:
                    work.report(split.number, summary.rows)
    return split.number, summary
