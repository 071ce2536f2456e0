"""From descriptions to filters."""

from __future__ import annotations

from tests.reference.comparators import test_of
from tests.reference.filters.base import Code, Filter
from tests.reference.filters.cells import (
    CellFilter,
    ColumnValueFilter,
    DependentColumnFilter,
    KeyOnlyFilter,
    SingleColumnValueFilter,
    TimestampsFilter,
)
from tests.reference.filters.columns import (
    ColumnCountGetFilter,
    ColumnPaginationFilter,
    ColumnPrefixFilter,
    ColumnRangeFilter,
    FirstKeyFilter,
    MultipleColumnPrefixFilter,
)
from tests.reference.filters.lists import AllOf, OneOf, SkipFilter, WhileMatchFilter
from tests.reference.filters.rows import (
    FuzzyRowFilter,
    InclusiveStopFilter,
    MultiRowRangeFilter,
    PageFilter,
    PrefixFilter,
    RandomRowFilter,
    RowFilter,
)
from tests.script.filter_text import Compared, Node


def build(node: Node, reverse: bool) -> Filter:
    """Create the filter of a description, in its state at the start of a scan."""
    # SKIP and WHILE do not pass the direction of a reverse scan to their filter.
    parts = [build(part, reverse and node.name in ("AND", "OR")) for part in node.filters]
    match node.name:
        case "AND":
            return AllOf(parts, reverse)
        case "OR":
            return OneOf(parts, reverse)
        case "SKIP":
            return SkipFilter(parts[0])
        case "WHILE":
            return WhileMatchFilter(parts[0])
    return _build_rows(node, reverse) or _build_columns(node) or _build_values(node)


def _build_rows(node: Node, reverse: bool) -> Filter | None:
    match (node.name, *node.arguments):
        case ("PrefixFilter", bytes(prefix)):
            return PrefixFilter(prefix, reverse)
        case ("InclusiveStopFilter", bytes(stop)):
            return InclusiveStopFilter(stop, reverse)
        case ("PageFilter", int(size)):
            return PageFilter(size)
        case ("RandomRowFilter", bytes(chance)):
            return RandomRowFilter(float(chance))
        case ("FuzzyRowFilter", *texts):
            return FuzzyRowFilter(list(zip(texts[::2], texts[1::2], strict=True)), reverse)  # type: ignore[arg-type]
        case ("MultiRowRangeFilter", *ends):
            ranges = zip(ends[::4], ends[1::4], ends[2::4], ends[3::4], strict=True)
            return MultiRowRangeFilter(list(ranges), reverse)  # type: ignore[arg-type]
    return None


def _build_columns(node: Node) -> Filter | None:
    match (node.name, *node.arguments):
        case ("ColumnPrefixFilter", bytes(prefix)):
            return ColumnPrefixFilter(prefix)
        case ("MultipleColumnPrefixFilter", *prefixes):
            return MultipleColumnPrefixFilter(prefixes)  # type: ignore[arg-type]
        case ("ColumnRangeFilter", bytes(least), bool(with_least), bytes(most), bool(with_most)):
            return ColumnRangeFilter(least, with_least, most, with_most)
        case ("ColumnPaginationFilter", int(limit), (int() | bytes()) as offset):
            return ColumnPaginationFilter(limit, offset)
        case ("ColumnCountGetFilter", int(limit)):
            return ColumnCountGetFilter(limit)
        case ("TimestampsFilter", *stamps):
            return TimestampsFilter(stamps, can_hint=False)  # type: ignore[arg-type]
        case ("HintingTimestampsFilter", *stamps):
            return TimestampsFilter(stamps, can_hint=True)  # type: ignore[arg-type]
        case ("FirstKeyOnlyFilter",):
            return FirstKeyFilter(None)
        case ("FirstKeyValueMatchingQualifiersFilter", *qualifiers):
            return FirstKeyFilter(qualifiers)  # type: ignore[arg-type]
        case ("KeyOnlyFilter",):
            return KeyOnlyFilter(False)
        case ("KeyOnlyFilter", bool(length)):
            return KeyOnlyFilter(length)
    return None


def _build_values(node: Node) -> Filter:
    exclude = node.name == "SingleColumnValueExcludeFilter"
    match (node.name, *node.arguments):
        case ("RowFilter", str(operator), Compared() as wanted):
            return RowFilter(test_of(operator, wanted))
        case ("FamilyFilter", str(operator), Compared() as wanted):
            return CellFilter(test_of(operator, wanted), lambda cell: cell.family, Code.NEXT_ROW)
        case ("QualifierFilter", str(operator), Compared() as wanted):
            return CellFilter(test_of(operator, wanted), lambda cell: cell.qualifier, Code.SKIP)
        case ("ValueFilter", str(operator), Compared() as wanted):
            return CellFilter(test_of(operator, wanted), lambda cell: cell.value, Code.SKIP)
        case ("ColumnValueFilter", bytes(family), bytes(qualifier), str(operator), Compared() as wanted):
            return ColumnValueFilter(family, qualifier, test_of(operator, wanted))
        case ("DependentColumnFilter", bytes(family), bytes(qualifier)):
            return DependentColumnFilter((family, qualifier), False, None)
        case ("DependentColumnFilter", bytes(family), bytes(qualifier), bool(drop)):
            return DependentColumnFilter((family, qualifier), drop, None)
        case ("DependentColumnFilter", bytes(family), bytes(qualifier), bool(drop), str(op), Compared() as wanted):
            return DependentColumnFilter((family, qualifier), drop, test_of(op, wanted))
        case (_, bytes(family), bytes(qualifier), str(operator), Compared() as wanted):
            test = test_of(operator, wanted)
            return SingleColumnValueFilter((family, qualifier), test, False, True, exclude)
        case (_, bytes(family), bytes(qualifier), str(op), Compared() as wanted, bool(missing), bool(latest)):
            test = test_of(op, wanted)
            return SingleColumnValueFilter((family, qualifier), test, missing, latest, exclude)
    raise ValueError(f"no such filter: {node}")
