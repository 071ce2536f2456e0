"""Conversion of ``TPut``, ``TDelete``, ``TIncrement`` and ``TAppend`` for the store."""

from __future__ import annotations

from typing import Any, cast

import rowstone
from rowstone._base.options.words import Durability
from rowstone.errors import InvalidArgument, UnsupportedOperation
from rowstone.server.thrift._arguments import acl_of, given_timestamp
from rowstone.server.thrift.two._structs import DOCUMENT, choice

_TYPES = DOCUMENT.enums["TDeleteType"]


def put_of(put: Any) -> rowstone.Put:
    """Convert a ``TPut``. Tags of its cells are ignored, as in HBase."""
    _check_visibility(put)
    timestamp = given_timestamp(put.timestamp)
    data = [_cell(one, timestamp) for one in put.columnValues]
    acl = acl_of(put.attributes)
    return rowstone.Put(put.row, data, timestamp=timestamp, durability=_durability(put), acl=acl)


def _cell(one: Any, timestamp: int | None) -> Any:
    column = (one.family, one.qualifier)
    own = given_timestamp(one.timestamp)
    return (column, one.value) if own is None else (column, one.value, own)


def delete_of(delete: Any) -> rowstone.Delete:
    """Convert a ``TDelete``; without columns it deletes the whole row."""
    if not delete.columns:
        timestamp = given_timestamp(delete.timestamp) if delete.columns is None else None
        return rowstone.Delete(delete.row, timestamp=timestamp, durability=_durability(delete))
    result = rowstone.Delete(delete.row, durability=_durability(delete))
    for column in delete.columns:
        result = _with_column(result, column, delete.deleteType)
    return result


def _with_column(delete: rowstone.Delete, column: Any, kind: int) -> rowstone.Delete:
    timestamp = given_timestamp(column.timestamp)
    name = (column.family, column.qualifier or b"")
    if kind == _TYPES["DELETE_COLUMN"]:
        return delete.add_column(name, timestamp)
    if kind == _TYPES["DELETE_COLUMNS"]:
        return delete.add_columns(name, timestamp)
    if kind == _TYPES["DELETE_FAMILY"]:
        return delete.add_family(column.family, timestamp)
    if kind != _TYPES["DELETE_FAMILY_VERSION"]:
        raise InvalidArgument(f"there is no TDeleteType {kind}")
    if timestamp is None:
        raise InvalidArgument("Timestamp is required for TDelete with DeleteFamilyVersion type")
    return delete.add_family_version(column.family, timestamp)


def increment_of(increment: Any) -> rowstone.Increment:
    """Convert a ``TIncrement``."""
    _check_visibility(increment)
    amounts = [((one.family, one.qualifier), one.amount) for one in increment.columns]
    acl = acl_of(increment.attributes)
    return rowstone.Increment(increment.row, amounts, durability=_durability(increment), acl=acl)


def append_of(append: Any) -> rowstone.Append:
    """Convert a ``TAppend``."""
    _check_visibility(append)
    suffixes = [((one.family, one.qualifier), one.value) for one in append.columns]
    acl = acl_of(append.attributes)
    return rowstone.Append(append.row, suffixes, durability=_durability(append), acl=acl)


def mutations_of(mutations: Any) -> list[rowstone.Put | rowstone.Delete]:
    """Puts and deletes of a ``TRowMutations``, in order."""
    found: list[rowstone.Put | rowstone.Delete] = []
    for put, delete in mutations.mutations:
        if put is not None:
            found.append(put_of(put))
        if delete is not None:
            found.append(delete_of(delete))
    return found


def _durability(mutation: Any) -> Durability | None:
    name = choice("TDurability", mutation.durability, "USE_DEFAULT")
    return None if name == "USE_DEFAULT" else cast("Durability", name)


def _check_visibility(mutation: Any) -> None:
    if mutation.cellVisibility is not None and mutation.cellVisibility.expression:
        raise UnsupportedOperation(
            "visibility labels are not supported: a user who may read a table sees all of its cells"
        )
