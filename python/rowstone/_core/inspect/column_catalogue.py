"""Catalogue of a table's columns: frequency, sizes, and the apparent type of their values.

HBase keeps no list of columns; they are known only by reading rows. A bounded sample shows the usual ones, a full scan
all of them. Memory grows with the number of columns, and that has a bound.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rowstone._base.html import table_html
from rowstone._base.lazy import import_optional
from rowstone._base.printable import counted, printable
from rowstone._core.inspect.guess import agreed, guess, show
from rowstone._core.inspect.name_sizes import SizeReport, size_report
from rowstone._core.inspect.sampling import PAGE_CELLS, Bounds, sample_range
from rowstone._core.views import View

if TYPE_CHECKING:
    import pandas

    from rowstone._core.table import Table

_HEADINGS = ("column", "rows", "share", "versions", "smallest", "average", "largest", "looks like", "such as")
_EXAMPLES = 3
_SHOWN_COLUMNS = 50
_EXAMPLE_BYTES = 30
_PROGRESS_ROWS = 1_000
HEAD_BYTES = 64


@dataclass(frozen=True)
class ColumnInfo:
    """A column in the rows that were read: ``rows`` of them have it.

    ``versions`` counts these rows by their number of versions. Sizes are those of values, over all versions.
    ``looks_like`` is a guess; ``examples`` are up to three values, truncated to 64 bytes.
    """

    family: bytes
    qualifier: bytes
    rows: int
    share: float
    versions: dict[int, int]
    min_bytes: int
    average_bytes: float
    max_bytes: int
    looks_like: str
    examples: tuple[bytes, ...]

    @property
    def column(self) -> bytes:
        """``family:qualifier``."""
        return self.family + b":" + self.qualifier


@dataclass(frozen=True)
class ColumnCatalogue:
    """The columns of a table, by family and qualifier. Returned by `Table.column_catalogue`.

    ``rows`` is the number of rows read; ``is_complete`` means that these are all rows, with all their columns.
    ``unlisted_cells`` counts cells of further columns, beyond the maximum.
    """

    columns: tuple[ColumnInfo, ...]
    rows: int
    is_complete: bool
    unlisted_cells: int = 0

    def __repr__(self) -> str:
        return f"ColumnCatalogue({len(self)} columns of {self.rows} rows, is_complete={self.is_complete})"

    def __iter__(self) -> Iterator[ColumnInfo]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, column: str | bytes) -> ColumnInfo:
        name = column.encode() if isinstance(column, str) else column
        for info in self.columns:
            if info.column == name:
                return info
        raise KeyError(column)

    @property
    def names(self) -> set[bytes]:
        """The columns as ``family:qualifier``."""
        return {info.column for info in self.columns}

    def size_report(self) -> SizeReport:
        """Return the size of family and qualifier names in the cells read, and what short names would save.

        Example:
            >>> import rowstone as rs
            >>> with rs.connect(":memory:") as db:
            ...     _ = db.create_table("t", ["mycolumnfamily"])
            ...     db.table("t").put("r", {"mycolumnfamily:mycolumnqualifier": "v"})
            ...     total = db.table("t").column_catalogue().size_report().total
            >>> total.name_bytes, total.short_name_bytes, total.saved_bytes
            (31, 2, 29)
        """
        return size_report(self.columns)

    @property
    def summary(self) -> str:
        """A line on what was read."""
        extent = "all" if self.is_complete else "a sample of"
        more = f"; {self.unlisted_cells:,} cells of further columns" if self.unlisted_cells else ""
        return f"{counted(len(self.columns), 'column')} in {extent} {counted(self.rows, 'row')}{more}"

    def _view(self) -> View:
        """A line per column; of a family with very many, a line for the rest together."""
        lines: list[tuple[str, ...]] = []
        for family, group in groupby(self.columns, key=lambda info: info.family):
            columns = list(group)
            lines += map(_line, columns[:_SHOWN_COLUMNS])
            if rest := columns[_SHOWN_COLUMNS:]:
                lines.append(_line_of_rest(family, rest))
        return View(_HEADINGS, tuple(lines))

    def __str__(self) -> str:
        return f"{self._view()}\n{self.summary}"

    def _repr_html_(self) -> str:
        return table_html(_HEADINGS, self._view(), self.summary)

    def to_dict(self) -> dict[str, Any]:
        """Return the catalogue as plain dicts and lists, with bytes as HBase prints them, such as ``\\x00``."""
        columns = [
            {
                "column": printable(info.column),
                "rows": info.rows,
                "share": info.share,
                "versions": {str(count): columns for count, columns in info.versions.items()},
                "min_bytes": info.min_bytes,
                "average_bytes": info.average_bytes,
                "max_bytes": info.max_bytes,
                "looks_like": info.looks_like,
                "examples": [printable(value) for value in info.examples],
            }
            for info in self.columns
        ]
        extent = {"rows": self.rows, "is_complete": self.is_complete, "unlisted_cells": self.unlisted_cells}
        return {**extent, "columns": columns}

    def pandas(self) -> "pandas.DataFrame":
        """Return a DataFrame with a row per column of the table. Raises `ImportError` without pandas."""
        library = import_optional("pandas", "a catalogue as a DataFrame", "pandas")
        frame: pandas.DataFrame = library.DataFrame(self.to_dict()["columns"])
        return frame


def _line(info: ColumnInfo) -> tuple[str, ...]:
    most = max(info.versions, default=0)
    sizes = (f"{info.min_bytes:,}", f"{info.average_bytes:,.0f}", f"{info.max_bytes:,}")
    texts = ", ".join(show(value[:_EXAMPLE_BYTES], info.looks_like) for value in info.examples)
    versions = "1" if most == 1 else f"1 to {most:,}" if 1 in info.versions else f"up to {most:,}"
    return (
        show(info.column, "bytes"),
        f"{info.rows:,}",
        f"{info.share:.0%}",
        versions,
        *sizes,
        info.looks_like,
        texts,
    )


def _line_of_rest(family: bytes, rest: list[ColumnInfo]) -> tuple[str, ...]:
    """One line for columns that are rather data than names: what their qualifiers look like, and their values."""
    kinds = Counter(guess(info.qualifier[:HEAD_BYTES], len(info.qualifier)) for info in rest)
    values = Counter(info.looks_like for info in rest)
    name = f"{show(family, 'bytes')}: and {len(rest):,} more ({agreed(kinds)})"
    average = sum(info.average_bytes for info in rest) / len(rest)
    least, most = min(info.min_bytes for info in rest), max(info.max_bytes for info in rest)
    return (name, "", "", "", f"{least:,}", f"{average:,.0f}", f"{most:,}", agreed(values), "")


@dataclass
class _Counts:
    rows: int = 0
    cells: int = 0
    versions: Counter[int] = field(default_factory=Counter)
    total_bytes: int = 0
    min_bytes: int = 1 << 62
    max_bytes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    examples: list[bytes] = field(default_factory=list)


class _Counting:
    """Cells are added in the table's order."""

    def __init__(self, max_columns: int) -> None:
        self.rows = 0
        self.unlisted_cells = 0
        self._max_columns = max_columns
        self._columns: dict[tuple[bytes, bytes], _Counts] = {}
        self._last: tuple[bytes, bytes, bytes] | None = None
        self._versions = 0

    def add_row(self) -> None:
        self.rows += 1

    def add(self, row: bytes, family: bytes, qualifier: bytes, value_bytes: int, head: bytes) -> None:
        counts = self._columns.get((family, qualifier))
        if counts is None:
            if len(self._columns) >= self._max_columns:
                self.unlisted_cells += 1
                return
            counts = self._columns[family, qualifier] = _Counts()
        if (row, family, qualifier) != self._last:
            self.end_column()
            self._last = (row, family, qualifier)
            counts.rows += 1
        self._versions += 1
        counts.cells += 1
        counts.total_bytes += value_bytes
        counts.min_bytes = min(counts.min_bytes, value_bytes)
        counts.max_bytes = max(counts.max_bytes, value_bytes)
        counts.kinds[guess(head, value_bytes)] += 1
        if len(counts.examples) < _EXAMPLES and head not in counts.examples:
            counts.examples.append(head)

    def end_column(self) -> None:
        if self._last is not None:
            self._columns[self._last[1:]].versions[self._versions] += 1
        self._versions = 0

    def catalogue(self, is_complete: bool) -> ColumnCatalogue:
        self.end_column()
        columns = tuple(
            ColumnInfo(
                family,
                qualifier,
                counts.rows,
                counts.rows / self.rows,
                dict(sorted(counts.versions.items())),
                counts.min_bytes,
                counts.total_bytes / counts.cells,
                counts.max_bytes,
                agreed(counts.kinds),
                tuple(counts.examples),
            )
            for (family, qualifier), counts in sorted(self._columns.items())
        )
        return ColumnCatalogue(columns, self.rows, is_complete and not self.unlisted_cells, self.unlisted_cells)


