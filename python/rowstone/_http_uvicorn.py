"""What `rowstone._http` asks of uvicorn; imported with the first server, for uvicorn is optional."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from rowstone._http_bounds import Application, Limits
from rowstone.errors import StorageError

if TYPE_CHECKING:
    from rowstone._serve import ServerTls


def configured(application: Application, tls: ServerTls | None, limits: Limits) -> uvicorn.Config:
    """The server's configuration, checked. Raises `StorageError` where a file of ``tls`` cannot be used."""
    config = uvicorn.Config(
        application,
        http=_patient(limits.patience_seconds),
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        # Of what clients send wrong only they hear.
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=limits.connections,
        timeout_graceful_shutdown=limits.farewell_seconds,
        h11_max_incomplete_event_size=limits.head_bytes,
        **_tls_options(tls),
    )
    try:
        config.load()
    except (OSError, ssl.SSLError) as error:
        raise StorageError(error.errno, f"cannot use the files for TLS: {error}") from error
    return config


def server_of(config: uvicorn.Config, is_ready: Callable[[], None]) -> uvicorn.Server:
    """A server that calls ``is_ready`` when it takes connections."""

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            is_ready()

    return Announcing(config)


def _tls_options(tls: ServerTls | None) -> dict[str, Any]:
    if tls is None:
        return {}
    options = {"ssl_certfile": os.fspath(tls.certificate), "ssl_keyfile": os.fspath(tls.key)}
    if tls.client_ca is None:
        return options
    return {**options, "ssl_ca_certs": os.fspath(tls.client_ca), "ssl_cert_reqs": ssl.CERT_REQUIRED}


def _patient(patience_seconds: float) -> type[asyncio.Protocol]:
    """uvicorn's protocol, and an end to connections whose client does not finish the head of a request in time.

    uvicorn alone ends idle connections between two requests, not those that send nothing at first, or half a head.
    """

    class Patient(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            # The beginning of the next request may be there already.
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._forget()

        def _watch(self) -> None:
            """The time runs from the first moment of an unfinished head, whatever comes of it meanwhile."""
            is_head_missing = self.cycle is None or bool(self.conn.trailing_data[0])
            if self.conn.their_state is not h11.IDLE or not is_head_missing:
                self._forget()
            elif self._timer is None:
                self._timer = self.loop.call_later(patience_seconds, self.transport.close)

        def _forget(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return Patient
