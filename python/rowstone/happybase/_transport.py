"""The target of a connection's arguments, and its open database in place of happybase's Thrift transport."""

import os
from collections.abc import Mapping

from rowstone._core.database import Database
from rowstone.errors import RowstoneError, UnsupportedOperation
from rowstone.happybase import _shared
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
        """Open the database, unless it is open.

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

    def close(self, *, is_garbage: bool = False) -> None:
        """Release the database; a second call does nothing. A database of the caller stays open."""
        database, self._open = self._open, None
        if database is not None and self._target is not None and self._process == os.getpid():
            _shared.release(self._target, self._timeout_ms, database, is_garbage=is_garbage)

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


ENVIRONMENT = "ROWSTONE_HAPPYBASE"
"""Target for every host and port, for programs that must not be changed."""

DEFAULT_HOST = "localhost"
DEFAULT_PORT = 9090


def target_of(host: "str | os.PathLike[str]", port: int | str, environment: Mapping[str, str] = os.environ) -> str:
    """The argument of `rowstone.connect` for ``host`` and ``port``.

    A path (with a slash or a leading dot, or an `os.PathLike`), ``":memory:"`` or a URL is the target itself. For any
    other host it is the environment's ``ROWSTONE_HAPPYBASE``, and without that the cluster at that host. The port of
    the Thrift gateway, 9090, is not a cluster's port, so it stands for the cluster's default.

    >>> target_of("./crawl", 9090, {}), target_of("hbase-1", 9090, {}), target_of("hbase-1", 16000, {})
    ('./crawl', 'hbase://hbase-1', 'hbase://hbase-1:16000')
    >>> target_of("thrift.example.com", 9090, {"ROWSTONE_HAPPYBASE": "./crawl"})
    './crawl'
    """
    text = os.fspath(host)
    if isinstance(host, os.PathLike) or text == ":memory:" or text.startswith(".") or "/" in text or os.sep in text:
        return text
    if environment.get(ENVIRONMENT):
        return environment[ENVIRONMENT]
    return f"hbase://{text}" if int(port) == DEFAULT_PORT else f"hbase://{text}:{int(port)}"
