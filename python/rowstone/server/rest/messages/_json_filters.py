"""JSON form of filters for REST scanners, in both directions. Source: HBase's ``ScannerModel.FilterModel``.

``{"type": "PrefixFilter", "value": "cm93"}``: bytes are base64, except that the texts of the comparators
``RegexString`` and ``Substring`` are plain.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rowstone import filters
from rowstone.errors import InvalidArgument, UnsupportedOperation
from rowstone.filters import Comparator, Filter
from rowstone.server.rest.messages.shapes import Message
from rowstone.server.rest.messages.shapes._field import packed, unpacked

OPERATORS = ("LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL", "GREATER", "NO_OP")
MOST_DEPTH = 64


def parse(text: str) -> Filter:
    """Parse a filter from JSON. Raises `InvalidArgument`."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"the filter is not JSON: {error}") from None
    return _filter(value, 0)


def written(filter: Filter) -> str:
    """Convert a filter to JSON. Raises `UnsupportedOperation` if REST cannot express it."""
    return json.dumps(_written(filter), separators=(",", ":"))


@dataclass(frozen=True)
class Part:
    """A field of a filter: its name in JSON, our field name, and how to read and write it."""

    name: str
    field: str
    read: Callable[[Any, int], Any]
    write: Callable[[Any], Any]
    is_needed: bool = True


def _same(kind: type | tuple[type, ...]) -> Callable[[Any, int], Any]:
    def read(value: Any, _: int) -> Any:
        if (isinstance(value, bool) and kind is not bool) or not isinstance(value, kind):
            raise InvalidArgument(f"a filter's part is {value!r:.100}, which is of another kind")
        return value

    return read


def _bytes(value: Any, _: int) -> bytes:
    return unpacked("a part of a filter", value)


def _operator(value: Any, _: int) -> str:
    if value not in OPERATORS:
        raise InvalidArgument(f"filter operator {value!r:.100} is not one of {', '.join(OPERATORS)}")
    return str(value)


def _whole(value: Any, _: int) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{value!r:.100} is not a number") from None


def _list(read: Callable[[Any, int], Any]) -> Callable[[Any, int], list[Any]]:
    def read_all(value: Any, depth: int) -> list[Any]:
        if not isinstance(value, list):
            raise InvalidArgument(f"a filter's part is {value!r:.100}, not a list")
        return [read(one, depth) for one in value]

    return read_all


def _only(value: Any, depth: int) -> Filter:
    inner = _list(_filter)(value, depth)
    if not inner:
        raise InvalidArgument("the inner filter is missing")
    return inner[0]  # type: ignore[no-any-return]


def _range(value: Any, _: int) -> tuple[bytes, bool, bytes, bool]:
    if not isinstance(value, Mapping):
        raise InvalidArgument(f"a range of rows is {value!r:.100}, not an object")
    return (
        unpacked("startRow", value.get("startRow", "")),
        bool(value.get("startRowInclusive", True)),
        unpacked("stopRow", value.get("stopRow", "")),
        bool(value.get("stopRowInclusive", False)),
    )


def _written_range(value: tuple[bytes, bool, bytes, bool]) -> Message:
    start, with_start, stop, with_stop = value
    return {
        "startRow": packed(start or b""),
        "startRowInclusive": with_start,
        "stopRow": packed(stop or b""),
        "stopRowInclusive": with_stop,
    }


def _fuzzy_key(value: Any, _: int) -> tuple[bytes, bytes]:
    if not isinstance(value, Mapping):
        raise InvalidArgument(f"a fuzzy key is {value!r:.100}, not an object")
    return unpacked("key", value.get("key")), unpacked("mask", value.get("mask"))


def _pass(value: Any) -> Any:
    return value


def _bytes_part(name: str, field: str, *, is_needed: bool = True) -> Part:
    return Part(name, field, _bytes, packed, is_needed)


def _comparator(value: Any, _: int) -> Comparator:
    if not isinstance(value, Mapping) or str(value.get("type")) not in _COMPARATORS:
        raise InvalidArgument(f"comparator {value!r:.100} has no type of {', '.join(_COMPARATORS)}")
    return _built(getattr(filters, value["type"]), _COMPARATORS[value["type"]], value, 0)  # type: ignore[no-any-return]


def _written_comparator(comparator: Comparator) -> Message:
    name = type(comparator).__name__
    if name not in _COMPARATORS:
        raise UnsupportedOperation(f"the REST interface has no {name}")
    return _message(name, _COMPARATORS[name], comparator)


