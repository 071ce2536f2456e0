"""Families of a table that is there."""

from __future__ import annotations

from typing import Any

from rowstone.thrift._session import Session
from rowstone.thrift.two._descriptors import family_of
from rowstone.thrift.two._names import name_of


def add_column_family(session: Session, table: Any, descriptor: Any) -> None:
    """Adds one."""
    session.database.admin.add_family(name_of(table), descriptor.name, family_of(descriptor))


def modify_column_family(session: Session, table: Any, descriptor: Any) -> None:
    """Describes one anew."""
    session.database.admin.modify_family(name_of(table), descriptor.name, family_of(descriptor))


def delete_column_family(session: Session, table: Any, column: bytes) -> None:
    """Removes one with its data."""
    session.database.admin.delete_family(name_of(table), column)
