"""Arguments of ``alter``, and the schema change that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone import TableSchema
from rowstone.cli.shell.commands.tables.schemas import Change, family_from, old_family, take_table_settings
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.table_reference import TableReference
from rowstone.cli.shell.values import is_text, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


def table_exists(session: Session, table: TableReference) -> bool:
    """Whether a table exists; ``hbase:meta`` always does."""
    return session.admin.tables.exists(table.name)


def is_enabled(session: Session, table: TableReference) -> bool:
    """Whether a table is enabled; ``hbase:meta`` always is. Raises `TableNotFound`."""
    return session.admin.tables.is_enabled(table.name)


def existing(session: Session, table: Any, message: str = "Can't find a table: {}") -> TableReference:
    """The table, which must exist; otherwise raises `ArgumentMistake` with ``message``."""
    reference = session.table(table)
    if not table_exists(session, reference):
        raise ArgumentMistake(message.format(reference.name))
    return reference


def alter(session: Session, table: Any, arguments: tuple[Any, ...]) -> bool:
    """Change a table atomically; returns whether there was something to change.

    Raises:
        ArgumentMistake: An argument is invalid; the message is HBase's.
        ShellError: REOPEN_REGIONS => 'false' on a cluster.
    """
    if not is_text(table) and not isinstance(table, TableReference):
        raise ArgumentMistake("Table name must be of type String")
    reference = existing(session, table)
    if not arguments:
        raise ArgumentMistake("There should be at least one argument but the table name")
    schema, change = session.admin.describe(reference.name), Change()
    has_change = False
    for argument in arguments:
        has_change |= _one(session, schema, change, argument)
    if has_change:
        session.admin.alter_table(
            reference.name,
            families=change.families,
            remove=[name for name in change.removed if old_family(schema, name) is not None],
            attributes=change.attributes,
            configuration=change.configuration,
        )
    return has_change


def _one(session: Session, schema: TableSchema, change: Change, argument: Any) -> bool:
    given = dict(argument) if isinstance(argument, dict) else {"NAME": argument}
    if "delete" in given:
        given = {"METHOD": "delete", "NAME": given["delete"]}
    if "REOPEN_REGIONS" in given:
        _check_reopening(session, given.pop("REOPEN_REGIONS"))
        if not given:
            return False
    method = given.pop("METHOD", None)
    if method is None and "NAME" in given:
        name = to_s(given["NAME"])
        before = change.families.get(name) or (None if name in change.removed else old_family(schema, name))
        key, family = family_from(given, before, session)
        change.families[key] = family
        return True
    name = given.pop("NAME", None)
    if method == "table_remove_coprocessor":
        _remove_coprocessors(schema, change, given.pop("CLASSNAME", None))
        rest = given
    elif method is not None and method != "table_att":
        _method(schema, change, to_s(method), name)
        rest = given
    else:
        take_table_settings(given, change)
        rest = _take_coprocessors(given, change, schema)
    for key in rest:
        session.formatter.line(f"Unknown argument ignored: {to_s(key)}")
    return True


def _check_reopening(session: Session, value: Any) -> None:
    if to_s(value).lower() not in ("true", "false"):
        raise ArgumentMistake("Invalid 'REOPEN_REGIONS' for non-boolean value.")
    if session.is_cluster and to_s(value).lower() == "false":
        raise ShellError("REOPEN_REGIONS => 'false' is not sent to a cluster yet: leave it out, or use HBase's shell")


def _remove_coprocessors(schema: TableSchema, change: Change, names: Any) -> None:
    """Remove the coprocessors of these classes. As in HBase, an unknown class changes nothing."""
    if not names:
        raise ArgumentMistake("CLASSNAME parameter missing for table_remove_coprocessor method")
    classes = [to_s(name) for name in (names if isinstance(names, list) else [names])]
    for key, text in schema.attributes.items():
        if key.startswith("coprocessor$") and "".join(text.split("|")[1:2]).strip() in classes:
            change.attributes[key] = None


def _method(schema: TableSchema, change: Change, method: str, name: Any) -> None:
    if method not in ("delete", "table_att_unset", "table_conf_unset"):
        raise ArgumentMistake(f"Unknown method: {method}")
    if not name:
        raise ArgumentMistake(f"NAME parameter missing for {method} method")
    if method == "delete":
        change.families.pop(to_s(name), None)
        change.removed.append(to_s(name))
        return
    for key in map(to_s, name if isinstance(name, list) else [name]):
        _unset(schema, change, key, "attribute" if method == "table_att_unset" else "configuration")


def _unset(schema: TableSchema, change: Change, key: str, kind: str) -> None:
    """Unset a setting. As in HBase, a table's attributes and settings share one map, whichever name is used."""
    if key in schema.attributes:
        change.attributes[key] = None
    elif key in schema.configuration:
        change.configuration[key] = None
    else:
        raise ArgumentMistake(f"Could not find {kind}: {key}")


def _take_coprocessors(given: dict[Any, Any], change: Change, schema: TableSchema) -> dict[Any, Any]:
    """Remove coprocessors from ``given`` and return the rest; Python coprocessors run where they are allowed."""
    number = sum(key.startswith("coprocessor$") for key in schema.attributes)
    for key in [key for key in given if "coprocessor" in to_s(key).lower()]:
        number += 1
        change.attributes[f"coprocessor${number}"] = to_s(given.pop(key)).strip()
    return given


def print_progress(session: Session, table: Any) -> None:
    """Print how many regions have the new schema: all of them, since a change returns when it is done."""
    count = len(session.admin.regions.list(session.table(table).name))
    session.formatter.line(f"{count}/{count} regions updated.")
    session.formatter.line("Done.")
