"""Counts and sizes of the cells of a table, in total and by column."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rowstone._native import Row

MOST_COLUMNS = 1000


@dataclass
class ColumnSummary:
    """Numbers of rows and cells of a column, sizes of its values in bytes, its oldest and newest timestamp."""

    rows: int = 0
    cells: int = 0
    value_bytes: int = 0
    smallest_bytes: int | None = None
    largest_bytes: int | None = None
    oldest: int | None = None
    newest: int | None = None

    def add(self, size_bytes: int, timestamp: int) -> None:
        """Count a cell."""
        self.merge(ColumnSummary(0, 1, size_bytes, size_bytes, size_bytes, timestamp, timestamp))

    def merge(self, other: "ColumnSummary") -> None:
        """Add the counts of ``other``."""
        self.rows += other.rows
        self.cells += other.cells
        self.value_bytes += other.value_bytes
        self.smallest_bytes = _of(min, self.smallest_bytes, other.smallest_bytes)
        self.largest_bytes = _of(max, self.largest_bytes, other.largest_bytes)
        self.oldest = _of(min, self.oldest, other.oldest)
        self.newest = _of(max, self.newest, other.newest)


@dataclass
class Summary:
    """A table's rows and cells. ``columns`` has the first 1000 columns; cells of further columns are in ``others``."""

    rows: int = 0
    first_row: bytes | None = None
    last_row: bytes | None = None
    longest_key_bytes: int = 0
    widest_row_cells: int = 0
    columns: dict[bytes, ColumnSummary] = field(default_factory=dict)
    others: ColumnSummary = field(default_factory=ColumnSummary)

    @property
    def cells(self) -> int:
        """The cells of all columns."""
        return self.others.cells + sum(column.cells for column in self.columns.values())

    @property
    def value_bytes(self) -> int:
        """The bytes of all values."""
        return self.others.value_bytes + sum(column.value_bytes for column in self.columns.values())

    def add(self, row: Row) -> None:
        """Count a row. Rows must be passed in order."""
        self.rows += 1
        self.first_row = row.key if self.first_row is None else self.first_row
        self.last_row = row.key
        self.longest_key_bytes = max(self.longest_key_bytes, len(row.key))
        cells = row.cells
        self.widest_row_cells = max(self.widest_row_cells, len(cells))
        before = None
        for cell in cells:
            summary = self._column(cell.column)
            summary.rows += cell.column != before
            summary.add(len(cell.value), cell.timestamp)
            before = cell.column

    def merge(self, other: "Summary") -> None:
        """Add the counts of ``other``, whose rows follow these."""
        self.rows += other.rows
        self.first_row = other.first_row if self.first_row is None else self.first_row
        self.last_row = other.last_row if other.last_row is not None else self.last_row
        self.longest_key_bytes = max(self.longest_key_bytes, other.longest_key_bytes)
        self.widest_row_cells = max(self.widest_row_cells, other.widest_row_cells)
        for column, summary in sorted(other.columns.items()):
            self._column(column).merge(summary)
        self.others.merge(other.others)

    def _column(self, column: bytes) -> ColumnSummary:
        found = self.columns.get(column)
        if found is None:
            found = (
                self.others if len(self.columns) >= MOST_COLUMNS else self.columns.setdefault(column, ColumnSummary())
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the summary for JSON; bytes as hex."""
        plain = asdict(self)
        plain["columns"] = {column.hex(): asdict(summary) for column, summary in self.columns.items()}
        for name in ("first_row", "last_row"):
            plain[name] = None if plain[name] is None else plain[name].hex()
        return plain

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> "Summary":
        """Return the summary from the output of `to_json`."""
        columns = {bytes.fromhex(name): ColumnSummary(**summary) for name, summary in plain["columns"].items()}
        ends = {name: None if plain[name] is None else bytes.fromhex(plain[name]) for name in ("first_row", "last_row")}
        return cls(**{**plain, **ends, "columns": columns, "others": ColumnSummary(**plain["others"])})


def _of(choose: Any, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return right if left is None else left
    chosen: int = choose(left, right)
    return chosen
