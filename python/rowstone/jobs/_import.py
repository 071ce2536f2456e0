"""Import of a file into a table: read, convert, write in pieces, record the progress."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rowstone._base.blocking import check_blocking
from rowstone._base.options import check_number, with_defaults
from rowstone._base.options.words import Durability
from rowstone._base.printable import printable
from rowstone._base.remote.folder import is_url
from rowstone._base.targets import local_path
from rowstone._core.database import Database
from rowstone._core.table import Table
from rowstone._native import Put
from rowstone.errors import InvalidArgument, NoSuchColumnFamily, TableNotFound, UsageError
from rowstone.jobs._options import IMPORT_DEFAULTS, ImportOptions
from rowstone.jobs._plan import BadValue, ColumnsArgument, Plan, plan_of
from rowstone.jobs._urls import Source, import_url, local_source
from rowstone.jobs.files.formats import ImportFormat, reader_of
from rowstone.jobs.files.records import BadInput, Position, Reader, Record, Refused
from rowstone.jobs.files.refusals import Refusals
from rowstone.jobs.files.shuffle import Shuffled
from rowstone.jobs.splits.state import StateFile, key_setting

if TYPE_CHECKING:
    from rowstone.keys import Key

_PIECE_BYTES = 8 << 20
_PIECE_LINES = 50_000
_NOTED = ("rows", "cells", "offset", "line", "timestamp", "seed", "without_cells")


@dataclass
class Imported:
    """Result of an import, or its progress.

    ``rows`` counts rows written (in a dry run: to be written), ``cells`` their cells, ``skipped`` refused lines, of
    which ``refused`` lists the first ten of this run. ``offset`` of ``total`` is done: bytes, or rows of Parquet.
    ``timestamp`` applies to cells whose line has none; ``resumed`` says whether it continued an earlier run. ``seed``
    determines the order with ``shuffle``; ``offset`` and ``line`` then count all work done, anywhere in the file.
    ``without_cells`` counts lines with a key but only missing values (or empty ones, with ``skip_empty``): no rows.
    """

    rows: int = 0
    cells: int = 0
    skipped: int = 0
    offset: int = 0
    line: int = 0
    total: int = 0
    timestamp: int = 0
    resumed: bool = False
    seed: int = 0
    refused: list[BadInput] = field(default_factory=list)
    without_cells: int = 0


def import_file(
    db: Database,
    table: str,
    path: str | os.PathLike[str],
    columns: ColumnsArgument,
    *,
    key: str | Iterable[str] | Key | None = None,
    timestamp_field: str | None = None,
    timestamp: int | None = None,
    format: ImportFormat | None = None,
    dry_run: bool = False,
    progress: Callable[[Imported], None] | None = None,
    **options: Unpack[ImportOptions],
) -> Imported:
    """Import a file of CSV, TSV, JSON lines or Parquet, read in chunks of 8 MiB; return what was written.

    Args:
        path: A file; also the URL of one in an object store, HDFS or a web server. It is fetched first, into a file
            next to that of the progress, which is in the current directory by default.
        columns: ``{"f:q": "field"}`` by names of the header, of JSON members or Parquet columns. Or a list with the
            role of each field of CSV or TSV: ``["HBASE_ROW_KEY", "f:q", "HBASE_TS_KEY"]``, ``""`` to ignore one. In a
            list, a family alone is its column with the empty qualifier, as for HBase.
        key: The field of the row key, several for ``encode_key``, or a `rowstone.keys.Key` of fields; with a mapping.
        timestamp_field: The field of each row's timestamp in milliseconds; only with a mapping.
        timestamp: Timestamp of all other cells; by default the time when the import was first started.
        format: ``"csv"``, ``"tsv"``, ``"jsonl"`` or ``"parquet"``; by default from the file's name.
        dry_run: Read and convert everything, write nothing.
        progress: Called after each chunk.
        options: Creation of the table, conversion and durability: see `ImportOptions`. Header, order and malformed
            lines: see `LineOptions`. Continuation after an interruption: see `ResumeOptions`.

    An unfinished import keeps its progress in the file ``state``, by default the file's name followed by
    ``.import.json``, for a URL with a hash of the URL between them. The same call then continues after the last chunk.
    Writing a chunk twice changes nothing, because cells keep their timestamps.

    Raises:
        BadInput: A line is refused; the error names line, column and value. The rows before it are written.
        NoSuchColumnFamily, InvalidArgument: Nothing was written.

    Source: HBase's ``ImportTsv``.
    """
    given = with_defaults(import_file, options, IMPORT_DEFAULTS)
    check_blocking("db", db)
    _check_writes(timestamp, given["durability"])
    work = partial(
        _import,
        db,
        table,
        columns=columns,
        fields={"key": key, "timestamp_field": timestamp_field},
        timestamp=timestamp,
        dry_run=dry_run,
        progress=progress,
        given=given,
    )
    if is_url(path):
        return import_url(work, os.fspath(path), format, given, dry_run=dry_run)
    return work(local_source(Path(local_path(path)), format, given["state"]))


def _import(
    db: Database,
    table: str,
    source: Source,
    *,
    columns: ColumnsArgument,
    fields: Mapping[str, Any],
    timestamp: int | None,
    dry_run: bool,
    progress: Callable[[Imported], None] | None,
    given: ImportOptions,
) -> Imported:
    """Import a local file. ``fields`` are those of the key and of the timestamp."""
    encode, encode_key, shuffle = given["encode"], given["encode_key"], given["shuffle"]
    plan = plan_of(columns, **fields, encode=encode, encode_key=encode_key, skip_empty=given["skip_empty"])
    target = _existing(db, table, given["create"])
    _check(table, target, plan, given["bad_lines"], source.form, shuffle)
    reader = _reader(source.path, source.form, plan, columns, given)
    bad_file = None if given["bad_file"] is None else _checked_bad_file(Path(given["bad_file"]), source)
    refusals = Refusals(source.path, skip=given["bad_lines"] == "skip", path=None if dry_run else bad_file)
    settings = {"table": table.removeprefix("default:"), "timestamp": timestamp, "shuffle": shuffle}
    notes = None if dry_run else _notes(source, settings, plan)
    create = partial(_create, db, table, plan) if target is None and not dry_run else None
    job = _Job(target, create, reader, plan, refusals, notes, shuffle, given["durability"], progress)
    return job.do(timestamp, given["restart"])


def _reader(path: Path, form: str, plan: Plan, columns: ColumnsArgument, given: ImportOptions) -> Reader:
    is_named = isinstance(columns, Mapping)
    width = (plan.first_cell_fields, 0 if is_named else len(columns))
    header = is_named if given["header"] is None else given["header"]
    return reader_of(path, form, plan.sources, separator=given["separator"], header=header, fields=width)


def _existing(db: Database, name: str, create: bool) -> Table | None:
    """Return the table; None if it is missing and may be created."""
    try:
        return db.table(name)
    except TableNotFound:
        if not create:
            raise
        return None


def _create(db: Database, name: str, plan: Plan) -> Table:
    db.create_table(name, plan.families, if_not_exists=True)
    return db.table(name)


def _check(name: str, table: Table | None, plan: Plan, bad_lines: str, form: str, shuffle: bool) -> None:
    if bad_lines not in ("stop", "skip"):
        raise InvalidArgument(f"bad_lines is {bad_lines!r}: there are 'stop' and 'skip'")
    if shuffle and form == "parquet":
        raise InvalidArgument("shuffle: a Parquet file is read in its own order; export it as CSV, TSV or JSON lines")
    families = plan.families if table is None else table.schema.families
    if missing := [printable(family) for family in plan.families if family not in families]:
        raise NoSuchColumnFamily(f"table '{name}' has no family {', '.join(missing)}")


def _checked_bad_file(path: Path, source: Source) -> Path:
    """Return the file of refused lines. Raises `InvalidArgument` if it is another one of the import's files."""
    for what, other in (("the imported file", source.path), ("the file of the progress", source.state)):
        if path.resolve() == other.resolve() or (path.exists() and other.exists() and path.samefile(other)):
            raise InvalidArgument(f"bad_file is '{path}', {what}, which refused lines would replace: name another file")
    return path


