"""Filters of scripts as the package takes them: text where HBase's language has words for them, else objects."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.script.filter_text import Argument, Compared, Node, parse_filter
from tests.script.text import to_bytes

OPERATORS = {
    "<": "LESS", "<=": "LESS_OR_EQUAL", "=": "EQUAL", "!=": "NOT_EQUAL", ">=": "GREATER_OR_EQUAL", ">": "GREATER",
}  # fmt: skip


def filter_option(rs: Any, text: str | None) -> dict[str, Any]:
    """The keyword `filter`, if there is one."""
    return {} if text is None else {"filter": filter_of(rs, text)}


def filter_of(rs: Any, text: str) -> Any:
    """The value that is passed as `filter`."""
    node = parse_filter(text)
    return to_bytes(text) if node.is_plain else object_of(rs.filters, node)


def object_of(filters: Any, node: Node) -> Any:
    """The package's filter object."""
    inner = [object_of(filters, part) for part in node.filters]
    plain = [_plain(filters, argument) for argument in node.arguments if not isinstance(argument, Node)]
    match node.name:
        case "AND":
            return filters.FilterList("MUST_PASS_ALL", inner)
        case "OR":
            return filters.FilterList("MUST_PASS_ONE", inner)
        case "SKIP":
            return filters.SkipFilter(inner[0])
        case "WHILE":
            return filters.WhileMatchFilter(inner[0])
        case "FuzzyRowFilter":
            return filters.FuzzyRowFilter(list(zip(plain[::2], plain[1::2], strict=True)))
        case "MultiRowRangeFilter":
            return filters.MultiRowRangeFilter([tuple(plain[i : i + 4]) for i in range(0, len(plain), 4)])
        case "RandomRowFilter":
            return filters.RandomRowFilter(float(plain[0]))
        case "ColumnRangeFilter":
            # In the language an empty bound is none.
            return filters.ColumnRangeFilter(*(None if part == b"" else part for part in plain))
        case "HintingTimestampsFilter":
            return filters.TimestampsFilter(plain, can_hint=True)
        case "TimestampsFilter" | "MultipleColumnPrefixFilter" | "FirstKeyValueMatchingQualifiersFilter":
            return getattr(filters, node.name)(plain)
    return getattr(filters, node.name)(*plain)


def _plain(filters: Any, argument: Argument) -> Any:
    if isinstance(argument, Compared):
        return _comparator(filters, argument)
    return OPERATORS.get(argument, argument) if isinstance(argument, str) else argument


def _comparator(filters: Any, comparator: Compared) -> Any:
    value = comparator.value
    match comparator.kind:
        case "binary":
            return filters.BinaryComparator(value)
        case "binaryprefix":
            return filters.BinaryPrefixComparator(value)
        case "component":
            offset, _, wanted = value.partition(b":")
            return filters.BinaryComponentComparator(wanted, int(offset))
        case "bit":
            operator, _, bits = value.partition(b":")
            return filters.BitComparator(bits, operator.decode())
        case "long":
            return filters.LongComparator(int(value))
        case "decimal":
            return filters.BigDecimalComparator(Decimal(value.decode()))
        case "null":
            return filters.NullComparator()
        case "substring":
            return filters.SubstringComparator(value.decode())
        case "regex":
            flags, charset, engine, pattern = value.decode("latin-1").split(":", 3)
            return filters.RegexStringComparator(pattern, int(flags), charset, engine)
        case "regexstring":
            return filters.RegexStringComparator(value.decode())
    return filters.RegexStringComparator(value.decode(), 34)
