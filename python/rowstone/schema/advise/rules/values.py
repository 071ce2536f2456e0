"""Rules about values, qualifiers and rows."""

from collections import defaultdict
from collections.abc import Iterable

from rowstone.schema.advise._rule import Found, Thresholds, level_of, rule
from rowstone.schema.advise._sample import percentile
from rowstone.schema.advise._table import TableFacts, column_place, family_place, row_place


@rule(
    code="L04",
    name="long-qualifiers",
    needs=("data",),
    thresholds={"warning": 16, "error": 1600},
    reason="the qualifier is stored with each cell",
    source="HBase guide, attribute names; the error is a tenth of Bigtable's 16 KB",
    remedy="use short names ('via'), and document them in your code",
)
def long_qualifiers(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L04: qualifiers are long.

    Based on the lengths of the sampled qualifiers: the middle one, and the longest.
    """
    for family, cells in table.data.by_family.items():
        lengths = [len(cell.qualifier) for cell in cells]
        middle, longest = percentile(lengths, 0.5), max(lengths)
        if longest > limits["error"]:
            yield Found("error", family_place(family), f"a qualifier has {longest:,} bytes, over {limits['error']:g}")
        elif middle > limits["warning"]:
            message = f"half of the qualifiers have {middle:,} bytes or more, over {limits['warning']:g}"
            yield Found("warning", family_place(family), message)


@rule(
    code="L06",
    name="coordinates-outweigh-values",
    needs=("data",),
    thresholds={"ratio": 1},
    reason="row key, family and qualifier are stored with each cell",
    source="HBase guide, try to minimize row and column sizes",
    remedy="shorten names and keys, put several values into one cell, or set DATA_BLOCK_ENCODING",
)
def coordinates_outweigh_values(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L06: the coordinates of a cell are longer than its value.

    Based on the middle of both sizes, over the cells of each family, where no encoding shortens coordinates.

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


@rule(
    code="L14",
    name="mixed-value-sizes",
    needs=("data",),
    thresholds={"ratio": 100},
    reason="block size, cache and compression are set for a family as a whole",
    source="HBase guide, column family: members of one should have the same size characteristics",
    remedy="put the large values into another family",
)
def mixed_value_sizes(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L14: a family has small and large values.

    Based on the largest value but one of a hundred over the middle one.
    """
    for family, cells in table.data.by_family.items():
        sizes = [cell.value_bytes for cell in cells]
        middle, large = percentile(sizes, 0.5), percentile(sizes, 0.99)
        if large > limits["ratio"] * max(middle, 1):
            message = f"one value of a hundred has {large:,} bytes or more, half have {middle:,} or less"
            yield Found("warning", family_place(family), message)


@rule(
    code="L15",
    name="large-cells",
    needs=("data",),
    thresholds={"info": 1e6, "error": 10e6, "mob_error": 50e6},
    reason="a value is read and written as a whole, in one block, and refused above hbase.client.keyvalue.maxsize",
    source="HBase guide, supported datatypes; ApsaraDB: cells up to 10 MB",
    remedy="set IS_MOB on its family, or store large objects elsewhere and only a reference in the table",
)
def large_cells(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L15: a value is large.

    Based on the largest sampled value of each family; a MOB family may have larger ones.
    """
    for family, cells in table.data.by_family.items():
        largest = max(cell.value_bytes for cell in cells)
        described = table.families.get(family)
        is_mob = described is not None and str(described.attributes.get("IS_MOB", "")).lower() == "true"
        levels = {"error": limits["mob_error"]} if is_mob else limits
        if level := level_of(largest, levels):
            yield Found(level, family_place(family), f"a value has {largest:,} bytes, over {levels[level]:,.0f}")


@rule(
    code="L16",
    name="values-for-mob",
    needs=("data",),
    thresholds={"share": 0.2, "value_bytes": 102_400},
    reason="each compaction rewrites all of these values",
    source="HBase guide, storing medium-sized objects; MOB_THRESHOLD's default",
    remedy="set IS_MOB on the family, with a MOB_THRESHOLD",
)
def values_for_mob(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L16: many values are of the size for which HBase has MOB.

    Based on the share of values above the threshold, in families without IS_MOB.
    """
    for family, cells in table.data.by_family.items():
        described = table.families.get(family)
        if described is not None and str(described.attributes.get("IS_MOB", "")).lower() == "true":
            continue
        large = sum(cell.value_bytes > limits["value_bytes"] for cell in cells)
        if large / len(cells) > limits["share"]:
            share = f"{large / len(cells):.0%} of the values"
            yield Found("warning", family_place(family), f"{share} have more than {limits['value_bytes']:,.0f} bytes")


@rule(
    code="L17",
    name="large-rows",
    needs=("data",),
    thresholds={"info": 10e6, "warning": 100e6, "error": 256e6},
    reason="a row is never split: it is in one region, and a get without columns loads all of it",
    source="Bigtable, schema design (100 MB) and Key Visualizer diagnostics (256 MB)",
    remedy="put part of the qualifier into the row key",
)
def large_rows(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L17: a row is large.

    Based on the largest sampled row.
    """
    largest = max(table.data.rows, key=lambda row: row.size_bytes)
    if level := level_of(largest.size_bytes, limits):
        least = "" if largest.is_whole else "at least "
        message = f"it has {least}{largest.size_bytes:,} bytes, over {limits[level]:,.0f}"
        yield Found(level, row_place(largest.key), message)


@rule(
    code="L18",
    name="wide-rows",
    needs=("data",),
    thresholds={"warning": 100_000, "error": 1_000_000},
    reason="a row is never split, and a read of the whole row returns all of them",
    source="HBase guide, rows versus columns",
    remedy="prefer rows: put the qualifier into the row key",
)
def wide_rows(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L18: a row has very many columns.

    Based on the widest sampled row.
    """
    widest = max(table.data.rows, key=lambda row: row.column_count)
    if level := level_of(widest.column_count, limits):
        least = "" if widest.is_whole else "at least "
        message = f"it has {least}{widest.column_count:,} columns, over {limits[level]:,.0f}"
        yield Found(level, row_place(widest.key), message)


@rule(
    code="L41",
    name="counters-among-values",
    needs=("data",),
    reason="increments of values that do not have 8 bytes are refused",
    source="HBase guide, counters",
    remedy="keep counters in separate columns",
)
def counters_among_values(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """L41: a column has counters and other values.

    Based on columns with values of eight bytes that are small numbers, and values of another length.
    """
    values: dict[tuple[bytes, bytes], list[bool]] = defaultdict(list)
    others: dict[tuple[bytes, bytes], int] = defaultdict(int)
    for cells in table.data.by_family.values():
        for cell in cells:
            column = cell.family, cell.qualifier
            if cell.value_bytes != 8:
                others[column] += 1
            else:
                values[column].append(cell.head[:2] in (b"\0\0", b"\xff\xff"))
    for column, are_numbers in values.items():
        if others[column] and any(are_numbers):
            message = f"{sum(are_numbers):,} values are counters of 8 bytes, {others[column]:,} have another length"
            yield Found("warning", column_place(*column), message)
