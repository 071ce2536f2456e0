"""L06: the coordinates of a cell are longer than its value."""

from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._sample import percentile
from rowstone.advise._table import TableFacts, family_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By the middle of both sizes, over the cells of each family, where no encoding shortens coordinates.

    Lists, whose values are empty, are meant so.
    """
    sizes: dict[bytes, list[tuple[int, int]]] = {}
    for row in table.data.rows:
        for cell in row.cells:
            coordinates = len(row.key) + len(cell.family) + len(cell.qualifier)
            sizes.setdefault(cell.family, []).append((coordinates, cell.value_bytes))
    for family, pairs in sizes.items():
        described = table.families.get(family)
        if described is not None and described.data_block_encoding.upper() != "NONE":
            continue
        around = percentile([coordinates for coordinates, _ in pairs], 0.5)
        inside = percentile([value for _, value in pairs], 0.5)
        if inside and around > limits["ratio"] * inside:
            message = f"row, family and qualifier have {around:,} bytes where the value has {inside:,} (medians)"
            yield Found("warning", family_place(family), message)


RULE = Rule(
    code="L06",
    name="coordinates-outweigh-values",
    needs=("data",),
    thresholds={"ratio": 1},
    reason="row key, family and qualifier are stored with each cell",
    source="HBase guide, try to minimise row and column sizes",
    remedy="shorten names and keys, put several values into one cell, or set DATA_BLOCK_ENCODING",
    check=check,
)