def _check_writes(timestamp: int | None, durability: Durability | None) -> None:
    """Raise for options that every put of the import would refuse: they are no fault of a line."""
    if timestamp is not None:
        check_number("timestamp", timestamp, least=0)
    Put(b"row", {b"f:": b""}, timestamp=timestamp, durability=durability)


def _notes(source: Source, settings: Mapping[str, Any], plan: Plan) -> StateFile:
    return StateFile(source.state, "import", {**settings, **source.settings, "format": source.form, **_described(plan)})


def _described(plan: Plan) -> dict[str, Any]:
    columns = [[key_setting(b":".join(cell.column)), plan.names[cell.place]] for cell in plan.cells]
    return {
        "key": [plan.names[place] for place in plan.key_places],
        "timestamp_field": None if plan.timestamp_place is None else plan.names[plan.timestamp_place],
        "columns": columns,
        "skip_empty": plan.skip_empty,
        **({} if plan.key_text is None else {"key_parts": plan.key_text}),
    }


@dataclass
class _Job:
    """A run of an import. ``table`` is None if it is missing: ``create`` creates it, except in a dry run."""

    table: Table | None
    create: Callable[[], Table] | None
    reader: Reader
    plan: Plan
    refusals: Refusals
    notes: StateFile | None
    shuffle: bool
    durability: Durability | None
    progress: Callable[[Imported], None] | None
    done: Imported = field(default_factory=Imported)
    _piece: list[tuple[Put, int, Record]] = field(default_factory=list)
    _piece_bytes: int = 0
    _lines: int = 0

    def do(self, timestamp: int | None, restart: bool) -> Imported:
        """The whole import, or the rest of it."""
        self.begin(timestamp, restart)
        try:
            if self.create is not None:
                self.table = self.create()
            self.run()
        finally:
            self.refusals.close()
        return self.done

    def begin(self, timestamp: int | None, restart: bool) -> None:
        """Load the progress of an earlier run."""
        if restart and self.notes is not None:
            self.notes.forget()
        saved = self.notes.load() if self.notes is not None else None
        if self.shuffle:
            self.done.seed = secrets.randbits(32) if saved is None else saved["seed"]
            self.reader = Shuffled(self.reader, self.done.seed)
        if saved is not None:
            position = Position(saved["offset"], saved["line"])
            if self.reader.mark(position) != saved["mark"]:
                raise InvalidArgument("the file changed before the line where the import is to go on: restart it")
            self.done = Imported(**{name: saved.get(name, 0) for name in _NOTED})
            self.done.resumed = True
        else:
            self.done.timestamp = timestamp if timestamp is not None else time.time_ns() // 1_000_000
        self.done.total = self.reader.total()
        self.refusals.open(saved["skipped"] if saved else 0, saved["bad_bytes"] if saved else 0)
        self.done.skipped = self.refusals.count
        self.done.refused = self.refusals.first

    def run(self) -> None:
        """Read to the end. After an interruption, the state is that of the last written piece."""
        position = Position(self.done.offset, self.done.line)
        self._note(position)
        for record in self.reader.records(position):
            try:
                self._take(record)
            except BadInput:
                # The lines before this one are valid.
                self._write(position)
                raise
            position = record.after
            self._lines += 1
            if self._piece_bytes >= _PIECE_BYTES or self._lines >= _PIECE_LINES:
                self._write(position)
        self._write(position)
        if self.notes is not None:
            self.notes.remove()

    def _take(self, record: Record | Refused) -> None:
        if isinstance(record, Refused):
            self.refusals.add(record)
            return
        try:
            made = self.plan.put(record.values, self.done.timestamp, self.durability)
        except BadValue as error:
            self.refusals.add(_refused(record, error.reason, error.source, error.value))
            return
        if made is None:
            self.done.without_cells += 1
        else:
            put, cells, size_bytes = made
            self._piece.append((put, cells, record))
            self._piece_bytes += size_bytes

    def _write(self, position: Position) -> None:
        """Write the piece, and record that everything before ``position`` is done."""
        piece = self._piece
        self._piece, self._piece_bytes, self._lines = [], 0, 0
        answers: Sequence[Any] = [None] * len(piece)
        if piece and self.notes is not None and self.table is not None:
            answers = self.table.multi([put for put, _, _ in piece])
        for (_, cells, record), answer in zip(piece, answers, strict=True):
            if isinstance(answer, UsageError):
                # Usually a cell that is too large; the rest of the piece is written.
                self.refusals.add(_refused(record, str(answer), "", None))
            elif isinstance(answer, Exception):
                raise answer
            else:
                self.done.rows += 1
                self.done.cells += cells
        self._note(position)
        if self.progress is not None:
            self.progress(self.done)

    def _note(self, position: Position) -> None:
        done = self.done
        done.offset, done.line, done.skipped = position.offset, position.line, self.refusals.count
        if self.notes is not None:
            counts = {name: getattr(done, name) for name in _NOTED}
            extra = {"skipped": done.skipped, "bad_bytes": self.refusals.size_bytes()}
            self.notes.save({**counts, **extra, "mark": self.reader.mark(position)})


def _refused(record: Record, reason: str, column: str, value: Any) -> Refused:
    return Refused(record.line, reason, record.after, record.raw, column, value)
