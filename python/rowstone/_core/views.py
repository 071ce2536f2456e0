"""Drawings of a table: as a nested map, as a conceptual view, and as it is stored.

Source: the data model chapter of HBase's reference guide, which draws its ``webtable`` in these three ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone._base.html import table_html
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.errors import NoSuchColumnFamily

if TYPE_CHECKING:
    from rowstone._core.table import Table


Map = dict[bytes, dict[bytes, dict[int, dict[bytes, bytes]]]]


@dataclass(frozen=True)
class View:
    """Lines of text under headings: prints as a table, iterates over its lines."""

    headings: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __str__(self) -> str:
        rows = (self.headings, *self.lines)
        widths = [max(len(row[index]) for row in rows) for index in range(len(self.headings))]
        texts = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        rule = "  ".join("-" * width for width in widths)
        return "\n".join([texts[0], rule, *texts[1:]])

    def _repr_html_(self) -> str:
        return table_html(self.headings, self.lines)


def as_map(table: Table) -> Map:
    """Return a whole table as ``{row: {family: {timestamp: {column: value}}}}``."""
    families = list(table.schema.families)
    result: Map = {}
    with table.scan(versions=None) as rows:
        for row in rows:
            drawn: dict[bytes, dict[int, dict[bytes, bytes]]] = {family: {} for family in families}
            for cell in row.cells:
                drawn[cell.family].setdefault(cell.timestamp, {})[cell.column] = cell.value
            result[row.key] = {
                family: dict(sorted(versions.items(), reverse=True)) for family, versions in drawn.items()
            }
    return result


def conceptual_view(table: Table) -> View:
    """One line per row and timestamp, newest first; one column per family."""
    families = list(table.schema.families)
    lines = []
    for row, drawn in as_map(table).items():
        timestamps = sorted({timestamp for versions in drawn.values() for timestamp in versions}, reverse=True)
        for timestamp in timestamps:
            cells = (drawn[family].get(timestamp, {}) for family in families)
            texts = [
                " ".join(f'{printable(column)} = "{printable(value)}"' for column, value in cell.items())
                for cell in cells
            ]
            lines.append((printable(row), f"t{timestamp}", *texts))
    headings = ("Row Key", "Time Stamp", *(f"ColumnFamily {printable(family)}" for family in families))
    return View(headings, tuple(lines))


def physical_view(table: Table, family: str | bytes) -> View:
    """One line per stored cell of one family."""
    name = as_bytes(family)
    if name not in table.schema.families:
        raise NoSuchColumnFamily(f"table '{table.name}' has no family '{printable(name)}'")
    lines: list[tuple[str, ...]] = []
    with table.scan(columns=[name], versions=None) as rows:
        for row in rows:
            cells = sorted(row.cells, key=lambda cell: -cell.timestamp)
            texts = (f'{printable(cell.column)} = "{printable(cell.value)}"' for cell in cells)
            stamps = (f"t{cell.timestamp}" for cell in cells)
            lines += ((printable(row.key), *line) for line in zip(stamps, texts, strict=True))
    return View(("Row Key", "Time Stamp", f"Column Family {printable(name)}"), tuple(lines))
