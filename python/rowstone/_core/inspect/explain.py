"""Explanation of a scan, from the catalogue of regions and files, without reading any."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone._base.stores import StoreReport, StoreStats
from rowstone._core.table import Columns, RowKey, instant_of
from rowstone.errors import InvalidArgument, NoSuchColumnFamily, UnsupportedOperation
from rowstone.filters import Expression, Filter, FirstKeyOnlyFilter, KeyOnlyFilter
from rowstone.filters._base import as_filter

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone.admin import Admin, RegionInfo, StoreFileInfo

ONE_KEY = "one key"
KEY_RANGE = "a range of keys"
EVERYTHING = "everything"
"""The three ways into a table: there is no other, whatever filter comes with it."""

Rows = tuple[bytes, bytes]
"""The first key, included, and the last, excluded; empty: the table's ends."""

FilterArgument = Filter | Expression | str | bytes
TimeRange = tuple[int | datetime | None, int | datetime | None]


@dataclass(frozen=True)
class ScanExplanation:
    """Upper bounds of the data that a scan would read.

    Attributes:
        access: ``"one key"``, ``"a range of keys"`` or ``"everything"``, by the bounds of the row key alone.
        filter: The filter applied to the examined rows, in HBase's filter language; None without one.
        max_cells: Maximum number of cells examined, in files and in memory, with old versions and delete markers. It
            also bounds the rows. None if the servers do not report it.
        rows_examined: Rows of the table in the scan's range if they were counted, else None.
        regions: Number of regions with rows in the range, of all ``table_regions``.
        families: Families that the scan reads. It does not read the files of others.
        files: Number of files that may have matching cells, with their ``file_bytes``. The scan reads their blocks from
            its first row to its last.
        files_of_other_rows, files_of_other_families, files_of_other_times: Number of files skipped for each reason. A
            file counts once, in this order.
        memory_bytes: Bytes of recent cells that are not yet in files, in the scan's regions and families.
        table_bytes: Bytes of all files and all memory of the table.
        is_by_region: Whether the sizes are those of whole regions, with all families and times, rounded to megabytes.
            The servers of a cluster do not list their files.
    """

    table: str
    access: str
    filter: str | None
    max_cells: int | None
    regions: int
    table_regions: int
    families: tuple[bytes, ...]
    files: int
    file_bytes: int
    files_of_other_rows: int
    files_of_other_families: int
    files_of_other_times: int
    memory_bytes: int
    table_bytes: int
    rows_examined: int | None = None
    is_by_region: bool = False

    @property
    def is_full_scan(self) -> bool:
        """Whether no bound of the row key helps it: every row of the table is examined."""
        return self.access == EVERYTHING

    def __str__(self) -> str:
        families = ", ".join(map(printable, self.families))
        left_out = self.files_of_other_rows, self.files_of_other_families, self.files_of_other_times
        cells = "an unknown number of cells" if self.max_cells is None else f"at most {self.max_cells:,} cells"
        rows = cells if self.rows_examined is None else f"{self.rows_examined:,} rows"
        way = f"FULL SCAN, {self.access}" if self.is_full_scan else self.access
        dropped = "" if self.filter is None else f", then filtered by {self.filter}"
        return (
            f"{way}: {rows} examined{dropped}\n"
            f"scan of {self.table}: {self.regions:,} of {self.table_regions:,} regions, families {families}\n"
            f"at most {self.files:,} files with {self.file_bytes:,} bytes, and {self.memory_bytes:,} bytes in memory, "
            f"of {self.table_bytes:,}\n"
            + (
                f"files left out: {self.files_of_other_rows:,} of other regions; the servers of a cluster do not list "
                "their files, so sizes are those of whole regions, in megabytes"
                if self.is_by_region
                else "files left out: {:,} of other rows, {:,} of other families, {:,} of other times".format(*left_out)
            )
        )


def explain_scan(
    admin: Admin,
    table: str,
    rows: Rows,
    columns: Columns | None,
    time_range: TimeRange | None,
    filter: FilterArgument | None,
) -> ScanExplanation:
    """See `Database.explain`."""
    families = _families(admin, table, columns)
    regions, stores = admin.regions.list(table), admin.metrics.stores(table)
    touched = {region.encoded_name for region in regions if _meets(region, *rows)}
    try:
        files = admin.tables.store_files(table)
    except UnsupportedOperation:
        return _by_region(table, rows, families, filter, stores, touched, len(regions))
    read, left_out = _sorted(files, touched, families, time_range)
    memory = [store for store in stores if store.region in touched and store.family in families]
    return ScanExplanation(
        table,
        _way_of(*rows),
        None if filter is None else str(as_filter(filter)),
        sum(file.entry_count for file in read) + sum(store.memstore_cells or 0 for store in memory),
        len(touched),
        len(regions),
        families,
        len(read),
        sum(file.size_bytes for file in read),
        *left_out,
        sum(store.memstore_bytes or 0 for store in memory),
        sum(file.size_bytes for file in files) + sum(store.memstore_bytes or 0 for store in stores),
    )


