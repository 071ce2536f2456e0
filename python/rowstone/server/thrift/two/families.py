"""Families of an existing table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rowstone.errors import InvalidArgument, NoSuchColumnFamily
from rowstone.server.thrift._failures import io_failure
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.two._descriptors import family_of
from rowstone.server.thrift.two._names import name_of

_INVALID_FAMILY = "org.apache.hadoop.hbase.InvalidFamilyOperationException"


def add_column_family(session: Session, table: Any, descriptor: Any) -> None:
    """Add a family."""
    with _told():
        session.database.admin.tables.add_family(name_of(table), descriptor.name, family_of(descriptor))


def modify_column_family(session: Session, table: Any, descriptor: Any) -> None:
    """Change a family to a new description."""
    with _told():
        session.database.admin.tables.modify_family(name_of(table), descriptor.name, family_of(descriptor))


def delete_column_family(session: Session, table: Any, column: bytes) -> None:
    """Delete a family and its data."""
    with _told():
        session.database.admin.tables.delete_family(name_of(table), column)


@contextmanager
def _told() -> Iterator[None]:
    """Report an existing or missing family as HBase's master does."""
    try:
        yield
    except (InvalidArgument, NoSuchColumnFamily) as error:
        raise io_failure(_INVALID_FAMILY, str(error), can_retry=False) from None
