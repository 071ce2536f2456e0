"""Methods of a table reference: ``t = get_table 't'``, then ``t.put 'r', 'f:q', 'v'``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import BeyondSubset, UnknownMethod
from rowstone.cli.shell.ruby.values.objects import ClassReference
from rowstone.cli.shell.table_reference import TableReference

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

TABLE_COMMANDS = (
    "append", "count", "delete", "deleteall", "describe", "disable", "drop", "enable", "flush", "get", "get_counter",
    "get_splits", "incr", "put", "scan", "snapshot",
)  # fmt: skip
"""Commands that are also methods of a table reference."""

METHODS = frozenset({*TABLE_COMMANDS, "class", "close", "get_all_columns", "help", "inspect", "name", "nil?", "to_s"})
"""All methods of a table reference."""


def call(session: Session, table: TableReference, name: str, arguments: list[Any], line: int) -> Any:
    """Call ``table.name(*arguments)`` in line ``line`` of a script.

    Raises:
        UnknownMethod: The method does not exist. BeyondSubset: It returns a Java object. The command may raise other
            errors.
    """
    if name in TABLE_COMMANDS:
        return session.run(name, [table, *arguments], ends_line=False)
    if name in ("to_s", "inspect"):
        return str(table)
    if name == "name":
        return table.name
    if name == "class":
        return ClassReference("Hbase::Table")
    if name == "nil?":
        return False
    if name == "close":
        return None
    if name == "get_all_columns":
        return [f"{family.decode(errors='surrogateescape')}:" for family in table.handle().schema.families]
    if name == "help":
        session.help(arguments[0] if arguments else "table_help")
        return None
    if name == "table":
        raise BeyondSubset("the Java object of a table ('table')", line)
    raise UnknownMethod(f"undefined method `{name}' for {table}:Hbase::Table")