def _by_region(
    table: str,
    rows: Rows,
    families: tuple[bytes, ...],
    filter: FilterArgument | None,
    stores: StoreReport,
    touched: set[str],
    table_regions: int,
) -> ScanExplanation:
    """The explanation from what servers report of each region."""
    inside = [store for store in stores if store.region in touched]
    outside = [store for store in stores if store.region not in touched]

    def total(parts: list[StoreStats], name: str) -> int:
        return sum(getattr(part, name) or 0 for part in parts)

    return ScanExplanation(
        table=table,
        access=_way_of(*rows),
        filter=None if filter is None else str(as_filter(filter)),
        max_cells=None,
        regions=len(touched),
        table_regions=table_regions,
        families=families,
        files=total(inside, "store_files"),
        file_bytes=total(inside, "store_file_bytes"),
        files_of_other_rows=total(outside, "store_files"),
        files_of_other_families=0,
        files_of_other_times=0,
        memory_bytes=total(inside, "memstore_bytes"),
        table_bytes=total([*inside, *outside], "store_file_bytes") + total([*inside, *outside], "memstore_bytes"),
        is_by_region=True,
    )


def with_rows_counted(explanation: ScanExplanation, table: Table, rows: Rows) -> ScanExplanation:
    """``explanation`` with the rows in the range, counted by reading the first cell of each."""
    first, last = (key or None for key in rows)
    is_empty = first is not None and last is not None and first >= last
    keys_alone = FirstKeyOnlyFilter() & KeyOnlyFilter()
    found = () if is_empty else table.scan(first, last, columns=explanation.families, filter=keys_alone)
    return replace(explanation, rows_examined=sum(1 for _ in found))


def rows_of(start: RowKey | None, stop: RowKey | None, prefix: RowKey | None, row: RowKey | None = None) -> Rows:
    """The range of keys of a scan with these options, or of a get of ``row``.

    >>> rows_of(None, "m", None), rows_of(None, None, b"a\\xff"), rows_of(None, None, None, "a")
    ((b'', b'm'), (b'a\\xff', b'b'), (b'a', b'a\\x00'))
    """
    if sum((row is not None, prefix is not None, start is not None or stop is not None)) > 1:
        raise InvalidArgument("pass either row, or prefix, or start and stop")
    if row is not None:
        return as_bytes(row), as_bytes(row) + b"\0"
    if prefix is None:
        return as_bytes(start or b""), as_bytes(stop or b"")
    first = as_bytes(prefix)
    same = first.rstrip(b"\xff")
    return first, same[:-1] + bytes([same[-1] + 1]) if same else b""


def _way_of(first: bytes, last: bytes) -> str:
    if not first and not last:
        return EVERYTHING
    return ONE_KEY if first and last == first + b"\0" else KEY_RANGE


def _families(admin: Admin, table: str, columns: Columns | None) -> tuple[bytes, ...]:
    known = tuple(admin.describe(table).families)
    if columns is None:
        return known
    named = [columns] if isinstance(columns, (str, bytes)) else columns
    wanted = {as_bytes(one[0]) if isinstance(one, tuple) else as_bytes(one).partition(b":")[0] for one in named}
    if unknown := sorted(wanted - set(known)):
        raise NoSuchColumnFamily(f"table '{table}' has no family '{printable(unknown[0])}'")
    return tuple(family for family in known if family in wanted)


def _meets(region: RegionInfo, first: bytes, last: bytes) -> bool:
    is_empty = bool(last) and first >= last
    return not is_empty and (not last or region.start_key < last) and (not region.end_key or first < region.end_key)


def _sorted(
    files: Iterable[StoreFileInfo], regions: set[str], families: tuple[bytes, ...], time_range: TimeRange | None
) -> tuple[list[StoreFileInfo], tuple[int, int, int]]:
    """The files to be read, and how many are left out: of other rows, of other families, of other times."""
    read: list[StoreFileInfo] = []
    rows = names = times = 0
    for file in files:
        if file.region not in regions:
            rows += 1
        elif file.family not in families:
            names += 1
        elif time_range is not None and not _overlaps(file, time_range):
            times += 1
        else:
            read.append(file)
    return read, (rows, names, times)


def _overlaps(file: StoreFileInfo, time_range: TimeRange) -> bool:
    earliest, end = (None if time is None else instant_of(time) for time in time_range)
    if file.time_range is None:
        return False
    oldest, newest = file.time_range
    return (earliest is None or newest >= earliest) and (end is None or oldest < end)
