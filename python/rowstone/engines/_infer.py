"""Types of columns, guessed from a sample of a table's rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rowstone._base.printable import printable
from rowstone._core.views import View
from rowstone.codecs import declared
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone._core.inspect.column_catalogue import ColumnInfo
    from rowstone._core.table import Table

S = TypeVar("S")

MOST_COLUMNS = 1000
_TEXT = {"text", "decimal", "UUID", "date", "JSON", "XML", "empty"}
_NUMBERS = {"int16", "int32", "int64", "float64"}
_HEADINGS = ("column", "type", "reason", "share")


@dataclass(frozen=True)
class Inferred(Generic[S]):
    """A schema that was guessed from a sample, and the report: ``print(inferred)``."""

    schema: S
    report: View

    def __str__(self) -> str:
        return str(self.report)


def infer(table: Table, rows: int) -> tuple[dict[str, Any], View]:
    """Return the codecs of a table's columns by name, and the report of how they were chosen.

    Raises:
        InvalidArgument: The sample has no columns, more than 1,000, or one whose name is not UTF-8.
    """
    known = declared(table.schema.attributes)
    catalogue = table.column_catalogue(rows=rows)
    if not 1 <= len(catalogue) <= MOST_COLUMNS:
        raise InvalidArgument(
            f"the sample of table '{table.name}' has {len(catalogue)} columns; a schema has 1 to {MOST_COLUMNS}"
        )
    kinds: dict[str, Any] = {}
    lines = []
    for info in catalogue:
        codec = known.of(info.column)
        kind, reason = (codec.name, "declared") if codec is not None else _guess(info)
        kinds[_name(info.column)] = kind
        lines.append((printable(info.column), kind if isinstance(kind, str) else "avro", reason, f"{info.share:.0%}"))
    return kinds, View(_HEADINGS, tuple(lines))


def _guess(info: ColumnInfo) -> tuple[str, str]:
    """Return the codec of a column, and why."""
    found = set(re.sub(r" \d+ %", "", info.looks_like).split(", "))
    if found <= _TEXT:
        return "text", f"looks like {info.looks_like}"
    if len(found) == 1 and info.min_bytes == info.max_bytes:
        if found <= _NUMBERS:
            return found.pop(), "all values of that length"
        if found == {"boolean"}:
            return "bool", "00 and FF only"
    return "bytes", f"looks like {info.looks_like}"


def _name(column: bytes) -> str:
    try:
        return column.decode()
    except UnicodeDecodeError:
        raise InvalidArgument(f"column '{printable(column)}' is not UTF-8: name the columns yourself") from None
