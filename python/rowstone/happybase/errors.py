"""The exceptions of the happybase API: those of HBase's Thrift gateway and of Thrift itself.

``TException`` is the base of all. Where thriftpy2 is installed it is thriftpy2's own, so that code which catches
``thriftpy2.thrift.TException`` still works. ``message`` is bytes and begins with the Java class of the error, as
the gateway sends it; ``__cause__`` is the error of `rowstone.errors`.
"""

import importlib
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from rowstone.errors import InvalidArgument, InvalidName, InvalidType, RowstoneError, TableExists, UnsupportedOperation

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

if TYPE_CHECKING:

    class TException(Exception):
        """The base of all errors that the gateway or the connection to it reports."""

    class TTransportException(TException):
        """The connection is not open, or cannot be opened."""

        NOT_OPEN = 1

        def __init__(self, type: int = 0, message: str | None = None) -> None: ...

else:
    try:
        TException = importlib.import_module("thriftpy2.thrift").TException
        TTransportException = importlib.import_module("thriftpy2.transport").TTransportException
    except ImportError:

        class TException(Exception):
            """The base of all errors that the gateway or the connection to it reports."""

        class TTransportException(TException):
            """The connection is not open, or cannot be opened."""

            NOT_OPEN = 1

            def __init__(self, type=0, message=None):
                super().__init__(message)
                self.type, self.message = type, message


class _GatewayError(TException):
    def __init__(self, message: bytes | str | None = None) -> None:
        Exception.__init__(self, message)
        self.message = message

    def __repr__(self) -> str:
        return f"{type(self).__name__}(message={self.message!r})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[type, tuple[bytes | str | None]]:
        return type(self), (self.message,)


class IOError(_GatewayError):
    """An error in the store: a table is missing or disabled, a family is unknown, …"""


class IllegalArgument(_GatewayError):
    """An argument is outside the accepted range."""


class AlreadyExists(_GatewayError):
    """A table of that name already exists."""


def translated(error: RowstoneError) -> Exception:
    """The happybase exception for ``error``.

    `TypeError` and `UnsupportedOperation` are not translated.
    """
    if isinstance(error, (InvalidType, UnsupportedOperation)):
        return error
    if isinstance(error, TableExists):
        return AlreadyExists(b"table name already in use")
    message = f"{error.remote_class or 'java.io.IOException'}: {error}".encode()
    if isinstance(error, (InvalidArgument, InvalidName)):
        return IllegalArgument(message)
    return IOError(message)


def in_thrift_words(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Wrap ``function`` so that it raises `translated` errors."""

    @wraps(function)
    def call(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        try:
            return function(*args, **kwargs)
        except RowstoneError as error:
            raise_translated(error)
            raise

    return call


def raise_translated(error: RowstoneError) -> None:
    """Raise the `translated` error, unless it is ``error`` itself."""
    words = translated(error)
    if words is not error:
        raise words from error
