"""Statistics of each family of each region, and their sums."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal

from rowstone import _native
from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument

By = Literal["family", "region", "table"]
_OF_REGION = ("region_reads", "region_writes")


@dataclass(frozen=True)
class StoreStats:
    """Statistics of one family of one region, or a sum; None for values that the database does not report.

    Bytes and cells are current values. Counters (reads, writes, cache, flushed and compacted bytes) start when the
    region is opened.

    Attributes:
        region: Encoded name; None in sums over regions. start_key: The region's first row, included.
        family: None in sums over families, and on clusters, whose servers report whole regions.
        store_file_bytes: Size on disk; ``uncompressed_bytes`` is that of all blocks before compression.
        reference_files: Halves of files that a split created.
        index_bytes, bloom_bytes: Of the data index, before compression, and of the Bloom filters.
        reads: Gets and scans that read the family. writes: Mutations with cells of the family.
        region_reads: Gets, and rows returned by scans, of the region. region_writes: Mutations of the region.
        cache_hits, cache_misses: Requested blocks of the files that were in the cache, or had to be read.
        flushed_bytes, compacted_bytes: Written to files by flushes and by compactions; ``compacted_input_bytes`` is
            the input of the compactions.
        flushes, compactions: Their number; ``flush_ns``, ``compaction_ns`` are their total times in nanoseconds.
        compaction_debt_bytes: Size of files that a compaction would merge now.
    """

    table: str
    region: str | None
    start_key: bytes | None
    family: bytes | None
    memstore_bytes: int | None = None
    memstore_cells: int | None = None
    store_files: int | None = None
    store_file_bytes: int | None = None
    store_file_cells: int | None = None
    reference_files: int | None = None
    uncompressed_bytes: int | None = None
    index_bytes: int | None = None
    bloom_bytes: int | None = None
    reads: int | None = None
    writes: int | None = None
    region_reads: int | None = None
    region_writes: int | None = None
    cache_hits: int | None = None
    cache_misses: int | None = None
    flushed_bytes: int | None = None
    compacted_bytes: int | None = None
    compacted_input_bytes: int | None = None
    flushes: int | None = None
    flush_ns: int | None = None
    compactions: int | None = None
    compaction_ns: int | None = None
    compaction_debt_bytes: int | None = None

    @property
    def write_amplification(self) -> float | None:
        """Bytes written per byte flushed; None before the first flush."""
        if not self.flushed_bytes:
            return None
        return (self.flushed_bytes + (self.compacted_bytes or 0)) / self.flushed_bytes


NUMBERS = tuple(field.name for field in fields(StoreStats))[4:]


class StoreReport(list[StoreStats]):
    """`StoreStats` in the order of tables, regions and families: a list with sums, which prints as a table.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f", "g"], splits=["m"])
        ...     db.table("t").put("row", {"f:q": "value"})
        ...     report = db.admin.metrics.stores("t")
        ...     print(len(report), [(each.family, each.memstore_cells) for each in report.sums("family")])
        4 [(b'f', 1), (b'g', 0)]
    """

    def sums(self, by: By) -> "StoreReport":
        """Return sums per ``"table"``, per ``"region"`` or per ``"family"`` of each table.

        Raises:
            InvalidArgument: ``by`` is something else.
        """
        if by not in ("table", "region", "family"):
            raise InvalidArgument(f"sums by '{by}': there are 'table', 'region' and 'family'")
        groups: dict[tuple[Any, ...], list[StoreStats]] = {}
        for one in self:
            key = {"table": (), "region": (one.region, one.start_key), "family": (one.family,)}[by]
            groups.setdefault((one.table, *key), []).append(one)
        return StoreReport(_sum(group, by) for group in groups.values())

    def __str__(self) -> str:
        headings, lines = self._format()
        widths = [max(map(len, column)) for column in zip(headings, *lines, strict=True)]
        rows = ("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in lines)
        head = "  ".join(heading.ljust(width) for heading, width in zip(headings, widths, strict=True))
        return "\n".join(line.rstrip() for line in (head, *rows))

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        headings, lines = self._format()
        regions = self.sums("region")
        if len({one.table for one in self}) != 1 or any(one.region is None for one in regions):
            return table_html(headings, lines)
        from rowstone._core.inspect.key_axis import draw_regions

        return draw_regions(regions) + table_html(headings, lines)

    def _format(self) -> tuple[list[str], list[list[str]]]:
        """Headings and texts, without empty columns."""
        names = [name for name in NUMBERS if any(getattr(one, name) is not None for one in self)]
        places = [
            name for name in ("region", "start_key", "family") if any(getattr(one, name) is not None for one in self)
        ]
        lines = [
            [
                one.table,
                *(_place(getattr(one, name)) for name in places),
                *(_number(getattr(one, name)) for name in names),
            ]
            for one in self
        ]
        return ["table", *places, *(name.replace("_", " ") for name in names)], lines


def _place(value: str | bytes | None) -> str:
    return printable(value, 80) if isinstance(value, bytes) else value or ""


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _sum(group: list[StoreStats], by: By) -> StoreStats:
    first = group[0]
    # Each family reports the requests of its region.
    regions = list({one.region: one for one in group}.values())

    def total(name: str) -> int | None:
        values = [getattr(one, name) for one in (regions if name in _OF_REGION else group)]
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    numbers = {name: total(name) for name in NUMBERS}
    region, start = (first.region, first.start_key) if by == "region" else (None, None)
    return StoreStats(first.table, region, start, first.family if by == "family" else None, **numbers)


def stores_of(native: _native.ClusterAdmin, tables: Iterable[str]) -> StoreReport:
    """Return the statistics of these tables."""
    report = StoreReport()
    for table in tables:
        for (name, start, _, _, encoded, _), family, numbers in native.store_loads(table):
            known = {key: value for key, value in numbers.items() if key in NUMBERS}
            report.append(StoreStats(name, encoded, start, family, **known))
    return report
