"""`ConnectionPool`: a limited number of connections, each lent to one thread at a time."""

import logging
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rowstone.errors import RowstoneError
from rowstone.happybase.connection import Connection
from rowstone.happybase.errors import TException

logger = logging.getLogger(__name__)


class NoConnectionsAvailable(RuntimeError):
    """All connections of the pool are in use, and none was returned in time."""


class ConnectionPool:
    """Connections that threads borrow: ``with pool.connection() as connection``.

    Args:
        size: Maximum number of connections.
        kwargs: As for `Connection`; ``autoconnect`` is set by the pool.

    The first connection is opened immediately, so that a wrong target is detected; others when they are first lent.
    A connection is checked before it is lent. If it or its database is closed, it is opened again.

    Raises:
        TypeError, ValueError: ``size`` is not an integer, or not positive. `Connection` may raise other errors.

    Source: happybase's ``ConnectionPool``.
    """

    def __init__(self, size: int, **kwargs: Any) -> None:
        if not isinstance(size, int):
            raise TypeError("Pool 'size' arg must be an integer")
        if size <= 0:
            raise ValueError("Pool 'size' arg must be greater than zero")
        options = {**kwargs, "autoconnect": False}
        self._connections = [Connection(**options) for _ in range(size)]
        # The last returned connection is lent first: the others may never need to be opened.
        self._idle: queue.LifoQueue[Connection] = queue.LifoQueue()
        for connection in self._connections:
            self._idle.put(connection)
        self._lent = threading.local()
        with self.connection():
            pass

    @contextmanager
    def connection(self, timeout: float | None = None) -> Iterator[Connection]:
        """Return an open connection for the ``with`` block; nested blocks of the same thread share it.

        Args:
            timeout: Seconds to wait for one; None waits without limit.

        After a `TException` or `OSError` in the block, the connection is replaced.

        Raises:
            NoConnectionsAvailable: None was returned in time. TTransportException: It could not be opened.
        """
        lent: Connection | None = getattr(self._lent, "connection", None)
        if lent is not None:
            with _fresh_after_trouble(lent):
                yield lent
            return
        try:
            connection = self._idle.get(timeout=timeout)
        except queue.Empty:
            raise NoConnectionsAvailable(f"no connection was returned to the pool within {timeout} s") from None
        self._lent.connection = connection
        try:
            with _fresh_after_trouble(connection):
                yield connection
        finally:
            del self._lent.connection
            self._idle.put(connection)

    def close(self) -> None:
        """Close every connection, lent ones too; a connection that is borrowed later is opened again.

        happybase's pool has no such method; here it releases a directory for other processes.
        """
        for connection in self._connections:
            connection.close()


@contextmanager
def _fresh_after_trouble(connection: Connection) -> Iterator[None]:
    try:
        connection.open()
        yield
    except (TException, OSError):
        logger.info("replacing a connection after an error")
        connection._refresh()
        try:
            connection.open()
        except (TException, OSError, RowstoneError) as error:
            # The caller receives the first error; the next borrower of the connection receives this one.
            logger.warning("the replaced connection cannot be opened: %s", error)
        raise
