"""Conditional changes: applied if a column has the expected value."""

from __future__ import annotations

from typing import Any, cast

from rowstone._base.options.words import CompareOperator
from rowstone.errors import InvalidArgument
from rowstone.server.thrift._failures import as_many, io_failure
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.two._mutations import delete_of, mutations_of, put_of
from rowstone.server.thrift.two._structs import choice


def check_and_put(
    session: Session, table: bytes, row: bytes, family: bytes, qualifier: bytes, value: bytes | None, put: Any
) -> bool:
    """Put if the column has the value, or, without a value, if it is empty."""
    return _check(session, table, row, family, qualifier, "EQUAL", value, put_of(put))


def check_and_delete(
    session: Session, table: bytes, row: bytes, family: bytes, qualifier: bytes, value: bytes | None, delete: Any
) -> bool:
    """Delete if the column has the value, or, without a value, if it is empty."""
    return _check(session, table, row, family, qualifier, "EQUAL", value, delete_of(delete))


def check_and_mutate(
    session: Session,
    table: bytes,
    row: bytes,
    family: bytes,
    qualifier: bytes,
    operator: int,
    value: bytes | None,
    mutations: Any,
) -> bool:
    """Put and delete if the comparison of the given value with the column's holds."""
    name = choice("TCompareOp", operator, "")
    if name in ("", "NO_OP"):
        raise InvalidArgument(f"there is no comparison {name or operator}")
    if value is None:
        raise InvalidArgument("there is no value to compare with")
    with as_many(1):
        return _check(
            session, table, row, family, qualifier, cast("CompareOperator", name), value, mutations_of(mutations)
        )


def _check(
    session: Session,
    table: bytes,
    row: bytes,
    family: bytes,
    qualifier: bytes,
    operator: CompareOperator,
    value: bytes | None,
    mutation: Any,
) -> bool:
    for one in mutation if isinstance(mutation, list) else [mutation]:
        if one.row != row:
            raise io_failure(
                "org.apache.hadoop.hbase.DoNotRetryIOException",
                f"the row of a mutation is {one.row!r}, that of the check is {row!r}",
                can_retry=False,
            )
    checked = session.table(table)
    return checked.check_and_mutate(row, (family, qualifier), operator, value, mutation).success
