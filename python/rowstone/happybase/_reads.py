"""Arguments of reads, and rows as happybase returns them."""

from numbers import Integral
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone import Row


def check_columns(columns: object) -> None:
    """Raise `TypeError` unless the value is None, a tuple or a list."""
    if columns is not None and not isinstance(columns, (tuple, list)):
        raise TypeError("'columns' must be a tuple or list")


def options_of(timestamp: int | None) -> dict[str, Any]:
    """Options of a read of cells strictly older than ``timestamp``."""
    if timestamp is None:
        return {}
    if not isinstance(timestamp, Integral):
        raise TypeError("'timestamp' must be an integer")
    return {"time_range": (0, timestamp)}


def row_dict(row: "Row", include_timestamp: bool) -> dict[bytes, Any]:
    """A row's newest values by column, or pairs (value, timestamp), in column order."""
    if include_timestamp:
        return {cell.column: (cell.value, cell.timestamp) for cell in row.cells}
    return row.to_dict()
