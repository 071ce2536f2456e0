"""Loads and queries, counted and timed. All designs must give the same answers."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from examples.case_studies.measure.counted import Counted, Counts
from examples.case_studies.measure.report import Cost, Report, Stored

import rowstone as rs

REPEATS = 5
"""Runs of a query; the reported time is their median."""

_MOST_SECONDS = 2.0
"""A query that has taken this long in total is not repeated."""


_CELL_BYTES = 19
"""Bytes of a cell in addition to row, column and value: three lengths, timestamp and type, without the colon."""


class Bench:
    """One study on one database.

    All designs must answer a query alike: the first answer is kept, and later ones are compared with it.
    """

    def __init__(self, db: rs.Database, report: Report, *, repeats: int = REPEATS) -> None:
        self.repeats = repeats
        self.db = db
        self.report = report
        self._counts = Counts()
        self._answers: dict[str, Any] = {}

    def table(self, name: str) -> Counted:
        """A table whose reads are counted."""
        return Counted(self.db.table(name), self._counts)

    def load(
        self,
        design: str,
        key: object,
        rows: Iterable[tuple[bytes, Any]] | None,
        *,
        table: str | None = None,
        family: rs.Family | None = None,
        splits: Sequence[bytes] = (),
        tables: Sequence[str] = (),
        work: Callable[[], None] | None = None,
    ) -> Stored:
        """Creates a table with a family ``d`` and loads it, or calls ``work`` to fill existing ``tables``."""
        names = [*tables] if table is None else [table]
        if table is not None:
            self.db.create_table(table, {"d": family or rs.Family()}, splits=list(splits))
        began = time.perf_counter()
        if work is not None:
            work()
        if rows is not None:
            with self.db.table(names[0]).batch() as writer:
                for row, data in rows:
                    writer.put(row, data)
        seconds = time.perf_counter() - began
        compact(self.db, names)
        stored = self.stored(design, key, names, seconds)
        self.report.stored.append(stored)
        return stored

    def stored(self, design: str, key: object, names: Sequence[str], seconds: float) -> Stored:
        """The size of these tables, in files."""
        numbers = [one for name in names for one in self.db.admin.metrics.stores(name)]
        rows = cell_bytes = 0
        for name in names:
            with self.db.table(name).scan(versions=None, cache_blocks=False) as scan:
                for row in scan:
                    rows += 1
                    cell_bytes += sum(len(cell.row) + len(cell.column) + len(cell.value) for cell in row.cells)
        cells = sum(one.store_file_cells or 0 for one in numbers)
        return Stored(
            design,
            str(key) if isinstance(key, str) else repr(key)[4:-1],
            rows,
            cells,
            cell_bytes + _CELL_BYTES * cells,
            sum(one.store_file_bytes or 0 for one in numbers),
            seconds,
        )

    def query(self, query: str, design: str, question: Callable[[], Any], *, repeats: int | None = None) -> Cost:
        """Runs a query, counts its reads and measures its time.

        The answer is a list or a mapping, and must equal that of the other designs.

        Raises:
            AssertionError: The answer differs.
        """
        self._counts.clear()
        before = self._blocks()
        began = time.perf_counter()
        answer = question()
        times = [time.perf_counter() - began]
        blocks, counts = self._blocks() - before, Counts(**vars(self._counts))
        known = self._answers.setdefault(query, answer)
        if known != answer:
            raise AssertionError(f"'{query}': {design} returns {_short(answer)}, the first design {_short(known)}")
        for _ in range((repeats or self.repeats) - 1):
            if sum(times) > _MOST_SECONDS:
                break
            began = time.perf_counter()
            question()
            times.append(time.perf_counter() - began)
        micros = statistics.median(times) * 1e6
        wanted = len(answer) if isinstance(answer, list) else None
        cost = Cost(query, design, counts.calls, counts.rows, counts.cells, counts.written, wanted, blocks, micros)
        self.report.costs.append(cost)
        return cost

    def change(self, query: str, design: str, work: Callable[[], Any]) -> Cost:
        """Like `query`, for a change of the data: runs once."""
        return self.query(query, design, work, repeats=1)

    def _blocks(self) -> int:
        numbers = self.db.admin.metrics.stores()
        return sum((one.cache_hits or 0) + (one.cache_misses or 0) for one in numbers)

    def write_shares(self, table: str, work: Callable[[], None]) -> list[float]:
        """The share of writes that each region of a table receives during ``work``, by the regions' own counters."""
        before, after = self._writes(table), {}
        work()
        after = self._writes(table)
        total = sum(after.values()) - sum(before.values())
        return [(after[region] - before[region]) / total for region in after]

    def _writes(self, table: str) -> dict[bytes | None, int]:
        return {one.start_key: one.region_writes or 0 for one in self.db.admin.metrics.stores(table)}

    def advise(self, accepted: Mapping[str, str], settings: Mapping[str, Any] | None = None) -> None:
        """Runs the advisor and reports its advice with the reasons for not following it.

        Args:
            accepted: Reasons by ``"CODE table"`` or ``"CODE"``.

        Raises:
            AssertionError: There is advice without a reason.
        """
        grouped: dict[tuple[str, str], list[str]] = {}
        for found in rs.schema.advise.advise(self.db, settings=settings).at_least("warning"):
            why = accepted.get(f"{found.code} {found.table}") or accepted.get(found.code)
            if why is None:
                raise AssertionError(f"no reason for this advice: {found}")
            grouped.setdefault((f"{found.code} {found.name}", why), []).append(f"{found.table}: {found.message}")
        for (rule, why), messages in grouped.items():
            others = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
            self.report.advice.append((f"{rule}: {messages[0]}{others}", why))


def compact(db: rs.Database, names: Iterable[str]) -> None:
    """Leaves one file per region, with each cell once."""
    for name in names:
        db.admin.flush(name)
        db.admin.major_compact(name)


def _short(answer: Any) -> str:
    text = repr(answer)
    return text if len(text) < 300 else f"{text[:300]}… ({len(text)} characters)"
