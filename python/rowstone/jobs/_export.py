"""A table into files: split by split, and then into one file where one was asked for."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowstone._database import Database
from rowstone._schema import as_bytes
from rowstone.errors import ExistsError, InvalidArgument
from rowstone.jobs._export_split import ExportWork, export_split
from rowstone.jobs._place import place_of
from rowstone.jobs._shape import Decoder, Shape, cells_shape, find_columns, rows_shape
from rowstone.jobs._splits import Split, splits_of
from rowstone.jobs._state import StateFile, key_setting, put_in_place
from rowstone.jobs._writers import EXPORT_FORMATS, join
from rowstone.jobs.executors import Executor, ExecutorArgument, executor_of

_PART_BYTES = 64 << 20
_NOTES = ".export"


@dataclass
class Exported:
    """What an export did, or how far it came.

    ``rows`` of the table became ``lines`` in ``files`` with the fields ``fields``; ``splits_done`` of ``splits``
    regions are complete. ``resumed`` says that an earlier run had begun.
    """

    rows: int = 0
    lines: int = 0
    splits: int = 0
    splits_done: int = 0
    fields: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    resumed: bool = False


def export_table(
    db: Database,
    table: str,
    out: str | os.PathLike[str],
    columns: Mapping[str, str] | Sequence[str] | None = None,
    *,
    format: str | None = None,
    layout: str = "rows",
    versions: int | None = 1,
    key_field: str = "row",
    types: Mapping[str, str] | None = None,
    decode: Mapping[str, Decoder] | None = None,
    decode_key: Decoder | None = None,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    time_range: tuple[int | None, int | None] | None = None,
    part_bytes: int = _PART_BYTES,
    workers: int = 1,
    executor: ExecutorArgument = None,
    restart: bool = False,
    dry_run: bool = False,
    on_progress: Callable[[Exported], None] | None = None,
) -> Exported:
    """What was written of the rows from ``start``, included, to ``stop``, excluded, in pieces of about 8 MiB.

    Args:
        out: A file that ends with ``.parquet``, ``.csv`` or ``.jsonl``; or a folder for many files, with ``format``.
        columns: ``{"f:q": "field"}``, or columns that keep their names. By default all that any row has (1000 at
            most), for which all keys are read first. Rows without any of them are left out.
        layout: ``"rows"``, a line for each row; or ``"cells"``, one for each cell: row, family, qualifier, timestamp,
            value. Only cells can have ``versions`` (None for all) and a time.
        key_field: The field of the row key.
        types: Arrow's names of the types of fields in Parquet, such as ``{"row": "string", "age": "int64"}``; without,
            fields are ``binary``. Text is UTF-8.
        decode: What makes the values of a column into something else; ``decode_key`` the same for row keys.
        time_range: Only cells from the first time, included, to the second, excluded, in milliseconds.
        part_bytes: How much of the table's data is done again, at most, after an interruption.
        workers: Regions at once, in threads.
        executor: Where else than in threads, such as ``"processes"`` or a Dask client: `ExecutorArgument`. Its workers
            write the parts: they must see ``out`` under the same path.
        restart: Begin again, whatever an earlier run left.
        dry_run: What would be exported, without reading values.
        on_progress: Called after each piece where memory is shared, else after each split.

    An unfinished export keeps parts and notes beside ``out``, in ``OUT.export``, or in ``OUT/.export`` in a folder.
    The same call then goes on; parts that are complete stay as they are, so that each row is there once. Rows that are
    written meanwhile may be missing.

    Raises:
        ExistsError: ``out`` is there. InvalidArgument: A value does not fit its type; says which field.

    Source: HBase's ``Export``.
    """
    out, named = Path(out), _named(columns)
    form = _format(out, format)
    _check(layout, versions, named, types)
    decoders = {as_bytes(column): decoder for column, decoder in (decode or {}).items()}
    runner = executor_of(executor, workers)
    job = _Job(db, db.table(table).name, out, form, is_folder=out.suffix != f".{form}")
    job.begin(
        {"layout": layout, "versions": versions, "key_field": key_field, "types": dict(types or {}), "columns": named}
        | {"start": key_setting(start), "stop": key_setting(stop), "time_range": time_range},
        restart=restart,
    )
    if layout == "cells":
        job.plan(start, stop, {}, lambda columns: cells_shape(decoders, decode_key, versions))
    else:
        job.plan(start, stop, named, lambda names: rows_shape(names, key_field, types or {}, decoders, decode_key))
    if not dry_run:
        job.run(runner, part_bytes, time_range, on_progress)
    return job.done


def _check(layout: str, versions: int | None, columns: object, types: object) -> None:
    if layout not in ("rows", "cells"):
        raise InvalidArgument(f"layout is {layout!r}: there are 'rows' and 'cells'")
    if layout == "rows" and versions != 1:
        raise InvalidArgument(f"versions is {versions}: a line for each row has one; use layout='cells'")
    if layout == "cells" and (columns or types):
        raise InvalidArgument("a line for each cell has its own fields: leave columns and types out")


def _format(out: Path, given: str | None) -> str:
    found = given or out.suffix.removeprefix(".")
    if found not in EXPORT_FORMATS:
        named = f"'{found}'" if found else "not known"
        raise InvalidArgument(f"the format of '{out}' is {named}: there are {', '.join(EXPORT_FORMATS)}")
    return found


def _named(columns: Mapping[str, str] | Sequence[str] | None) -> dict[str, str] | None:
    if isinstance(columns, str):
        raise InvalidArgument(f"columns is the text {columns!r}: pass a mapping {{'f:q': field}} or a list")
    if columns is None:
        return None
    return dict(columns) if isinstance(columns, Mapping) else {column: column for column in columns}


class _Job:
    def __init__(self, db: Database, table: str, out: Path, form: str, *, is_folder: bool) -> None:
        self.db, self.table, self.out, self.form, self.is_folder = db, table, out, form, is_folder
        self.notes = out / _NOTES if is_folder else out.with_name(out.name + _NOTES)
        self.parts = out if is_folder else self.notes
        self.done = Exported()

    def begin(self, settings: Mapping[str, Any], *, restart: bool) -> None:
        """Looks for an earlier run."""
        if not self.out.absolute().parent.is_dir():
            raise InvalidArgument(f"'{self.out}' cannot be written: there is no folder '{self.out.parent}'")
        everything = {"table": self.table, "format": self.form, **settings}
        self.state = StateFile(self.notes / "job.json", "export", everything)
        if restart and self.state.path.exists():
            _clear(self.notes, self.parts)
        self.saved = self.state.load()
        if self.saved is None and self._is_taken():
            raise ExistsError(f"'{self.out}' is there already: choose another name")

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
        """Settles columns (None: those that there are) and splits, which stay those of the first run."""
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

    def run(
        self,
        executor: Executor,
        part_bytes: int,
        time_range: tuple[int | None, int | None] | None,
        on_progress: Callable[[Exported], None] | None,
    ) -> None:
        """Exports the splits, and makes one file of them."""
        if self.saved is None:
            for folder in (self.parts, self.notes):
                folder.mkdir(exist_ok=True)
            _clear(self.notes, None)
            ranges = [(split.start.hex(), split.stop.hex()) for split in self.splits]
            self.state.save({"columns": list(self.columns.items()), "splits": ranges})
        seen: dict[int, int] = {}

        def tell(number: int, lines: int) -> None:
            seen[number] = lines
            self.done.lines = sum(list(seen.values()))
            if on_progress is not None:
                on_progress(self.done)

        with place_of(self.db, self.table, executor) as place:
            works = [
                ExportWork(
                    place=place,
                    split=split,
                    shape=self.shape,
                    form=self.form,
                    parts=self.parts.absolute(),
                    notes=self.notes.absolute(),
                    header=self.is_folder,
                    part_bytes=part_bytes,
                    time_range=time_range,
                    on_lines=tell if executor.stopped is not None else None,
                )
                for split in self.splits
            ]
            for result in executor.run(export_split, works):
                self.done.splits_done += 1
                self.done.rows += result["rows"]
                tell(-self.done.splits_done, result["lines"] if executor.stopped is None else 0)
        self._finish(works)

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
            # A worker that was given up may have begun a file there meanwhile.
            self.notes.rmdir()


def _clear(notes: Path, parts: Path | None) -> None:
    """Removes what an export keeps in its folder, the job's own file first: without it nothing goes on."""
    (notes / "job.json").unlink(missing_ok=True)
    for folder in {notes, parts or notes}:
        for pattern in ("split-*", "part-*", "whole.new", "job.json.new"):
            for path in folder.glob(pattern):
                path.unlink()
