"""Access to permission and label administration, with HBase's errors if they are disabled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import Opaque, java_object, to_s
from rowstone.errors import RemoteError

if TYPE_CHECKING:
    from rowstone.admin import Labels, Permissions
    from rowstone.cli.shell.session import Session


def _require(session: Session, capability: str, words: str) -> None:
    if capability not in session.admin.permissions.capabilities():
        raise ArgumentMistake(f"DISABLED: {words} not available")


def security(session: Session) -> Permissions:
    """The permissions, if access control is enabled. Raises `ArgumentMistake`."""
    _require(session, "AUTHORIZATION", "Security features are")
    return session.admin.permissions


def labels(session: Session) -> Labels:
    """The labels, if visibility labels are enabled. Raises `ArgumentMistake`."""
    _require(session, "CELL_VISIBILITY", "Visibility labels feature is")
    return session.admin.labels


def change_labels(work: Callable[[], None]) -> None:
    """Change labels; the failure of one label is printed as the server reported it."""
    try:
        work()
    except RemoteError as error:
        raise ShellError(str(error).strip()) from None


def print_labels(session: Session, found: list[str]) -> Opaque:
    """Print a line for each label; the return value is printed as JRuby does."""
    for label in found:
        session.formatter.row([label])
    shown = ", ".join(java_object("ComGoogleProtobuf::LiteralByteString", label) for label in found)
    kind = "UnmodifiableRandomAccessList" if found else "EmptyList"
    return Opaque(f"#<Java::JavaUtil::Collections::{kind}: [{shown}]>")


def place(session: Session, table: Any, family: Any, qualifier: Any) -> dict[str, Any]:
    """The scope of a permission: an existing table, ``@namespace``, or global. Raises `ArgumentMistake`."""
    if table is None:
        return {}
    name = to_s(table)
    if name.startswith("@"):
        if name[1:] not in session.admin.namespaces.list():
            raise ArgumentMistake(f"Can't find a namespace: {name[1:]}")
        return {"namespace": name[1:]}
    if not session.admin.tables.exists(name):
        raise ArgumentMistake(f"Can't find a table: {name}")
    if family is not None and to_s(family).encode() not in session.admin.describe(name).families:
        raise ArgumentMistake(f"Can't find a family: {to_s(family)}")
    parts = {"family": family, "qualifier": qualifier}
    return {"table": name, **{key: to_s(value) for key, value in parts.items() if value is not None}}
