"""Filters from what stands behind FILTER, and from Java's classes."""

from __future__ import annotations

from typing import Any

from rowstone.shell.errors import ShellError
from rowstone.shell.java.names import EnumValue, JavaClass
from rowstone.shell.values import inspect, is_text, to_bytes


def filter_of(value: Any) -> Any:
    """A filter from what stands behind FILTER: text of the filter language, or a filter.

    Raises:
        ShellError: It is neither, or HBase could not read the text.
    """
    from rowstone.errors import InvalidArgument
    from rowstone.filters import Filter, parse

    if isinstance(value, Filter) or value is None:
        return value
    if not is_text(value):
        raise ShellError(f"cannot make a filter of {inspect(value)}", "TypeError")
    try:
        return parse(to_bytes(value))
    except InvalidArgument as error:
        text = str(error)
        if "has no filter '" in text:
            name = text.partition("has no filter '")[2].partition("'")[0]
            raise ShellError(f"Filter Name {name} not supported") from None
        raise ShellError("Incorrect Filter String") from None


def new_filter(holder: JavaClass, arguments: list[Any]) -> Any:
    """A filter or comparator, from the arguments of Java's constructor. Raises `ShellError`."""
    from rowstone import errors, filters

    kind = getattr(filters, holder.name)
    plain = [str(item) if isinstance(item, EnumValue) else item for item in arguments]
    try:
        if holder.name == "FilterList":
            return _filter_list(plain)
        return kind(*plain)
    except (errors.RowstoneError, TypeError) as error:
        raise ShellError(str(error), "ArgumentError") from None


def _filter_list(arguments: list[Any]) -> Any:
    """``FilterList.new(f1, f2)``, ``new([f1, f2])``, ``new(Operator, [f1, f2])``."""
    from rowstone.filters import FilterList

    operator = arguments.pop(0) if arguments and isinstance(arguments[0], str) else "MUST_PASS_ALL"
    members = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], list) else arguments
    return FilterList(operator, members)
