"""Export of one split: part after part, with a small file that records which rows are in complete parts."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowstone._base.targets import writing
from rowstone._core.parquet import GROUP_ROWS
from rowstone._native import Row, Scanner
from rowstone.jobs._shape import Shape
from rowstone.jobs.executors import check
from rowstone.jobs.files.parquet import arrow
from rowstone.jobs.files.parquet_part import ParquetPart
from rowstone.jobs.files.writers import Part, open_part
from rowstone.jobs.splits.claim import Claim
from rowstone.jobs.splits.state import StateFile, put_in_place
from rowstone.jobs.splits.table_access import Split, TableAccess

_PIECE_BYTES = 8 << 20
_PIECE_LINES = 30_000
_LINE_BYTES = 100


@dataclass(frozen=True)
class ExportWork:
    """A split of an export. It can be sent to another process if its decoders can."""

    access: TableAccess
    run: int
    split: Split
    shape: Shape
    form: str
    parts: Path
    notes: Path
    header: bool
    part_bytes: int
    time_range: tuple[int | None, int | None] | None = None
    on_lines: Callable[[int, int], None] | None = None

    def state(self) -> StateFile:
        """The file with the progress of the split."""
        split = {"start": self.split.start.hex(), "stop": self.split.stop.hex()}
        return StateFile(self.notes / f"split-{self.split.number:05}.json", "export of a split", split)

    def part(self, number: int) -> Path:
        """The file of a part."""
        return self.parts / f"part-{self.split.number:05}-{number:05}.{self.form}"

    def remove_unfinished(self) -> None:
        """Remove incomplete parts of earlier attempts."""
        for path in self.notes.glob(f"part-{self.split.number:05}-*.new"):
            path.unlink(missing_ok=True)


def export_split(work: ExportWork) -> dict[str, Any]:
    """Export the rows that are not yet in parts; return the counts of the whole split."""
    state, claim = work.state(), Claim(work.notes / f"split-{work.split.number:05}.claim", work.run)
    with claim.hold():
        done = state.load() or {"next": work.split.start.hex(), "parts": 0, "rows": 0, "lines": 0, "done": False}
        work.remove_unfinished()
    if not done["done"]:
        _Split(work, state, claim, done).run()
    return done


class _Split:
    def __init__(self, work: ExportWork, state: StateFile, claim: Claim, done: dict[str, Any]) -> None:
        self.work, self.state, self.claim, self.done = work, state, claim, done
        self.part: Part | None = None
        self.piece: list[Any] = []
        self.piece_bytes = self.part_bytes = self.rows = self.lines = 0

    def run(self) -> None:
        work = self.work
        with (
            work.access.open() as table,
            table.scan(
                bytes.fromhex(self.done["next"]) or None,
                work.split.stop or None,
                columns=work.shape.selected(),
                versions=work.shape.versions,
                time_range=work.time_range,
                cache_blocks=False,
            ) as rows,
        ):
            try:
                if work.form == "parquet" and work.shape.is_as_stored():
                    self._copy(rows)
                else:
                    for row in rows:
                        self._take(row)
                self._end_part(None)
            finally:
                if self.part is not None:
                    self._abandon(self.part)

    def _take(self, row: Row) -> None:
        for line in self.work.shape.lines(row):
            self.piece.append(line)
            self.piece_bytes += _LINE_BYTES + sum(len(value) for value in line if isinstance(value, (bytes, str)))
            self.lines += 1
            if self.piece_bytes >= _PIECE_BYTES or len(self.piece) >= _PIECE_LINES:
                self._write_piece()
        self.rows += 1
        if self.part_bytes >= self.work.part_bytes:
            self._end_part(row.key + b"\x00")

    def _copy(self, rows: Scanner) -> None:
        """Write the rows as Arrow batches, without a Python object per value."""
        names = ["row", *(column.decode() for column in self.work.shape.columns or ())]
        with rows.arrow(codecs={}, batch_rows=GROUP_ROWS, batch_bytes=_PIECE_BYTES) as stream:
            for piece in stream:
                batch = arrow().record_batch(piece).select(names)
                part = self._opened()
                assert isinstance(part, ParquetPart)
                with writing(self._unfinished()):
                    part.write_batch(batch)
                self.rows += batch.num_rows
                self.lines += batch.num_rows
                self._report(batch.nbytes)
                if self.part_bytes >= self.work.part_bytes:
                    self._end_part(batch.column(0)[-1].as_py() + b"\x00")

    def _write_piece(self) -> None:
        part = self._opened()
        # Not around more: errors of the caller's functions are not of this file.
        with writing(self._unfinished()):
            part.write(self.piece)
        self._report(self.piece_bytes)
        self.piece, self.piece_bytes = [], 0

    def _report(self, written_bytes: int) -> None:
        self.part_bytes += written_bytes
        if self.work.on_lines is not None:
            self.work.on_lines(self.work.split.number, self.done["lines"] + self.lines)

    def _opened(self) -> Part:
        check(self.work.access.stopped)
        if self.part is None:
            shape = self.work.shape
            with writing(self._unfinished()):
                self.part = open_part(
                    self._unfinished(), self.work.form, shape.fields, shape.types, header=self.work.header
                )
        return self.part

    def _unfinished(self) -> Path:
        path = self.work.part(self.done["parts"])
        return self.work.notes / f"{path.name}.{self.claim.token}.new"

    def _end_part(self, following: bytes | None) -> None:
        """Rename the complete part, then record the next row. After a crash in between, the part is written again."""
        if self.piece:
            self._write_piece()
        done = self.done
        with self.claim.hold():
            if self.part is not None:
                with writing(self._unfinished()):
                    self.part.close()
                    self.part = None
                    put_in_place(self._unfinished(), self.work.part(done["parts"]))
                done["parts"] += 1
            done["rows"] += self.rows
            done["lines"] += self.lines
            done["next"] = following.hex() if following is not None else done["next"]
            done["done"] = following is None
            self.state.save(done)
        self.rows = self.lines = self.part_bytes = 0

    def _abandon(self, part: Part) -> None:
        with suppress(OSError):
            # A later attempt may have removed it.
            part.close()
        self._unfinished().unlink(missing_ok=True)
