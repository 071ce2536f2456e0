"""The open database of a connection, in place of happybase's Thrift transport."""

import os

from rowstone._core.database import Database
from rowstone.errors import RowstoneError, UnsupportedOperation
from rowstone.happybase import _shared
from rowstone.happybase._target import ENVIRONMENT
from rowstone.happybase.errors import TTransportException


class Transport:
    """A database, open or not: the caller's own, or a share of the one at a target."""

    def __init__(
        self, *, target: str | None = None, timeout_ms: int | None = None, database: Database | None = None
    ) -> None:
        self._target = target
        self._timeout_ms = timeout_ms
        self._given = database
        self._open: Database | None = None
        self._process = 0

    def is_open(self) -> bool:
        """Whether operations can run: opened by this process, and not closed since."""
        return self._open is not None and self._process == os.getpid() and not self._open.closed

    def open(self) -> None:
        """Opens the database, unless it is open.

        Raises:
            TTransportException: The database cannot be opened; ``__cause__`` says why.
            UnsupportedOperation: This version does not support this kind of target.
        """
        if self.is_open():
            return
        self.close()
        if self._given is not None and self._given.closed:
            raise TTransportException(type=TTransportException.NOT_OPEN, message=f"{self._given!r} is closed")
        self._open = self._given if self._target is None else _opened(self._target, self._timeout_ms)
        self._process = os.getpid()

    def close(self) -> None:
        """Release the database; a second call does nothing. A database of the caller stays open."""
        database, self._open = self._open, None
        if database is not None and self._target is not None and self._process == os.getpid():
            _shared.release(self._target, self._timeout_ms, database)

    @property
    def database(self) -> Database:
        """The open database. Raises `TTransportException` if it is not open."""
        if self._open is None or not self.is_open():
            raise TTransportException(
                type=TTransportException.NOT_OPEN, message="the connection is not open; call its open()"
            )
        return self._open


def _opened(target: str, timeout_ms: int | None) -> Database:
    try:
        return _shared.acquire(target, timeout_ms)
    except UnsupportedOperation:
        raise
    except (RowstoneError, OSError) as error:
        hint = f"; to use a directory pass its path ('./name') or set {ENVIRONMENT}" if "://" in target else ""
        raise TTransportException(type=TTransportException.NOT_OPEN, message=f"{error}{hint}") from error
