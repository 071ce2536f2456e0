"""L41: a column has counters and other values."""

from collections import defaultdict
from collections.abc import Iterable

from rowstone.advise._rule import Found, Rule, Thresholds
from rowstone.advise._table import TableFacts, column_place


def check(table: TableFacts, limits: Thresholds) -> Iterable[Found]:
    """By columns with values of eight bytes that are small numbers, and values of another length."""
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


RULE = Rule(
    code="L41",
    name="counters-among-values",
    needs=("data",),
    reason="an increment of what is not 8 bytes long is refused",
    source="HBase guide, counters",
    remedy="keep counters in columns of their own",
    check=check,
)
