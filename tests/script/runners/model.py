"""Runs scripts against the reference model."""

from __future__ import annotations

from collections.abc import Iterable

from tests.reference import Cell, HBaseError, Region, family_from
from tests.reference.scanner import Scanner
from tests.script import commands as c
from tests.script.answers import Answer, cell_text, error_text, result_text, rows_text
from tests.script.fill import puts_of
from tests.script.runners.base import BaseRunner, CannotAnswer, CannotGoOn

FIRST_NOW = 1_000_000
NO_TABLE = HBaseError("NullPointerException", "no table")

KIND_NAMES = {4: "Put", 8: "Delete", 10: "DeleteFamilyVersion", 12: "DeleteColumn"} | {14: "DeleteFamily"}


class ModelRunner(BaseRunner):
    """One run: a clock, a configuration, at most one table."""

    def __init__(self) -> None:
        self.now = FIRST_NOW
        self.configuration: dict[str, str] = {}
        self.scanners: dict[str, Scanner] = {}
        self._region: Region | None = None

    @property
    def region(self) -> Region:
        """The region of the current table."""
        if self._region is None:
            raise NO_TABLE
        return self._region

    def run(self, command: c.Command) -> Answer:
        """The answer of the model; raises CannotAnswer for what it does not model."""
        try:
            return self._run(command)
        except HBaseError as error:
            return error_text(error.name, error.message)

    def _run(self, command: c.Command) -> Answer:
        match command:
            case c.Table():
                families = [family_from(spec, self.configuration) for spec in command.families]
                self._region = Region(families, self.now)
                self.scanners = {}
            case c.SetClock():
                self._set_clock(command.now_ms)
            case c.AdvanceClock():
                self._set_clock(self.now + command.by_ms)
            case c.Configure():
                self.configuration[command.key] = command.value
            case c.Echo():
                return [command.text]
            case c.BulkLoad():
                raise CannotGoOn("the model takes no files")
            case c.HBaseOnly():
                raise CannotGoOn(f"only HBase can: {command.line}")
            case c.Scan() | c.Get() | c.OpenScanner() | c.StepScanner() | c.DrainScanner():
                return self._read(command)
            case c.Flush() | c.Compact() | c.MajorCompact() | c.Reopen() | c.Internals():
                return self._maintain(command)
            case _:
                return self._write(command)
        return []

    def _set_clock(self, now: int) -> None:
        self.now = now
        if self._region is not None:
            self._region.now = now

    def _write(self, command: c.Command) -> Answer:
        match command:
            case c.Write():
                self.region.write(command.mutation)
            case c.ReadModifyWrite():
                return result_text(_texts(self.region.write(command.mutation)))
            case c.Fill():
                for put in puts_of(command):
                    self.region.write(put)
            case c.Batch():
                return [
                    f"status BAD_FAMILY {error.message}" if error else "status SUCCESS "
                    for error in self.region.batch(command.mutations)
                ]
            case c.MutateRow():
                return result_text(_texts_or_none(self.region.mutate_row(command.mutations)))
            case c.CheckAndMutate():
                success, cells = self.region.check_and_mutate(command)
                head = [f"success={str(success).lower()}"]
                return head if cells is None else head + result_text(_texts(cells))
        return []

    def _read(self, command: c.Command) -> Answer:
        if isinstance(command, c.Scan | c.OpenScanner) and command.read.filter is not None and command.rows.batch > 0:
            raise CannotAnswer("the model does not filter pieces of rows")
        match command:
            case c.Scan():
                scanner = self.region.scan(command.rows, command.read)
                rows = rows_text(_texts(row) for row in scanner)
                self.region.close_scanner(scanner)
                return rows
            case c.Get():
                cells = self.region.get(command.row, command.read)
                if command.exists_only:
                    return [f"exists={str(bool(cells)).lower()}", *result_text([])]
                return result_text(_texts(cells))
            case c.OpenScanner():
                self.scanners[command.name] = self.region.scan(command.rows, command.read)
            case c.StepScanner():
                scanner = self.scanners[command.name]
                texts = _texts(scanner.next())
                more = str(scanner.has_more()).lower()
                return [f"more={more} " + "".join(f"{text}  |  " for text in texts)]
            case c.DrainScanner():
                scanner = self.scanners.pop(command.name)
                rows = rows_text(_texts(row) for row in scanner)
                self.region.close_scanner(scanner)
                return rows
        return []

    def _maintain(self, command: c.Command) -> Answer:
        match command:
            case c.Flush():
                self.region.flush()
            case c.MajorCompact():
                self.region.major_compact()
            case c.Compact():
                return [
                    f"files={chosen.count} major={str(chosen.major).lower()} allFiles={str(chosen.all_files).lower()}"
                    if chosen
                    else "no compaction selected"
                    for chosen in self.region.compact(command.window)
                ]
            case c.Reopen():
                self.region.reopen()
                self.scanners = {}
            case c.Internals():
                return self._internals(command.what)
        return []

    def _internals(self, what: str) -> Answer:
        region = self.region
        if what == "mvcc":
            now = region.sequence
            return [f"read={now} write={now} smallest={region.smallest_read_point}"]
        lines: list[str] = []
        for name, store in region.stores.items():
            for file in store.files:
                if what == "files":
                    newest = max((cell.sequence for cell in file.cells), default=0)
                    stamps = file.time_range or (0, c.LATEST)
                    lines.append(
                        f"{name.decode()} seq={file.sequence} entries={len(file.cells)} "
                        f"bulk=false memstoreTS={newest} "
                        f"tr=maxStamp={stamps[1]}, minStamp={stamps[0]}"
                    )
                elif what == "rawfile":
                    lines.append(f"file seq={file.sequence}")
                    lines += [f"   {_text(cell)} seqId={cell.sequence}" for cell in file.cells]
                else:
                    raise CannotAnswer(f"the model has no {what}")
        return lines


def _text(cell: Cell) -> str:
    column = (cell.family, cell.qualifier)
    kind = KIND_NAMES[cell.kind]
    return cell_text(cell.row, column, cell.timestamp, kind, cell.value, cell.tags)


def _texts(cells: Iterable[Cell]) -> list[str]:
    return [_text(cell) for cell in cells]


def _texts_or_none(cells: Iterable[Cell] | None) -> list[str] | None:
    return None if cells is None else _texts(cells)
