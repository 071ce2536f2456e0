"""Configuration of uvicorn for `http`. Imported with the first client: uvicorn is optional and slow to import."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from rowstone.server.http.bounds import Application
from rowstone.server.http.limits import Limits


def server_of(application: Application, tls: ssl.SSLContext | None, limits: Limits) -> uvicorn.Server:
    """Return a server of the application for a socket that already listens."""
    config = uvicorn.Config(
        application,
        http=_patient(limits),
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        # Malformed requests are reported to the client only.
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=limits.connections,
        # asyncio accepts that many connections before it serves or closes one.
        backlog=limits.connections,
        timeout_graceful_shutdown=limits.farewell_seconds,
        h11_max_incomplete_event_size=limits.head_bytes,
    )
    config.load()
    # uvicorn only takes file names; the files were already read when the port was opened.
    config.ssl = tls
    return uvicorn.Server(config)


def _patient(limits: Limits) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol with three additions: it closes connections whose client does not finish the head of a
    request in time or does not read the response, and those beyond the limits of connections.

    uvicorn itself closes connections that are idle between two requests, but not those that send nothing or only a
    part of a first head.
    """
    counts: Counter[str] = Counter()
    patience_seconds = limits.patience_seconds

    class Patient(H11Protocol):
        _timer: asyncio.TimerHandle | None = None
        _reading: asyncio.TimerHandle | None = None
        _address = ""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = str((transport.get_extra_info("peername") or ("",))[0])
            counts[self._address] += 1
            if counts[self._address] > limits.connections_per_address or counts.total() > limits.connections:
                transport.close()
                return
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            # The beginning of the next request may have arrived already.
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            counts[self._address] -= 1
            if not counts[self._address]:
                del counts[self._address]
            self._forget()
            self.resume_writing()

        def pause_writing(self) -> None:
            super().pause_writing()
            # The client has this long to read the buffered bytes, about 64 KiB. `close` would wait on.
            self._reading = self.loop.call_later(patience_seconds, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            if self._reading is not None:
                self._reading.cancel()
                self._reading = None

        def _watch(self) -> None:
            """Start the timer when a head begins. Further parts of the same head do not restart it."""
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
