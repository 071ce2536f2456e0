"""Columns as the gateway understands them, and rows as happybase returns them."""

from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

from rowstone.happybase.util import ensure_bytes

if TYPE_CHECKING:
    from rowstone import Row

Column = bytes | tuple[bytes, bytes]


def split_column(column: str | bytes) -> tuple[bytes, bytes | None]:
    """Family and qualifier; None without a colon. ``"family:"`` is the column with the empty qualifier.

    Source: HBase's ``CellUtil.parseColumn``.
    """
    family, colon, qualifier = ensure_bytes(column).partition(b":")
    return family, qualifier if colon else None


def one_column(column: str | bytes) -> Column:
    """A column, or a whole family, as `rowstone.Table.get` takes it."""
    family, qualifier = split_column(column)
    return family if qualifier is None else (family, qualifier)


def columns_of(columns: Sequence[str | bytes] | None) -> list[Column] | None:
    """Columns as `rowstone.Table.get` takes them; None or nothing for all.

    A column behind its family narrows it to that column, a family behind its columns widens it to all: so it is in
    HBase's ``Get``.
    """
    wanted: dict[bytes, list[bytes] | None] = {}
    for column in columns or ():
        family, qualifier = split_column(column)
        present = wanted.get(family)
        if qualifier is None:
            wanted[family] = None
        elif present is None:
            wanted[family] = [qualifier]
        else:
            present.append(qualifier)
    if not wanted:
        return None
    result: list[Column] = []
    for family, qualifiers in wanted.items():
        result += [family] if qualifiers is None else [(family, qualifier) for qualifier in qualifiers]
    return result


def check_columns(columns: object) -> None:
    """Raises `TypeError` unless it is None, a tuple or a list."""
    if columns is not None and not isinstance(columns, (tuple, list)):
        raise TypeError("'columns' must be a tuple or list")


def options_of(timestamp: int | None) -> dict[str, Any]:
    """The options of a read that sees what is strictly older than ``timestamp``."""
    if timestamp is None:
        return {}
    if not isinstance(timestamp, Integral):
        raise TypeError("'timestamp' must be an integer")
    return {"time_range": (0, timestamp)}


def row_dict(row: "Row", include_timestamp: bool) -> dict[bytes, Any]:
    """A row's newest values by column, or pairs (value, timestamp); in the order of the columns."""
    if include_timestamp:
        return {cell.column: (cell.value, cell.timestamp) for cell in row.cells}
    return row.to_dict()
