"""Errors as HBase's REST server reports them: a status, its phrase, and on the next line an exception and its text.

Source: ``ResourceBase.processException``. HBase adds a stack trace, which says nothing about the request.
"""

from __future__ import annotations

from rowstone.errors import (
    AccessDenied,
    CellTooLarge,
    InvalidArgument,
    InvalidName,
    NoSuchColumnFamily,
    NotFoundError,
    RowstoneError,
    StateError,
    TableNotFound,
    UsageError,
)
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import Answer

DO_NOT_RETRY = (UsageError, NotFoundError, StateError)
"""Our errors for which HBase throws a ``DoNotRetryIOException``."""

_BAD_REQUEST = (InvalidArgument, InvalidName, CellTooLarge)


class Refused(Exception):
    """Ends the request with this response."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def bad_request(text: str = "Bad request") -> Refused:
    """400."""
    return Refused(_answer.text(400, text))


def unauthorized() -> Answer:
    """401, with the supported schemes."""
    answer = _answer.text(401, "Unauthorized")
    return Answer(401, answer.body, answer.media, {"WWW-Authenticate": 'Basic realm="rowstone", Bearer'})


def failed(error: RowstoneError) -> Answer:
    """The response to a request that raised ``error``."""
    status, phrase = _status(error)
    return _answer.text(status, f"{phrase}\r\n{failed_class(error)}: {error}")


def failed_class(error: RowstoneError) -> str:
    """The exception class that HBase throws for such an error."""
    if error.remote_class is not None:
        return error.remote_class
    return "org.apache.hadoop.hbase.DoNotRetryIOException" if isinstance(error, DO_NOT_RETRY) else "java.io.IOException"


def _status(error: RowstoneError) -> tuple[int, str]:
    if isinstance(error, AccessDenied):
        return 403, "Forbidden"
    if isinstance(error, (TableNotFound, NoSuchColumnFamily)):
        return 404, "Not found"
    if isinstance(error, _BAD_REQUEST):
        return 400, "Bad request"
    return 503, "Unavailable"
