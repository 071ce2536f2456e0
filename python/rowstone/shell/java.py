"""The Java names that users of HBase's shell type: filters, comparators, ``Bytes``, enumerations.

``org.apache.hadoop.hbase.filter.PrefixFilter.new(...)`` becomes a filter of `rowstone.filters`; nothing else of Java is
here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rowstone.shell.converters import call_bytes
from rowstone.shell.errors import ShellError, UnknownMethod, UnknownName
from rowstone.shell.values import inspect, is_text, to_bytes

ROOTS = ("org", "java", "javax", "com")
_OPERATORS = ("LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL", "GREATER", "NO_OP")
_FILTER_PACKAGE = "org.apache.hadoop.hbase.filter"
_ENUMERATIONS = {
    "CompareOperator": _OPERATORS,
    "CompareFilter.CompareOp": _OPERATORS,
    "FilterList.Operator": ("MUST_PASS_ALL", "MUST_PASS_ONE"),
    "BitComparator.BitwiseOp": ("AND", "OR", "XOR"),
    "IsolationLevel": ("READ_COMMITTED", "READ_UNCOMMITTED"),
}
_PACKAGES = {
    "Bytes": "org.apache.hadoop.hbase.util",
    "CompareOperator": "org.apache.hadoop.hbase",
    "IsolationLevel": "org.apache.hadoop.hbase.client",
}
_LIMITS = {
    ("Long", "MAX_VALUE"): 2**63 - 1,
    ("Integer", "MAX_VALUE"): 2**31 - 1,
    ("HConstants", "LATEST_TIMESTAMP"): 2**63 - 1,
    ("HConstants", "ALL_VERSIONS"): 2**31 - 1,
}


@dataclass(frozen=True)
class Package:
    """``org.apache.hadoop`` and the like: a part of a name."""

    path: str

    def member(self, name: str) -> Package | JavaClass:
        """What ``name`` is inside it."""
        return JavaClass(f"{self.path}.{name}") if name[0].isupper() else Package(f"{self.path}.{name}")


@dataclass(frozen=True)
class JavaClass:
    """A class, by its full name where that is known."""

    path: str

    @property
    def name(self) -> str:
        """Its name with that of the class around it, without the package."""
        return ".".join(part for part in self.path.split(".") if part[0].isupper())

    def __str__(self) -> str:
        parts = self.path.split(".")
        package = "".join(part.capitalize() for part in parts if not part[0].isupper())
        return "::".join(["Java", *([package] if package else []), *self.name.split(".")])


@dataclass(frozen=True)
class EnumValue:
    """A value of an enumeration: ``CompareOperator::EQUAL``."""

    kind: str
    name: str

    def __str__(self) -> str:
        return self.name


def simple_class(name: str) -> JavaClass | None:
    """The class that a name without package means, or None."""
    if name in _PACKAGES:
        return JavaClass(f"{_PACKAGES[name]}.{name}")
    if name in ("Long", "Integer"):
        return JavaClass(f"java.lang.{name}")
    if name == "HConstants":
        return JavaClass("org.apache.hadoop.hbase.HConstants")
    if name in ("CompareFilter", "ParseFilter") or name in _filter_names():
        return JavaClass(f"{_FILTER_PACKAGE}.{name}")
    return None


def member(holder: JavaClass, name: str) -> Any:
    """``holder::name``: a value of an enumeration, a class inside, a limit.

    Raises:
        UnknownName: There is no such thing.
    """
    inner = f"{holder.name}.{name}"
    if inner in _ENUMERATIONS:
        return JavaClass(f"{holder.path}.{name}")
    if name in _ENUMERATIONS.get(holder.name, ()):
        return EnumValue(holder.name, name)
    if (holder.name, name) in _LIMITS:
        return _LIMITS[holder.name, name]
    raise UnknownName(f"uninitialized constant {holder}::{name}")


def call(holder: JavaClass, method: str, arguments: list[Any]) -> Any:
    """``holder.method(arguments)``.

    Raises:
        ShellError, UnknownMethod: The class has no such method here, or does not take the arguments.
    """
    if holder.name == "Bytes":
        return call_bytes(method, arguments)
    if method == "valueOf" and holder.name in _ENUMERATIONS:
        name = str(arguments[0]) if arguments else ""
        if name not in _ENUMERATIONS[holder.name]:
            raise ShellError(f"No enum constant {holder.path}.{name}", "Java::JavaLang::IllegalArgumentException")
        return EnumValue(holder.name, name)
    if method == "new":
        return _new(holder, arguments)
    raise UnknownMethod(f"undefined method `{method}' for {holder}:Class")


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


def _filter_names() -> frozenset[str]:
    from rowstone import filters

    return frozenset(name for name in filters.__all__ if name[0].isupper())


def _new(holder: JavaClass, arguments: list[Any]) -> Any:
    from rowstone import errors, filters

    kind = getattr(filters, holder.name, None) if holder.name in _filter_names() else None
    if kind is None:
        raise UnknownName(f"uninitialized constant {holder}")
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
