"""Errors, as HBase's gateways report them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rowstone.errors import (
    AccessDenied,
    ClusterError,
    InvalidArgument,
    InvalidName,
    RetryError,
    RowstoneError,
    StorageError,
    TableNotFound,
    UnsupportedOperation,
)

UNKNOWN_METHOD = 1
MISSING_RESULT = 5
INTERNAL_ERROR = 6
PROTOCOL_ERROR = 7
_MANY_FAILED = "org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException"


class Declared(Exception):
    """An exception that the called method declares as ``name``; ``values`` are its fields."""

    def __init__(self, name: str, *values: Any) -> None:
        super().__init__(name, *values)
        self.name = name
        self.values = values


@dataclass
class ApplicationFailure(Exception):
    """An exception that any method may return: Thrift's ``TApplicationException``."""

    kind: int
    message: str


def io_failure(java_class: str, text: str, *, can_retry: bool = True) -> Declared:
    """``IOError`` or ``TIOError`` for a Java exception."""
    return Declared("io", f"{java_class}: {text}", can_retry)


def many_failed(failures: Sequence[RowstoneError]) -> Declared:
    """The message of HBase's client when some of several actions fail: the number of failures, and the first."""
    first = failures[0]
    return io_failure(_MANY_FAILED, f"Failed {_actions(len(failures))}: {first.remote_class}: {first}")


def _actions(count: int) -> str:
    return f"{count} action{'s' if count > 1 else ''}"


@contextmanager
def as_many(count: int) -> Iterator[None]:
    """Report a missing table as HBase's client does for a batch: every action fails."""
    try:
        yield
    except TableNotFound as error:
        raise io_failure(_MANY_FAILED, f"Failed {_actions(count)}: {error}") from None


def declared(error: RowstoneError) -> Declared | None:
    """The declared exception for an error of the store, or None if HBase's handlers have none.

    As in HBase: an ``IOException`` is reported with its class as prefix, and may be retried unless it is a
    ``DoNotRetryIOException``. An ``IllegalArgumentException`` of the client is not reported.
    """
    if isinstance(error, (InvalidArgument, InvalidName)):
        return None
    if isinstance(error, UnsupportedOperation):
        return io_failure("org.apache.hadoop.hbase.DoNotRetryIOException", str(error), can_retry=False)
    java_class = error.remote_class or "java.io.IOException"
    return io_failure(java_class, str(error), can_retry=_can_retry(error))


def _can_retry(error: RowstoneError) -> bool:
    if isinstance(error, AccessDenied):
        return False
    return isinstance(error, (RetryError, StorageError, ClusterError)) or error.remote_class in (
        None,
        "java.io.IOException",
    )
