"""What `http` asks of uvicorn; imported with the first client: uvicorn is optional, and takes its time."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from rowstone._server.http_bounds import Application
from rowstone._server.http_limits import Limits


def server_of(application: Application, tls: ssl.SSLContext | None, limits: Limits) -> uvicorn.Server:
    """A server of the application, for a socket that listens already."""
    config = uvicorn.Config(
        application,
        http=_patient(limits.patience_seconds, limits.connections_per_address),
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
    )
    config.load()
    # Of its own uvicorn knows names of files only, and those were looked at when the port was opened.
    config.ssl = tls
    return uvicorn.Server(config)


def _patient(patience_seconds: float, most_per_address: int) -> type[asyncio.Protocol]:
    """uvicorn's protocol, and an end to connections whose client does not finish the head of a request in time, and to
    those beyond the most that one address may have.

    uvicorn alone ends idle connections between two requests, not those that send nothing at first, or half a head.
    """
    counts: Counter[str] = Counter()

    class Patient(H11Protocol):
        _timer: asyncio.TimerHandle | None = None
        _address = ""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = str((transport.get_extra_info("peername") or ("",))[0])
            counts[self._address] += 1
            if counts[self._address] > most_per_address:
                transport.close()
                return
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
            counts[self._address] -= 1
            if not counts[self._address]:
                del counts[self._address]
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
