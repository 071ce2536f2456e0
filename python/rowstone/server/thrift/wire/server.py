"""A listening socket with one thread per connection."""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rowstone.server.listening import listening

if TYPE_CHECKING:
    import ssl

_log = logging.getLogger("rowstone.server.thrift")
_TICK_S = 10.0
_STOP_S = 5.0
_PAUSE_S = 0.1


class Server:
    """Listener that runs ``serve`` for each connection in a thread of its own.

    Args:
        serve: Receives a connection. It does not close it; the server does.
        tick: Called every few seconds.
        most_connections: Further connections are closed at once.
        tls: Requires TLS. patience_s: Time limit of the TLS handshake.

    Raises:
        StorageError: The port is in use.
    """

    def __init__(
        self,
        host: str,
        port: int,
        serve: Callable[[socket.socket], None],
        *,
        tick: Callable[[], None],
        most_connections: int,
        tls: ssl.SSLContext | None = None,
        patience_s: float | None = None,
    ) -> None:
        self._serve = serve
        self._tick = tick
        self._most_connections = most_connections
        self._tls = tls
        self._patience_s = patience_s
        self._open: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        self._stopped = False
        self._listener = listening(host, port)
        self._wake, self._waker = socket.socketpair()
        self._thread = threading.Thread(target=self._accept_all, name="rowstone-thrift", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port it listens on."""
        number: int = self._listener.getsockname()[1]
        return number

    @property
    def connections(self) -> int:
        """The number of connections."""
        return len(self._open)

    def stop(self) -> None:
        """Close all connections; calls in progress have a moment to finish. A second call does nothing."""
        with self._lock:
            if self._stopped:
                return
            self._stopped = True
            left = dict(self._open)
        self._waker.send(b"\0")
        self._thread.join()
        for how in (socket.SHUT_RD, socket.SHUT_RDWR):
            for connection in left:
                _shut_down(connection, how)
            for thread in left.values():
                thread.join(_STOP_S)
        for one in (self._listener, self._wake, self._waker):
            one.close()

    def _accept_all(self) -> None:
        with selectors.DefaultSelector() as selector:
            for one in (self._listener, self._wake):
                selector.register(one, selectors.EVENT_READ)
            while not self._stopped:
                ready = [key.fileobj for key, _ in selector.select(_TICK_S)]
                self._tick()
                if self._listener in ready:
                    self._accept()

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            _log.warning("a connection could not be taken: %s", error)
            # If no file can be opened any more, an immediate retry would fail again.
            time.sleep(_PAUSE_S)
            return
        with self._lock:
            if self._stopped or len(self._open) >= self._most_connections:
                connection.close()
                return
            thread = threading.Thread(
                target=self._run, args=(connection,), name="rowstone-thrift-connection", daemon=True
            )
            self._open[connection] = thread
        try:
            thread.start()
        except RuntimeError as error:
            _log.warning("a connection could not be served: %s", error)
            self._end(connection)

    def _run(self, connection: socket.socket) -> None:
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            if self._tls is not None:
                connection = secret = self._encrypted(connection, self._tls)
                secret.do_handshake()
            self._serve(connection)
        except OSError as error:
            _log.debug("a connection ended: %s", error)
        except Exception:
            _log.exception("a connection failed")
        finally:
            self._end(connection)

    def _encrypted(self, connection: socket.socket, tls: ssl.SSLContext) -> ssl.SSLSocket:
        """Wrap the connection in TLS. The plain socket is an empty shell afterwards."""
        connection.settimeout(self._patience_s)
        with self._lock:
            if self._stopped:
                # `stop` only knows the plain socket.
                raise ConnectionAbortedError("the server is being stopped")
            thread = self._open.pop(connection)
            secret = tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
            self._open[secret] = thread
        return secret

    def _end(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.pop(connection, None)
        connection.close()


def _shut_down(connection: socket.socket, how: int) -> None:
    # It may have ended by itself meanwhile.
    with contextlib.suppress(OSError):
        # Not the TLS socket's shutdown, after which an answer in progress would be sent in plain text.
        socket.socket.shutdown(connection, how)
