"""HTTP server in a thread: an ASGI application (Starlette) on uvicorn, for the REST gateway and the dashboard.

The port is open at once. The code behind it is imported with the first client, which waits a quarter of a second for
it. Most of a server's start would otherwise be these imports, and many servers never have an HTTP client.

The application sees only whole requests: `http_bounds` reads them within limits of size and time, and `http_uvicorn`
closes connections whose client does not finish a request. Clients do not wait for each other: connections are on an
event loop, and database calls belong into a thread pool (Starlette does that for functions that are not ``async``).
"""

from __future__ import annotations

import logging
import selectors
import socket
import threading
from collections.abc import Callable
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING

from rowstone.server.http.limits import Limits
from rowstone.server.listening import listening

if TYPE_CHECKING:
    import uvicorn

    from rowstone.server.http.bounds import Application
    from rowstone.server.http.hosts import Hosts
    from rowstone.server.listening import ServerTls

_log = logging.getLogger("rowstone")


class HttpServer:
    """An application behind a port until `stop`; also a context manager. Once it is made, clients can connect.

    Args:
        make: Gives the application, which is called for each request, on the server's event loop.
        host, port: Where it listens; port 0 is any that is free.
        tls: The server's certificate and key; clients without TLS are refused then (``plain_text`` is of HBase's RPC).
        limits: Of what clients may send, and how long they may take.
        hosts: By which names requests may call it; without that, by any.

    Raises:
        ImportError: The packages of the extra ``gateways`` are missing.
        StorageError: The port is taken, or a file of ``tls`` cannot be used.
    """

    def __init__(
        self,
        make: Callable[[], Application],
        host: str,
        port: int,
        tls: ServerTls | None = None,
        *,
        limits: Limits | None = None,
        hosts: Hosts | None = None,
    ) -> None:
        needs_gateways("a server of HTTP")
        self._make = make
        self._limits = limits or Limits()
        self._hosts = hosts
        self._tls = None
        if tls is not None:
            from rowstone.server.tls import server_context

            self._tls = server_context(tls)
        self._lock = threading.Lock()
        self._is_ending = False
        self._server: uvicorn.Server | None = None
        self._socket = listening(host, port)
        self._port: int = self._socket.getsockname()[1]
        self._wake, self._waker = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="rowstone-http", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            if self._wait_for_client():
                self._serve()
        except Exception:
            _log.exception("the server of HTTP on port %d has ended", self._port)
        finally:
            self._socket.close()

    def _wait_for_client(self) -> bool:
        """Whether a client is there; waits until one is, or `stop` is called."""
        with selectors.DefaultSelector() as selector:
            for one in (self._socket, self._wake):
                selector.register(one, selectors.EVENT_READ)
            selector.select()
        return not self._is_ending

    def _serve(self) -> None:
        import asyncio

        from rowstone.server.http.bounds import Bounded
        from rowstone.server.http.hosts import HostHeaderCheck
        from rowstone.server.http.origins import OwnPagesOnly
        from rowstone.server.http.uvicorn import server_of

        bounded = OwnPagesOnly(Bounded(self._make(), self._limits))
        checked = bounded if self._hosts is None else HostHeaderCheck(bounded, self._hosts)
        server = server_of(checked, self._tls, self._limits)
        with self._lock:
            self._server = server
            server.should_exit = self._is_ending
        asyncio.run(server.serve(sockets=[self._socket]))

    @property
    def port(self) -> int:
        """The port on which it listens, or listened."""
        return self._port

    def stop(self) -> None:
        """Accept no more connections, let requests under way end for some seconds, and close all of them. A second
        call does nothing."""
        with self._lock:
            is_first, self._is_ending = not self._is_ending, True
            if self._server is not None:
                self._server.should_exit = True
        if is_first:
            self._waker.send(b"\0")
            self._thread.join()
            self._wake.close()
            self._waker.close()

    def __enter__(self) -> HttpServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def needs_gateways(what: str) -> None:
    """Raise `ImportError`, which names the extra to install, if packages for serving HTTP are missing."""
    for module in ("starlette", "uvicorn"):
        if find_spec(module) is None:
            raise ImportError(f"{what} needs {module}: pip install 'rowstone[gateways]'")
