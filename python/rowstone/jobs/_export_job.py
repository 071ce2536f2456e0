"""The job of an export: finds an earlier run, exports split by split, and joins the parts into one file."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowstone._base.printable import printable
from rowstone._base.targets import writing
from rowstone._core.database import Database
from rowstone.errors import ExistsError, InvalidArgument, NoSuchColumnFamily
from rowstone.jobs._export_split import ExportWork, export_split
from rowstone.jobs._shape import Shape, find_columns
from rowstone.jobs.executors import Executor, InProcess, Threads
from rowstone.jobs.files.writers import check_types, join
from rowstone.jobs.splits.alone import alone
from rowstone.jobs.splits.state import StateFile, put_in_place
from rowstone.jobs.splits.table_access import Split, splits_of, table_access

_NOTES = ".export"
_NUMBER = "[0-9]" * 5 + "*"
_PART = f"part-{_NUMBER}-{_NUMBER}."
TimeRange = tuple[int | None, int | None] | None


@dataclass
class Exported:
    """Result of an export, or its progress.

    ``rows`` of the table became ``lines`` in ``files`` with the fields ``fields``; ``splits_done`` of ``splits``
    regions are complete. ``resumed`` says whether it continued an earlier run. An export to a URL has
    URLs in ``files``.
    """

    rows: int = 0
    lines: int = 0
    splits: int = 0
    splits_done: int = 0
    fields: tuple[str, ...] = ()
    files: tuple[Path | str, ...] = ()
    resumed: bool = False


class ExportJob:
    """An export of ``table`` to ``out``; ``done`` is its progress."""

    def __init__(self, db: Database, table: str, out: Path, form: str, *, is_folder: bool) -> None:
        self.db, self.table, self.out, self.form, self.is_folder = db, table, out, form, is_folder
        self.notes = out / _NOTES if is_folder else out.with_name(out.name + _NOTES)
        self.parts = out if is_folder else self.notes
        self.done = Exported()
        self.saved: dict[str, Any] | None = None

    def begin(self, settings: Mapping[str, Any], *, restart: bool) -> None:
        """Find an earlier run."""
        if not self.out.absolute().parent.is_dir():
            raise InvalidArgument(f"'{self.out}' cannot be written: there is no folder '{self.out.parent}'")
        everything = {"table": self.table, "format": self.form, **settings}
        self.state = StateFile(self.notes / "job.json", "export", everything)
        if restart and self.state.path.exists():
            with alone(self.notes, f"an export to '{self.out}'"):
                _clear(self.notes, self.parts)
        self.saved = self.state.load()
        if self.saved is None and self._is_taken():
            raise ExistsError(f"'{self.out}' exists already: choose another name")

    def _is_taken(self) -> bool:
        if self.is_folder and self.out.is_dir():
            return any(path != self.notes for path in self.out.iterdir())
        return self.out.exists()

    def plan(
        self,
        start: str | bytes | None,
        stop: str | bytes | None,
        columns: Mapping[str, str] | None,
        shape: Callable[[Mapping[str, str]], Shape],
    ) -> None:
        """Determine columns (None: all existing ones) and splits. A later run keeps those of the first."""
        if self.saved is not None:
            self.done.resumed = True
            self.splits = [
                Split(number, bytes.fromhex(first), bytes.fromhex(last))
                for number, (first, last) in enumerate(self.saved["splits"])
            ]
            self.columns = dict(self.saved["columns"])
        else:
            self.splits = splits_of(self.db, self.table, start, stop)
            self.columns = dict(find_columns(self.db, self.table, start, stop) if columns is None else columns)
        self.shape = shape(self.columns)
        self.done.splits, self.done.fields = len(self.splits), self.shape.fields

    def check(self, start: str | bytes | None, stop: str | bytes | None, time_range: TimeRange) -> None:
        """Raise the errors that a worker would raise, before anything is recorded."""
        table, shape = self.db.table(self.table), self.shape
        for column in shape.columns or ():
            family, colon, _ = column.partition(b":")
            shown = printable(column)
            if not colon:
                raise InvalidArgument(f"column '{shown}' is not FAMILY:QUALIFIER")
            if family not in table.schema.families:
                there = ", ".join(map(printable, table.schema.families))
                raise NoSuchColumnFamily(f"column '{shown}': table '{self.table}' has no such family; it has {there}")
        check_types(self.form, shape.fields, shape.types)
        with table.scan(start, stop, columns=shape.selected(), versions=shape.versions, time_range=time_range):
            pass

    def run(
        self,
        executor: Executor,
        part_bytes: int,
        time_range: TimeRange,
        progress: Callable[[Exported], None] | None,
    ) -> Exported:
        """Export the splits and join them into one file. A failure before the first part leaves nothing."""
        makes_folder = self.is_folder and not self.out.exists()
        for folder in (self.parts, self.notes):
            folder.mkdir(exist_ok=True)
        job = f"an export to '{self.out}'"
        with alone(self.notes, job):
            # Another run may have begun or ended since `begin`.
            if self.state.load() != self.saved or (self.saved is None and self._is_taken()):
                with suppress(OSError):
                    self.notes.rmdir()
                raise ExistsError(f"{job} ran meanwhile: see its result, or choose another name")
            return self._run_alone(executor, part_bytes, time_range, progress, makes_folder=makes_folder)

    def _run_alone(
        self,
        executor: Executor,
        part_bytes: int,
        time_range: TimeRange,
        progress: Callable[[Exported], None] | None,
        *,
        makes_folder: bool,
    ) -> Exported:
        if self.saved is None:
            _clear(self.notes, None)
        # Greater than in earlier runs. restart=True forgets those, so it is the time. If the clock went back, it is the
        # last number plus one.
        number = max(time.time_ns(), (self.saved or {}).get("run", 0) + 1)
        ranges = [(split.start.hex(), split.stop.hex()) for split in self.splits]
        try:
            with writing(self.out):
                self.state.save({"columns": list(self.columns.items()), "splits": ranges, "run": number})
            works = self._run_splits(number, executor, part_bytes, time_range, progress)
        except Exception:
            # These executors leave no worker running. Without a complete part nothing is lost, and a corrected call may
            # start over.
            if isinstance(executor, (InProcess, Threads)) and not any(self.parts.glob(f"{_PART}{self.form}")):
                self._forget(makes_folder)
            raise
        with writing(self.out):
            self._finish(works)
        return self.done

    def _forget(self, with_folder: bool) -> None:
        _clear(self.notes, None)
        with suppress(OSError):
            self.notes.rmdir()
            if with_folder:
                self.out.rmdir()

    def _run_splits(
        self,
        run: int,
        executor: Executor,
        part_bytes: int,
        time_range: TimeRange,
        progress: Callable[[Exported], None] | None,
    ) -> Sequence[ExportWork]:
        seen: dict[int, int] = {}

        def note_lines(number: int, lines: int) -> None:
            seen[number] = lines
            self.done.lines = sum(list(seen.values()))
            if progress is not None:
                progress(self.done)

        with table_access(self.db, self.table, executor) as access:
            works = [
                ExportWork(
                    access=access,
                    run=run,
                    split=split,
                    shape=self.shape,
                    form=self.form,
                    parts=self.parts.absolute(),
                    notes=self.notes.absolute(),
                    header=self.is_folder,
                    part_bytes=part_bytes,
                    time_range=time_range,
                    on_lines=note_lines if executor.stopped is not None else None,
                )
                for split in self.splits
            ]
            for result in executor.run(export_split, works):
                self.done.splits_done += 1
                self.done.rows += result["rows"]
                note_lines(-self.done.splits_done, result["lines"] if executor.stopped is None else 0)
        return works

    def _finish(self, works: Sequence[ExportWork]) -> None:
        counts = [work.state().load() or {} for work in works]
        self.done.lines = sum(count["lines"] for count in counts)
        files = [
            self.parts / work.part(number).name
            for work, count in zip(works, counts, strict=True)
            for number in range(count["parts"])
        ]
        if not self.is_folder:
            whole = self.notes / "whole.new"
            join(files, whole, self.form, self.shape.fields, self.shape.types)
            put_in_place(whole, self.out)
            files = [self.out]
        self.done.files = tuple(files)
        _clear(self.notes, None)
        with suppress(OSError):
            # An abandoned worker may have created a file there meanwhile.
            self.notes.rmdir()


def _clear(notes: Path, parts: Path | None) -> None:
    """Remove the export's files in its folder. The job's own file is first: without it no run continues."""
    (notes / "job.json").unlink(missing_ok=True)
    for folder in {notes, parts or notes}:
        for pattern in (f"split-{_NUMBER}.*", f"{_PART}*", "whole.new", "job.json.new"):
            for path in folder.glob(pattern):
                path.unlink()
