"""Filters from the FILTER option and from Java class names."""

from __future__ import annotations

import re
from typing import Any

from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.ruby.java.names import EnumValue, JavaClass
from rowstone.cli.shell.values import inspect, is_text, to_bytes


def filter_of(value: Any) -> Any:
    """Convert the value of FILTER: an expression of the filter language, or a filter.

    Raises:
        ShellError: The value is neither, or HBase could not parse the text.
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
        reason = str(error).rpartition('": ')[2]
        raise ShellError(_in_words_of_hbase(value, reason)) from None


def _in_words_of_hbase(text: Any, reason: str) -> str:
    """HBase's ``ParseFilter`` message for a reason of our parser."""
    if found := re.match(r"the filter language has no filter '([^']*)'", reason):
        return f"Filter Name {found[1]} not supported"
    if found := re.match(r"(AND|OR) needs a filter on both sides", reason):
        return f"Incorrect input string - an {found[1]} needs two filters"
    if found := re.match(r"(SKIP|WHILE) needs a filter", reason):
        return f"Incorrect input string - a {found[1]} wraps a filter"
    if found := re.match(r"(\w+): ", reason):
        return f"Incorrect filter string {_refused_filter(str(text), found[1])}"
    if reason.startswith("unmatched closing parenthesis"):
        return "Mismatched parenthesis"
    return "Incorrect Filter Name" if reason == "a filter has no name" else "Incorrect Filter String"


def _refused_filter(text: str, name: str) -> str:
    """The first filter of that name in ``text`` that is invalid on its own: HBase prints it, not the whole text."""
    from rowstone.errors import InvalidArgument
    from rowstone.filters import parse

    for found in re.finditer(rf"\b{name}\s*\((?:'(?:''|[^'])*'|[^')])*\)", text):
        try:
            parse(to_bytes(found[0]))
        except InvalidArgument:
            return found[0]
    return text


def new_filter(holder: JavaClass, arguments: list[Any]) -> Any:
    """Create a filter or comparator from the arguments of Java's constructor. Raises `ShellError`."""
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

    operator: Any = arguments.pop(0) if arguments and isinstance(arguments[0], str) else "MUST_PASS_ALL"
    members = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], list) else arguments
    return FilterList(operator, members)
