"""`ConnectionPool`: as many connections as are wanted, lent to one thread each."""

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
    """All connections of the pool are lent, and none came back in time."""


class ConnectionPool:
    """Connections that threads borrow: ``with pool.connection() as connection``.

    Args:
        size: Connections at most.
        kwargs: As `Connection`; ``autoconnect`` is the pool's own business.

    The first connection is opened at once, so that a wrong target is known at once; others when they are first lent.
    A connection is looked at before it is lent: one that is closed, or whose database is, is opened again.

    Raises:
        TypeError, ValueError: ``size`` is no integer, or not above 0. And what `Connection` raises.

    Source: happybase's ``ConnectionPool``.
    """

    def __init__(self, size: int, **kwargs: Any) -> None:
        if not isinstance(size, int):
            raise TypeError("Pool 'size' arg must be an integer")
        if size <= 0:
            raise ValueError("Pool 'size' arg must be greater than zero")
        options = {**kwargs, "autoconnect": False}
        self._connections = [Connection(**options) for _ in range(size)]
        # The last one that came back goes out first: the others may never need to be opened.
        self._idle: queue.LifoQueue[Connection] = queue.LifoQueue()
        for connection in self._connections:
            self._idle.put(connection)
        self._lent = threading.local()
        with self.connection():
            pass

    @contextmanager
    def connection(self, timeout: float | None = None) -> Iterator[Connection]:
        """An open connection for the ``with`` block; in a block within the block, of the same thread, the same one.

        Args:
            timeout: Seconds to wait for one; None for ever.

        After a `TException` or `OSError` in the block the connection is replaced by a fresh one.

        Raises:
            NoConnectionsAvailable: None came back in time. TTransportException: It could not be opened.
        """
        lent: Connection | None = getattr(self._lent, "connection", None)
        if lent is not None:
            with _fresh_after_trouble(lent):
                yield lent
            return
        try:
            connection = self._idle.get(timeout=timeout)
        except queue.Empty:
            raise NoConnectionsAvailable(f"no connection came back to the pool within {timeout} s") from None
        self._lent.connection = connection
        try:
            with _fresh_after_trouble(connection):
                yield connection
        finally:
            del self._lent.connection
            self._idle.put(connection)

    def close(self) -> None:
        """Closes every connection, lent ones too; a connection that is borrowed later is opened again.

        happybase's pool has no such method; here it gives a directory free for other processes.
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
            # The caller learns of the first error; who borrows the connection next, of this one.
            logger.warning("the replaced connection cannot be opened: %s", error)
        raise