def sampled(table: "Table", family: bytes | None, rows: int, max_columns: int) -> ColumnCatalogue:
    """The catalogue of a sample; of a row the first thousand cells of each family."""
    counting = _Counting(max_columns)
    found, is_complete = sample_range(table, b"", b"", Bounds(rows=rows, family=family))
    for row in found:
        counting.add_row()
        is_complete &= row.cell_count == len(row.cells)
        for cell in row.cells:
            counting.add(row.key, cell.family, cell.qualifier, cell.value_bytes, cell.head)
    return counting.catalogue(is_complete)


def scanned(
    table: "Table", family: bytes | None, max_columns: int, progress: Callable[[int], None] | None
) -> ColumnCatalogue:
    """The catalogue of all rows."""
    counting, key = _Counting(max_columns), None
    columns = None if family is None else [family]
    with table.scan(columns=columns, versions=None, batch=PAGE_CELLS, cache_blocks=False) as pieces:
        for piece in pieces:
            if piece.key != key:
                key = piece.key
                counting.add_row()
                if progress is not None and counting.rows % _PROGRESS_ROWS == 0:
                    progress(counting.rows)
            for cell in piece.cells:
                value = cell.value
                counting.add(key, cell.family, cell.qualifier, len(value), value[:HEAD_BYTES])
    return counting.catalogue(True)
