"""Runs scripts against the store, through its Python package.

Each `table` command opens a fresh database under the configuration set so far, in memory or in a
temporary folder. The package is imported when a runner is made: all else here works without it.
"""

from __future__ import annotations

import importlib
import itertools
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.script import commands as c
from tests.script.answers import Answer, cell_text, error_text, result_text, rows_text
from tests.script.files import fresh
from tests.script.runners import store_calls as calls
from tests.script.runners.base import BaseRunner, CannotAnswer, CannotGoOn
from tests.script.runners.model import FIRST_NOW
from tests.script.runners.store_filters import filter_of, filter_option

BASE_CONFIGURATION: dict[str, Any] = {
    # As in the oracle: two files are enough, and only scripts compact.
    "hbase.hstore.compaction.min": 2,
    "hbase.hregion.majorcompaction": 0,
    "rowstone.compaction.background": False,
}


class StoreRunner(BaseRunner):
    """One run: a manual clock, a configuration, at most one open database with one table."""

    asks_region = True
    """Whether it is compared with a region of HBase, which makes some batches atomic, or with what clients see."""

    def __init__(self, on_disk: bool = False) -> None:
        self.rs: Any = importlib.import_module("rowstone")
        self._folder = Path(tempfile.mkdtemp(prefix="rowstone-judge-")) if on_disk else None
        self._databases = 0
        self._target = ":memory:"
        self._clock: Any = None
        self._database: Any = None
        self._name = ""
        self._scanners: dict[str, _OpenScanner] = {}
        self.now = FIRST_NOW
        self.configuration = dict(BASE_CONFIGURATION)

    # ---- the database

    def _create(self, command: c.Table) -> None:
        self._close_database()
        self._databases += 1
        if self._folder is not None:
            self._target = str(self._folder / str(self._databases))
        self._connect()
        families = {spec.name.decode("latin-1"): calls.family_of(self.rs, spec) for spec in command.families}
        options = {"attributes": command.attributes} if command.attributes else {}
        self._name = command.name
        self._database.create_table(command.name, families, **options)

    def _connect(self) -> None:
        self._clock = importlib.import_module("rowstone.testing").ManualClock(self.now)
        self._database = self.rs.connect(self._target, clock=self._clock, configuration=self.configuration)

    def _close_database(self) -> None:
        for scanner in self._scanners.values():
            scanner.close()
        self._scanners.clear()
        if self._database is not None:
            self._database.close()
            self._database = None

    def close(self) -> None:
        """Closes the database and removes its folder."""
        self._close_database()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def database(self) -> Any:
        """The open database."""
        if self._database is None:
            raise CannotAnswer("no table yet")
        return self._database

    @property
    def table(self) -> Any:
        """The current table."""
        return self.database.table(self._name)

    # ---- commands

    def run(self, command: c.Command) -> Answer:
        """The store's answer; an error of the package is an answer too."""
        try:
            return self._run(command)
        except self.rs.errors.RowstoneError as error:
            return error_text(type(error).__name__, str(error))

    def _run(self, command: c.Command) -> Answer:
        match command:
            case c.Table():
                self._create(command)
            case c.SetClock():
                self._set_clock(command.now_ms)
            case c.AdvanceClock():
                self._set_clock(self.now + command.by_ms)
            case c.Configure():
                self.configuration[command.key] = _configured(command.value)
            case c.Echo():
                return [command.text]
            case c.BulkLoad():
                return self._bulk_load(command)
            case c.HBaseOnly():
                raise CannotGoOn(f"only HBase can: {command.line}")
            case c.Scan() | c.Get() | c.OpenScanner() | c.StepScanner() | c.DrainScanner():
                return self._read(command)
            case c.Flush() | c.Compact() | c.MajorCompact() | c.Reopen() | c.Internals():
                return self._maintain(command)
            case _:
                return self._write(command)
        return []

    def _bulk_load(self, command: c.BulkLoad) -> Answer:
        with tempfile.TemporaryDirectory() as folder:
            numbers = itertools.count()
            loads: dict[bytes, list[str]] = {}
            for family, name in command.files:
                loads.setdefault(family, []).append(str(fresh(name, Path(folder), numbers)))
            self.database.admin.tables.bulk_load(self._name, loads)
        return ["true"]

    def _set_clock(self, now: int) -> None:
        self.now = now
        if self._clock is not None:
            self._clock.set(now)

    # ---- writes

    def _write(self, command: c.Command) -> Answer:
        match command:
            case c.Write(mutation=c.Put() as put):
                self.table.put(put.row, [calls.put_entry(put)], **calls.ttl_option(put))
            case c.Write(mutation=c.Delete() as delete):
                self._delete(delete)
            case c.ReadModifyWrite():
                mutation = calls.mutation_of(self.rs, command.mutation)
                row = self.table.mutate_row(command.mutation.row, [mutation])
                return result_text(calls.row_texts(row))
            case c.Fill():
                for row_key, data in calls.fill_rows(command):
                    self.table.put(row_key, data)
            case c.Batch():
                return self._batch(command.mutations)
            case c.MutateRow():
                mutations = [calls.mutation_of(self.rs, m) for m in command.mutations]
                row = self.table.mutate_row(command.mutations[0].row, mutations)
                return result_text(calls.row_texts(row) if _reports(command.mutations) else None)
            case c.CheckAndMutate():
                return self._check_and_mutate(command)
        return []

    def _delete(self, delete: c.Delete) -> None:
        arguments = calls.delete_arguments(delete)
        if arguments is None:
            mutation = calls.mutation_of(self.rs, delete)
            self.table.mutate_row(delete.row, [mutation])
            return
        columns, options = arguments
        self.table.delete(delete.row, columns or None, **options)

    def _batch(self, mutations: Sequence[c.Mutation]) -> Answer:
        if self.asks_region and any(isinstance(m, c.Increment | c.Append) for m in mutations):
            raise CannotGoOn("HBase's region makes such a batch atomic; clients never see that")
        results = self.table.multi([calls.mutation_of(self.rs, m) for m in mutations])
        no_family = self.rs.errors.NoSuchColumnFamily
        lines = []
        for result in results:
            if isinstance(result, no_family):
                lines.append(f"status BAD_FAMILY {result}")
            elif isinstance(result, Exception):
                lines.append(f"status {type(result).__name__} {result}")
            else:
                lines.append("status SUCCESS ")
        return lines

    def _check_and_mutate(self, command: c.CheckAndMutate) -> Answer:
        mutations = [calls.mutation_of(self.rs, m) for m in command.mutations]
        mutation = mutations[0] if len(mutations) == 1 else mutations
        if command.filter is not None:
            filter = filter_of(self.rs, command.filter)
            result = self.table.check_and_mutate(command.row, mutation=mutation, filter=filter)
        else:
            result = self.table.check_and_mutate(
                command.row,
                command.column,
                command.operator,
                command.expected,
                mutation,
                **calls.range_option(command.time_range),
            )
        lines = [f"success={str(result.success).lower()}"]
        if result.success and _reports(command.mutations):
            lines += result_text(calls.row_texts(result.row))
        return lines

    # ---- reads

    def _read(self, command: c.Command) -> Answer:
        match command:
            case c.Scan():
                with self.table.scan(**self._scan_options(command.rows, command.read)) as scanner:
                    return rows_text(calls.row_texts(row) for row in scanner)
            case c.Get():
                options = calls.read_options(command.read) | filter_option(self.rs, command.read.filter)
                if command.exists_only:
                    exists = self.table.exists(command.row, **options)
                    return [f"exists={str(bool(exists)).lower()}", *result_text([])]
                return result_text(calls.row_texts(self.table.get(command.row, **options)))
            case c.OpenScanner():
                options = self._scan_options(command.rows, command.read)
                self._scanners[command.name] = _OpenScanner(self.table, options)
            case c.StepScanner():
                return ["  |  ".join(next(self._scanners[command.name].texts, []))]
            case c.DrainScanner():
                scanner = self._scanners.pop(command.name)
                rows = rows_text(scanner.texts)
                scanner.close()
                return rows
        return []

    def _scan_options(self, rows: c.Rows, read: c.Read) -> dict[str, Any]:
        return calls.scan_options(rows, read) | filter_option(self.rs, read.filter)

    # ---- flush, compaction, files

    def _maintain(self, command: c.Command) -> Answer:
        admin = self.database.admin
        match command:
            case c.Flush():
                admin.flush(self._name)
            case c.MajorCompact():
                admin.major_compact(self._name)
            case c.Compact(window=None):
                admin.compact(self._name)
            case c.Compact(window=window):
                if window is None or not hasattr(admin, "compact_files"):
                    raise CannotGoOn("the store chooses its files itself")
                admin.compact_files(self._name, *window)
            case c.Reopen():
                if self._folder is None:
                    raise CannotGoOn("a database in memory cannot be opened again")
                # HBase flushes when it closes; the store may as well read its log again. Either way
                # everything is in files afterwards.
                self._close_database()
                self._connect()
                self.database.admin.flush(self._name)
            case c.Internals():
                return self._internals(command.what)
        return []

    def _internals(self, what: str) -> Answer:
        if what not in ("files", "rawfile"):
            raise CannotAnswer(f"{what} is a matter of HBase's own")
        lines: list[str] = []
        for file in self.database.admin.tables.store_files(self._name):
            if what == "files":
                first, last = file.time_range or (0, c.LATEST)
                lines.append(
                    f"{_text(file.family)} seq={file.max_sequence_id} entries={file.entry_count} "
                    f"bulk=false memstoreTS=0 tr=maxStamp={last}, minStamp={first}"
                )
            else:
                lines.append(f"file seq={file.max_sequence_id}")
                lines += [f"   {text}" for text in self._file_cells(file)]
        return lines

    def _file_cells(self, file: Any) -> Iterator[str]:
        try:
            read_cells = importlib.import_module("rowstone.hfile").read_cells
            cells = read_cells(file.path)
        except (ImportError, AttributeError, OSError) as error:
            raise CannotAnswer(f"files cannot be read: {error}") from error
        for cell in cells:
            column = (cell.family, cell.qualifier)
            tags = cell.tags or ()
            yield cell_text(cell.row, column, cell.timestamp, str(cell.type), cell.value, tags)


class _OpenScanner:
    """A scanner of the script. A second one, which never advances, pins the read point: the first may release it as
    soon as it has read its last row, which a script cannot know."""

    def __init__(self, table: Any, options: dict[str, Any]) -> None:
        self._scanners = [table.scan(**options), table.scan()]
        self.texts = (calls.row_texts(row) for row in self._scanners[0])

    def close(self) -> None:
        """Lets go of the moment."""
        for scanner in self._scanners:
            scanner.close()


def needs_disk(commands: Sequence[c.Command]) -> bool:
    """Whether a script closes and reopens its database, or inspects files."""
    return any(
        isinstance(command, c.Reopen) or (isinstance(command, c.Internals) and command.what == "rawfile")
        for command in commands
    )


def _reports(mutations: Sequence[c.Mutation]) -> bool:
    """Whether the mutations give cells back."""
    return any(isinstance(mutation, c.Increment | c.Append) for mutation in mutations)


def _configured(value: str) -> Any:
    if value in ("true", "false"):
        return value == "true"
    return int(value) if value.lstrip("-").isdigit() else value


def _text(name: Any) -> str:
    return name.decode("latin-1") if isinstance(name, bytes) else str(name)
