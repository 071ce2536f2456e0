"""HTTP in a thread: an ASGI application (Starlette's) on uvicorn, as the REST gateway and the pages for people have it.

An application behind it sees whole requests only: `rowstone._http_bounds` reads them, within limits of size and of
time, and `rowstone._http_uvicorn` ends connections whose client does not finish what it began. Clients wait for nobody
else: connections live on an event loop, and what an application does with a database belongs into threads of a pool
(Starlette does so with functions that are not ``async``).
"""

from __future__ import annotations

import asyncio
import importlib
import threading
from types import TracebackType
from typing import TYPE_CHECKING

from rowstone._http_bounds import Application, Bounded, Limits
from rowstone._listening import listening
from rowstone.errors import StorageError

if TYPE_CHECKING:
    from rowstone._serve import ServerTls


class HttpServer:
    """An application behind a port until `stop`; also a context manager. Once it is made, clients can connect.

    Args:
        application: Called for each request, on the server's event loop.
        host, port: Where it listens; port 0 is any that is free.
        tls: The server's certificate and key; clients without TLS are refused then (``plain_text`` is of HBase's RPC).
        limits: Of what clients may send, and how long they may take.

    Raises:
        ImportError: The packages of the extra ``gateways`` are missing.
        StorageError: The port is taken, or a file of ``tls`` cannot be used.
    """

    def __init__(
        self,
        application: Application,
        host: str,
        port: int,
        tls: ServerTls | None = None,
        *,
        limits: Limits | None = None,
    ) -> None:
        needs_gateways("a server of HTTP")
        from rowstone._http_uvicorn import configured, server_of

        limits = limits or Limits()
        config = configured(Bounded(application, limits), tls, limits)
        self._socket = listening(host, port)
        self._port: int = self._socket.getsockname()[1]
        is_ready = threading.Event()
        self._server = server_of(config, is_ready.set)
        self._thread = threading.Thread(target=self._run, args=(is_ready,), name="rowstone-http", daemon=True)
        self._thread.start()
        is_ready.wait()
        if not self._server.started:
            self.stop()
            raise StorageError(None, f"the server of HTTP on port {self._port} of {host} did not start")

    def _run(self, is_ready: threading.Event) -> None:
        try:
            asyncio.run(self._server.serve(sockets=[self._socket]))
        finally:
            is_ready.set()

    @property
    def port(self) -> int:
        """The port on which it listens, or listened."""
        return self._port

    def stop(self) -> None:
        """Takes no more connections, lets requests under way end for some seconds, and closes all of them. A second
        call does nothing."""
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    def __enter__(self) -> HttpServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def needs_gateways(what: str) -> None:
    """Raises `ImportError`, which says how to get them, where packages that a server of HTTP needs are missing."""
    for module in ("starlette", "uvicorn"):
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise ImportError(f"{what} needs {module}: pip install 'rowstone[gateways]'") from error
