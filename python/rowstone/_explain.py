"""What a scan would touch, as far as the catalogue of regions and files tells without reading any."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from rowstone._admin import Admin, StoreFileInfo
from rowstone._cluster_admin import RegionInfo
from rowstone._schema import as_bytes
from rowstone._table import Columns, RowKey, instant_of
from rowstone.errors import InvalidArgument, NoSuchColumnFamily

TimeRange = tuple[int | datetime | None, int | datetime | None]


@dataclass(frozen=True)
class ScanExplanation:
    """What a scan would touch, at most.

    Attributes:
        regions: Whose rows are in its range, of all ``table_regions``.
        families: Those that it reads; the files of others are not looked at.
        files: That may hold cells of it, with their ``file_bytes``; it reads the blocks from its first row to its last.
        files_of_other_rows, files_of_other_families, files_of_other_times: Left out, each counted once, in this order.
        memory_bytes: Of recent cells, not yet in files, in its regions and families.
        table_bytes: Of all files and all memory of the table.
    """

    table: str
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

    def __str__(self) -> str:
        families = ", ".join(name.decode(errors="backslashreplace") for name in self.families)
        left_out = self.files_of_other_rows, self.files_of_other_families, self.files_of_other_times
        return (
            f"scan of {self.table}: {self.regions:,} of {self.table_regions:,} regions, families {families}\n"
            f"at most {self.files:,} files with {self.file_bytes:,} bytes, and {self.memory_bytes:,} bytes in memory, "
            f"of {self.table_bytes:,}\n"
            "files left out: {:,} of other rows, {:,} of other families, {:,} of other times".format(*left_out)
        )


def explain_scan(
    admin: Admin,
    table: str,
    rows: tuple[bytes, bytes],
    columns: Columns | None,
    time_range: TimeRange | None,
) -> ScanExplanation:
    """See `Database.explain`; ``rows`` ends with the table where its second key is empty."""
    families = _families(admin, table, columns)
    regions, files, stores = admin.regions(table), admin.store_files(table), admin.store_stats(table)
    touched = {region.encoded_name for region in regions if _meets(region, *rows)}
    read, left_out = _sorted(files, touched, families, time_range)
    memory_bytes = sum(
        store.memstore_bytes or 0 for store in stores if store.region in touched and store.family in families
    )
    return ScanExplanation(
        table,
        len(touched),
        len(regions),
        families,
        len(read),
        sum(file.size_bytes for file in read),
        *left_out,
        memory_bytes,
        sum(file.size_bytes for file in files) + sum(store.memstore_bytes or 0 for store in stores),
    )


def rows_of(start: RowKey | None, stop: RowKey | None, prefix: RowKey | None) -> tuple[bytes, bytes]:
    """The first key, included, and the last, excluded, of a scan with these options.

    >>> rows_of(None, "m", None), rows_of(None, None, b"a\\xff")
    ((b'', b'm'), (b'a\\xff', b'b'))
    """
    if prefix is None:
        return as_bytes(start or b""), as_bytes(stop or b"")
    if start is not None or stop is not None:
        raise InvalidArgument("pass either prefix, or start and stop")
    first = as_bytes(prefix)
    same = first.rstrip(b"\xff")
    return first, same[:-1] + bytes([same[-1] + 1]) if same else b""


def _families(admin: Admin, table: str, columns: Columns | None) -> tuple[bytes, ...]:
    known = tuple(admin.describe(table).families)
    if columns is None:
        return known
    named = [columns] if isinstance(columns, (str, bytes)) else columns
    wanted = {as_bytes(one[0]) if isinstance(one, tuple) else as_bytes(one).partition(b":")[0] for one in named}
    if unknown := sorted(wanted - set(known)):
        raise NoSuchColumnFamily(f"table '{table}' has no family '{unknown[0].decode(errors='backslashreplace')}'")
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
