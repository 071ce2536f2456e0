"""What HBase says where nobody controls access or visibility, which is so in every directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone import Admin
    from rowstone.shell.session import Session


def _admin_with(session: Session, capability: str, words: str) -> Admin:
    if not session.is_cluster or capability not in session.admin.security_capabilities():
        raise ArgumentMistake(f"DISABLED: {words} not available")
    return session.admin


def security(session: Session) -> Admin:
    """The administration, where rights are controlled. Raises `ArgumentMistake`."""
    return _admin_with(session, "AUTHORIZATION", "Security features are")


def labels(session: Session) -> Admin:
    """The administration, where visibility is controlled. Raises `ArgumentMistake`."""
    return _admin_with(session, "CELL_VISIBILITY", "Visibility labels feature is")


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
