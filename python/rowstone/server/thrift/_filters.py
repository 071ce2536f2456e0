"""Filters from clients: HBase's filter language, or HBase's protobuf messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone import _native
from rowstone.errors import InvalidArgument, UnsupportedOperation
from rowstone.server.thrift._failures import io_failure

if TYPE_CHECKING:
    from rowstone.filters import Filter

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
