"""Space used by the names of families and qualifiers, which every cell stores."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone._base.html import table_html
from rowstone._base.printable import printable
from rowstone._core.inspect.svg import bars
from rowstone._core.views import View

if TYPE_CHECKING:
    from rowstone._core.inspect.column_catalogue import ColumnInfo

FIXED_BYTES = 20
"""Bytes of a cell besides row, names and value: lengths, timestamp, type."""
_LETTERS = 62
_HEADINGS = ("family", "cells", "names", "values", "short names", "saved")


@dataclass(frozen=True)
class NameSizes:
    """Bytes of a family's cells, before encoding and compression. The family ``b""`` stands for all of them.

    ``name_bytes`` counts family and qualifier in every cell. ``short_name_bytes`` is the same with a family of one
    letter, and qualifiers of as few letters and digits as distinguish them. ``cell_bytes`` counts all but row keys.
    """

    family: bytes
    cells: int
    name_bytes: int
    value_bytes: int
    short_name_bytes: int

    @property
    def saved_bytes(self) -> int:
        """Bytes that short names would save."""
        return self.name_bytes - self.short_name_bytes

    @property
    def cell_bytes(self) -> int:
        """Bytes of the cells without their row keys."""
        return self.cells * FIXED_BYTES + self.name_bytes + self.value_bytes


class SizeReport(tuple[NameSizes, ...]):
    """An entry for each family, then one for all. Returned by `ColumnCatalogue.size_report`."""

    @property
    def total(self) -> NameSizes:
        """The entry for all families."""
        return self[-1]

    def _view(self) -> View:
        def line(one: NameSizes) -> tuple[str, ...]:
            share = one.saved_bytes / one.cell_bytes if one.cells else 0.0
            numbers = (one.cells, one.name_bytes, one.value_bytes, one.short_name_bytes)
            name = printable(one.family) or "all"
            return (name, *(f"{number:,}" for number in numbers), f"{one.saved_bytes:,} ({share:.0%})")

        return View(_HEADINGS, tuple(map(line, self)))

    def __str__(self) -> str:
        return str(self._view())

    def _repr_html_(self) -> str:
        lines = [(printable(one.family), one.cell_bytes, f"{one.cell_bytes:,} bytes") for one in self[:-1]]
        return bars(lines, "Bytes by family") + table_html(_HEADINGS, self._view(), "")


def size_report(columns: Iterable["ColumnInfo"]) -> SizeReport:
    """See `ColumnCatalogue.size_report`."""
    families: dict[bytes, list[ColumnInfo]] = {}
    for info in columns:
        families.setdefault(info.family, []).append(info)
    entries = [_of_family(family, infos) for family, infos in sorted(families.items())]
    numbers = zip(*((one.cells, one.name_bytes, one.value_bytes, one.short_name_bytes) for one in entries), strict=True)
    sums = [sum(column) for column in numbers] or [0, 0, 0, 0]
    return SizeReport((*entries, NameSizes(b"", *sums)))


def _of_family(family: bytes, infos: list["ColumnInfo"]) -> NameSizes:
    short, most = 1, _LETTERS
    while len(infos) > most:
        short, most = short + 1, most * _LETTERS
    cells = name_bytes = value_bytes = short_bytes = 0
    for info in infos:
        count = sum(versions * columns for versions, columns in info.versions.items())
        cells += count
        name_bytes += count * (len(family) + len(info.qualifier))
        short_bytes += count * (1 + min(short, len(info.qualifier)))
        value_bytes += round(count * info.average_bytes)
    return NameSizes(family, cells, name_bytes, value_bytes, short_bytes)
