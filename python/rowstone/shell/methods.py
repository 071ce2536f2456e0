"""Methods of values: those of a table reference, and the few of texts and numbers that users type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import UnknownMethod
from rowstone.shell.tables import TableReference
from rowstone.shell.values import inspect, kind_of, to_bytes, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

TABLE_COMMANDS = (
    "append", "count", "delete", "deleteall", "describe", "disable", "drop", "enable", "flush", "get", "get_counter",
    "get_splits", "incr", "put", "scan", "snapshot",
)  # fmt: skip
"""Commands that a table reference has as methods."""

_GENERAL: dict[str, Callable[[Any], Any]] = {
    "to_s": to_s,
    "inspect": inspect,
    "class": kind_of,
    "nil?": lambda value: value is None,
}
_TEXT: dict[str, Callable[[Any], Any]] = {
    "length": len,
    "size": len,
    "upcase": str.upper,
    "downcase": str.lower,
    "strip": str.strip,
    "reverse": lambda text: text[::-1],
    "to_sym": lambda text: text,
    "to_java_bytes": to_bytes,
    "bytes": lambda text: list(to_bytes(text)),
}
_NUMBER: dict[str, Callable[[Any], Any]] = {"to_i": int, "to_f": float, "abs": abs}
_LIST: dict[str, Callable[[Any], Any]] = {
    "length": len,
    "size": len,
    "first": lambda items: items[0] if items else None,
    "last": lambda items: items[-1] if items else None,
    "sort": sorted,
    "reverse": lambda items: items[::-1],
    "empty?": lambda items: not items,
}
_HASH: dict[str, Callable[[Any], Any]] = {
    "keys": list,
    "values": lambda pairs: list(pairs.values()),
    "length": len,
    "size": len,
    "empty?": lambda pairs: not pairs,
}


def call_method(session: Session, target: Any, name: str, arguments: list[Any]) -> Any:
    """``target.name(arguments)``

    Raises:
        UnknownMethod: It has no such method here; whatever a command raises.
    """
    if isinstance(target, TableReference):
        return _of_table(session, target, name, arguments)
    if name in ("to_i", "to_f") and isinstance(target, str):
        return _leading_number(target, float if name == "to_f" else int)
    if name == "to_i" and target is None:
        return 0
    if not arguments:
        for kind, methods in ((str, _TEXT), ((int, float), _NUMBER), (list, _LIST), (dict, _HASH), (object, _GENERAL)):
            if isinstance(target, kind) and name in methods:
                return methods[name](target)
    raise UnknownMethod(f"undefined method `{name}' for {inspect(target)}:{kind_of(target)}")


def _of_table(session: Session, table: TableReference, name: str, arguments: list[Any]) -> Any:
    if name in TABLE_COMMANDS:
        return session.run(name, [table, *arguments], ends_line=False)
    if name in ("to_s", "inspect"):
        return str(table)
    if name == "name":
        return table.name
    if name == "get_all_columns":
        return [f"{family.decode(errors='surrogateescape')}:" for family in table.handle().schema.families]
    if name == "help":
        session.help(arguments[0] if arguments else "table_help")
        return None
    raise UnknownMethod(f"undefined method `{name}' for {table}:Hbase::Table")


def _leading_number(text: str, kind: type[int] | type[float]) -> int | float:
    """The number that a text begins with, as Ruby reads it; 0 without one."""
    import re

    pattern = r"\s*([+-]?\d+)" if kind is int else r"\s*([+-]?\d+(?:\.\d+)?)"
    match = re.match(pattern, text)
    return kind(match[1]) if match else kind(0)
