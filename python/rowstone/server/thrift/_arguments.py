"""Arguments common to both services: conversion for the store, filters, timestamps ahead of the clock, checks of
HBase's client.

A counter that is incremented twice within a millisecond gets a timestamp ahead of the clock, as in HBase. A put right
after it would be older, and hidden. HBase's gateway is too slow for that to happen. Here such a change is answered
when the clock has reached its timestamp, so that all later changes of the client are newer.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone.errors import InvalidArgument, UnsupportedOperation
from rowstone.server.thrift._failures import io_failure

if TYPE_CHECKING:
    from rowstone._native import Row
    from rowstone.filters import Filter


LATEST = 2**63 - 1
"""HBase's timestamp for "now" and for "no limit"."""


def given_timestamp(timestamp: int | None) -> int | None:
    """The timestamp to write with; None for the store's clock."""
    return None if timestamp is None or timestamp == LATEST else timestamp


def time_range(first: int, end: int) -> dict[str, Any]:
    """The read option for a range of timestamps; ``end`` is exclusive."""
    if first < 0 or end < 0:
        raise InvalidArgument(f"a timestamp is negative: from {first} to {end}")
    if end < first:
        raise InvalidArgument(f"the timestamp at the end, {end}, is smaller than that at the start, {first}")
    return {"time_range": (first, end)}


def older_than(timestamp: int | None) -> dict[str, Any]:
    """The read option for cells older than a timestamp."""
    return {} if timestamp is None or timestamp == LATEST else time_range(0, timestamp)


def versions_of(count: int) -> int:
    """The maximum number of versions."""
    if count <= 0:
        raise io_failure("java.io.IOException", "versions must be positive")
    return count


def acl_of(attributes: Mapping[bytes, bytes] | None) -> bytes | None:
    """The cell permissions of a mutation, as HBase's clients send them. Source: ``Mutation.setACL``."""
    return None if attributes is None else attributes.get(b"acl")


_NO_MESSAGE = "org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException"
_NO_CLASS = "org.apache.hadoop.hbase.DoNotRetryIOException: java.lang.ClassNotFoundException"


def parsed(text: bytes) -> Filter:
    """Parse a filter expression. Raises `InvalidArgument`."""
    return _native.parse_filter(text)


def unpacked(message: bytes) -> Filter:
    """Decode a filter from HBase's protobuf message."""
    try:
        return _native.unpack_filter(message)
    except UnsupportedOperation as error:
        raise io_failure(_NO_CLASS, str(error), can_retry=False) from None
    except InvalidArgument as error:
        raise io_failure(_NO_MESSAGE, str(error)) from None


_LONGEST_MS = 50
_TICK_S = 0.001


def wait_a_tick() -> None:
    """Wait until the clock shows another millisecond, so that an earlier delete does not cover the next write."""
    time.sleep(_TICK_S)


def wait_for_clock(row: Row) -> Row:
    """Wait until the clock has reached the timestamps of ``row``, so that a later put is not hidden; return ``row``.

    Timestamps far ahead were set on purpose, and are not waited for.
    """
    ahead_ms = max((cell.timestamp for cell in row.cells), default=0) - time.time() * 1000
    if 0 < ahead_ms <= _LONGEST_MS:
        time.sleep(ahead_ms / 1000)
    return row
