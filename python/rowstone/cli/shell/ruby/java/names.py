"""Java names typed in HBase's shell: packages, classes, enum values.

``org.apache.hadoop.hbase.filter.PrefixFilter.new(...)`` creates a filter of `rowstone.filters`. No Java runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rowstone.cli.shell.errors import UnknownName

ROOTS = ("org", "java", "javax", "com")
_OPERATORS = ("LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL", "GREATER", "NO_OP")
_FILTER_PACKAGE = "org.apache.hadoop.hbase.filter"
ENUMERATIONS = {
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
    """A package such as ``org.apache.hadoop``: a prefix of a name."""

    path: str

    def member(self, name: str) -> Package | JavaClass:
        """Resolve ``name`` inside the package."""
        return JavaClass(f"{self.path}.{name}") if name[0].isupper() else Package(f"{self.path}.{name}")


@dataclass(frozen=True)
class JavaClass:
    """A class, with its full name if known."""

    path: str

    @property
    def name(self) -> str:
        """The name with that of its enclosing class, without the package."""
        return ".".join(part for part in self.path.split(".") if part[0].isupper())

    def __str__(self) -> str:
        parts = self.path.split(".")
        package = "".join(part.capitalize() for part in parts if not part[0].isupper())
        return "::".join(["Java", *([package] if package else []), *self.name.split(".")])


@dataclass(frozen=True)
class EnumValue:
    """An enum value: ``CompareOperator::EQUAL``."""

    kind: str
    name: str

    def __str__(self) -> str:
        return self.name


def simple_class(name: str) -> JavaClass | None:
    """The class with a name given without its package, or None."""
    if name in _PACKAGES:
        return JavaClass(f"{_PACKAGES[name]}.{name}")
    if name in ("Long", "JLong", "JInteger"):
        return JavaClass(f"java.lang.{name.removeprefix('J')}")
    if name == "HConstants":
        return JavaClass("org.apache.hadoop.hbase.HConstants")
    if name in ("CompareFilter", "ParseFilter") or name in filter_names():
        return JavaClass(f"{_FILTER_PACKAGE}.{name}")
    return None


def filter_names() -> frozenset[str]:
    """The names of the known filters and comparators."""
    from rowstone import filters

    return frozenset(name for name in filters.__all__ if name[0].isupper())


def member(holder: JavaClass, name: str) -> Any:
    """Resolve ``holder::name``: an enum value, a nested class or a constant.

    Raises:
        UnknownName: The name is unknown.
    """
    inner = f"{holder.name}.{name}"
    if inner in ENUMERATIONS:
        return JavaClass(f"{holder.path}.{name}")
    if name in ENUMERATIONS.get(holder.name, ()):
        return EnumValue(holder.name, name)
    if (holder.name, name) in _LIMITS:
        return _LIMITS[holder.name, name]
    raise UnknownName(f"uninitialized constant {holder}::{name}")


def class_named(path: str) -> JavaClass | None:
    """The class with a full name, or None if it is unknown."""
    parts = path.split(".")
    return JavaClass(path) if len(parts) > 1 and all(parts) and parts[-1][0].isupper() else None