_COMPARATORS: dict[str, tuple[Part, ...]] = {
    "BinaryComparator": (_bytes_part("value", "value"),),
    "BinaryPrefixComparator": (_bytes_part("value", "value"),),
    "BitComparator": (_bytes_part("value", "value"), Part("op", "bit_operator", _same(str), _pass)),
    "NullComparator": (),
    "RegexStringComparator": (Part("value", "pattern", _same(str), _pass),),
    "SubstringComparator": (Part("value", "substring", _same(str), _pass),),
}
_COMPARED = (
    Part("op", "operator", _operator, _pass),
    Part("comparator", "comparator", _comparator, _written_comparator),
)
_OF_COLUMN = (
    _bytes_part("family", "family"),
    _bytes_part("qualifier", "qualifier", is_needed=False),
    *_COMPARED,
)
_COLUMN_VALUE = (
    *_OF_COLUMN,
    Part("ifMissing", "filter_if_missing", _same(bool), _pass, is_needed=False),
    Part("latestVersion", "latest_version_only", _same(bool), _pass, is_needed=False),
)


def _filter(value: Any, depth: int) -> Filter:
    if not isinstance(value, Mapping) or str(value.get("type")) not in _FILTERS:
        raise InvalidArgument(f"filter {value!r:.100} has no type of {', '.join(_FILTERS)}")
    if depth >= MOST_DEPTH:
        raise InvalidArgument(f"filters are nested more than {MOST_DEPTH} deep")
    return _built(getattr(filters, value["type"]), _FILTERS[value["type"]], value, depth + 1)  # type: ignore[no-any-return]


def _written(filter: Filter) -> Message:
    name = type(filter).__name__
    if name not in _FILTERS:
        raise UnsupportedOperation(f"the REST interface has no {name}")
    return _message(name, _FILTERS[name], filter)


_INNER = Part("filters", "filter", _only, lambda inner: [_written(inner)])
_FILTERS: dict[str, tuple[Part, ...]] = {
    "ColumnCountGetFilter": (Part("limit", "limit", _same(int), _pass),),
    "ColumnPaginationFilter": (
        Part("limit", "limit", _same(int), _pass),
        Part("offset", "offset", _same(int), _pass),
    ),
    "ColumnPrefixFilter": (_bytes_part("value", "prefix"),),
    "ColumnRangeFilter": (
        _bytes_part("minColumn", "min_column", is_needed=False),
        Part("minColumnInclusive", "min_column_inclusive", _same(bool), _pass),
        _bytes_part("maxColumn", "max_column", is_needed=False),
        Part("maxColumnInclusive", "max_column_inclusive", _same(bool), _pass),
    ),
    "DependentColumnFilter": (
        *_OF_COLUMN,
        Part("dropDependentColumn", "drop_dependent_column", _same(bool), _pass),
    ),
    "FamilyFilter": _COMPARED,
    "FilterList": (
        Part("op", "operator", _same(str), _pass),
        Part("filters", "filters", _list(_filter), lambda inner: [_written(one) for one in inner]),
    ),
    "FirstKeyOnlyFilter": (),
    "InclusiveStopFilter": (_bytes_part("value", "stop_row"),),
    "KeyOnlyFilter": (),
    "MultipleColumnPrefixFilter": (
        Part("prefixes", "prefixes", _list(_bytes), lambda prefixes: [packed(one) for one in prefixes]),
    ),
    "MultiRowRangeFilter": (
        Part("ranges", "ranges", _list(_range), lambda ranges: [_written_range(one) for one in ranges]),
    ),
    "PageFilter": (Part("value", "page_size", _whole, str),),
    "PrefixFilter": (_bytes_part("value", "prefix"),),
    "QualifierFilter": _COMPARED,
    "RandomRowFilter": (Part("chance", "chance", _same((int, float)), _pass),),
    "RowFilter": _COMPARED,
    "SingleColumnValueExcludeFilter": _COLUMN_VALUE,
    "SingleColumnValueFilter": _COLUMN_VALUE,
    "SkipFilter": (_INNER,),
    "TimestampsFilter": (Part("timestamps", "timestamps", _list(_whole), list),),
    "ValueFilter": _COMPARED,
    "WhileMatchFilter": (_INNER,),
    "FuzzyRowFilter": (
        Part(
            "fuzzyKeys",
            "fuzzy_keys",
            _list(_fuzzy_key),
            lambda keys: [{"key": packed(key), "mask": packed(mask)} for key, mask in keys],
        ),
    ),
}


def _built(kind: Callable[..., Any], parts: tuple[Part, ...], value: Mapping[str, Any], depth: int) -> Any:
    known = {"type", *(part.name for part in parts)}
    given = {}
    for name in value:
        if name not in known and name not in _NAMES:
            raise InvalidArgument(f"{value['type']} has no part '{name:.100}'")
    for part in parts:
        if value.get(part.name) is not None:
            given[part.field] = part.read(value[part.name], depth)
        elif part.is_needed:
            raise InvalidArgument(f"{value['type']} has no '{part.name}'")
        elif part.field == "qualifier":
            given[part.field] = b""
    return kind(**given)


def _message(name: str, parts: tuple[Part, ...], value: Any) -> Message:
    message: Message = {"type": name}
    for part in parts:
        one = getattr(value, part.field)
        if one is not None:
            message[part.name] = part.write(one)
    return message


_NAMES = {part.name for parts in (*_FILTERS.values(), *_COMPARATORS.values()) for part in parts}
"""All field names of any filter; HBase ignores those that do not belong to the filter at hand."""
