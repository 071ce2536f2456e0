"""What HBase says where nobody controls access or visibility."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.errors import RemoteError
from rowstone.shell.errors import ArgumentMistake, ShellError
from rowstone.shell.values import Opaque, java_object, to_s

if TYPE_CHECKING:
    from rowstone import Admin
    from rowstone.shell.session import Session


def _admin_with(session: Session, capability: str, words: str) -> Admin:
    if capability not in session.admin.security_capabilities():
        raise ArgumentMistake(f"DISABLED: {words} not available")
    return session.admin


def security(session: Session) -> Admin:
    """The administration, where rights are controlled. Raises `ArgumentMistake`."""
    return _admin_with(session, "AUTHORIZATION", "Security features are")


def labels(session: Session) -> Admin:
    """The administration, where visibility is controlled. Raises `ArgumentMistake`."""
    return _admin_with(session, "CELL_VISIBILITY", "Visibility labels feature is")


def change_labels(work: Callable[[], None]) -> None:
    """Changes labels; what one of several failed with is shown as the server said it."""
    try:
        work()
    except RemoteError as error:
        raise ShellError(str(error).strip()) from None


def print_labels(session: Session, found: list[str]) -> Opaque:
    """A line for each label; what the command gives back, as JRuby shows it."""
    for label in found:
        session.formatter.row([label])
    shown = ", ".join(java_object("ComGoogleProtobuf::LiteralByteString", label) for label in found)
    kind = "UnmodifiableRandomAccessList" if found else "EmptyList"
    return Opaque(f"#<Java::JavaUtil::Collections::{kind}: [{shown}]>")


def place(session: Session, table: Any, family: Any, qualifier: Any) -> dict[str, Any]:
    """Where a right holds: a table that is there, ``@namespace``, or everywhere. Raises `ArgumentMistake`."""
    if table is None:
        return {}
    name = to_s(table)
    if name.startswith("@"):
        if name[1:] not in session.admin.namespaces():
            raise ArgumentMistake(f"Can't find a namespace: {name[1:]}")
        return {"namespace": name[1:]}
    if not session.admin.exists(name):
        raise ArgumentMistake(f"Can't find a table: {name}")
    if family is not None and to_s(family).encode() not in session.admin.describe(name).families:
        raise ArgumentMistake(f"Can't find a family: {to_s(family)}")
    parts = {"family": family, "qualifier": qualifier}
    return {"table": name, **{key: to_s(value) for key, value in parts.items() if value is not None}}
