"""Sample of a table's data for the rules."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from rowstone._core.inspect.sampling import Bounds, SampledCell, SampledRow, sample_range

if TYPE_CHECKING:
    from rowstone._core.table import Table

_MARKED_ROWS = 50
_LEAST_ROWS = 20


@dataclass(frozen=True)
class Sample:
    """Rows from all regions of a table, in key order.

    ``is_complete`` says that these are all rows. ``regions`` are the numbers of the sampled regions; if a table has
    very many, only some are sampled. ``clashes`` are (row, column) pairs that have a put and a delete with the same
    timestamp, among the first rows of each region.
    """

    rows: tuple[SampledRow, ...]
    is_complete: bool = False
    regions: tuple[int, ...] = ()
    clashes: tuple[tuple[bytes, bytes], ...] = ()

    @staticmethod
    def of_keys(keys: Iterable[bytes], splits: Sequence[bytes] = ()) -> "Sample":
        """A sample that consists of row keys only, such as a list of expected keys."""
        from bisect import bisect_right

        ordered = sorted(set(keys))
        rows = tuple(SampledRow(key, bisect_right(splits, key), 0) for key in ordered)
        return Sample(rows, regions=tuple(range(len(splits) + 1)))

    @cached_property
    def by_family(self) -> dict[bytes, list[SampledCell]]:
        """The sampled cells of each family."""
        found: dict[bytes, list[SampledCell]] = defaultdict(list)
        for row in self.rows:
            for cell in row.cells:
                found[cell.family].append(cell)
        return dict(found)

    @cached_property
    def rows_of_family(self) -> dict[bytes, int]:
        """The number of sampled rows with cells in each family."""
        found: dict[bytes, int] = defaultdict(int)
        for row in self.rows:
            for family in row.family_cells:
                found[family] += 1
        return dict(found)

    @cached_property
    def versions(self) -> dict[bytes, list[int]]:
        """For each family, the number of versions of each sampled column of a row."""
        found: dict[bytes, list[int]] = defaultdict(list)
        for row in self.rows:
            last: tuple[bytes, bytes] | None = None
            for cell in row.cells:
                if (cell.family, cell.qualifier) == last:
                    found[cell.family][-1] += 1
                else:
                    found[cell.family].append(1)
                last = (cell.family, cell.qualifier)
        return dict(found)

    @cached_property
    def neighbors(self) -> list[tuple[bytes, bytes]]:
        """Keys of sampled rows that are adjacent in the table."""
        return [
            (one.key, two.key) for one, two in pairwise(self.rows) if (one.region, one.run) == (two.region, two.run)
        ]


def take_sample(
    table: "Table",
    splits: Sequence[bytes],
    rows_per_region: int,
    most_rows: int,
    spend: Callable[[int], object] | None = None,
) -> Sample:
    """Sample all regions or, if there are more than ``most_rows`` allows, regions spread over the table."""
    starts, stops = [b"", *splits], [*splits, b""]
    share = max(_LEAST_ROWS, min(rows_per_region, most_rows // len(starts)))
    step = max(1, len(starts) * share // max(most_rows, 1))
    bounds = Bounds(rows=share, spend=spend)
    rows: list[SampledRow] = []
    clashes: list[tuple[bytes, bytes]] = []
    seen: list[int] = []
    is_complete = step == 1
    for region in range(0, len(starts), step):
        found, is_whole = sample_range(table, starts[region], stops[region], bounds, region=region)
        rows += found
        seen.append(region)
        is_complete &= is_whole
        if found:
            if spend is not None:
                spend(0)
            clashes += _clashes(table, starts[region], stops[region])
        if bounds.total_bytes <= 0:
            is_complete = False
            break
    return Sample(tuple(rows), is_complete, tuple(seen), tuple(clashes))


def _clashes(table: "Table", start: bytes, stop: bytes) -> list[tuple[bytes, bytes]]:
    found = []
    options = {"raw": True, "versions": None, "batch": 1_000, "limit": _MARKED_ROWS, "cache_blocks": False}
    with table.scan(start or None, stop or None, **options) as pieces:  # type: ignore[arg-type]
        for piece in pieces:
            cells = piece.cells
            of_families = {(cell.family, cell.timestamp) for cell in cells if cell.type.startswith("DeleteFamily")}
            of_columns = {(cell.column, cell.timestamp) for cell in cells if cell.type in ("Delete", "DeleteColumn")}
            found += [
                (piece.key, cell.column)
                for cell in cells
                if cell.type == "Put"
                and ((cell.family, cell.timestamp) in of_families or (cell.column, cell.timestamp) in of_columns)
            ]
    return found


def percentile(values: Sequence[int], share: float) -> int:
    """The value that ``share`` of the values do not exceed; 0 for no values.

    >>> percentile([1, 2, 3, 4, 100], 0.5), percentile([1, 2, 3, 4, 100], 0.99)
    (3, 100)
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0
