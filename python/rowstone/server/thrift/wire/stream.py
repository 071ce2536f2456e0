"""Bytes of a connection. Waits without limit between two messages, and with time limits within one."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

from rowstone.server.http.limits import Limits
from rowstone.server.thrift.codec.types import Closed, Malformed

_READ_AHEAD_BYTES = 64 * 1024
_MOST_AT_ONCE_BYTES = 1024 * 1024
_BYTES_PER_SECOND = Limits.body_bytes_per_second
_MESSAGE_SECONDS = Limits.body_seconds


class Stream:
    """A socket with time limits: the same for messages as for the bodies of HTTP requests.

    Each piece of a message must follow within ``patience_s``. After that time the message must reach an average rate,
    and it must be complete within ten minutes. A response must be read at the same rate.
    """

    def __init__(
        self, connection: socket.socket, patience_s: float, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._connection = connection
        self._patience_s = patience_s
        self._clock = clock
        self._began: float | None = None
        self._received_bytes = 0

    def first(self) -> bytes:
        """The first bytes of a message, without a timeout. Raises `Closed`."""
        self._connection.settimeout(self._patience_s)
        while True:
            try:
                got = self._connection.recv(_READ_AHEAD_BYTES)
            except TimeoutError:
                continue
            if not got:
                raise Closed
            self._began, self._received_bytes = self._clock(), len(got)
            return got

    def more(self, needed: int) -> bytes:
        """The next bytes of a message; none if the other end has closed the connection."""
        now = self._clock()
        if self._began is None:
            # The first part of the message arrived with the one before.
            self._began, self._received_bytes = now, 0
        allowed_s = min(self._patience_s + self._received_bytes / _BYTES_PER_SECOND, _MESSAGE_SECONDS)
        left_s = min(self._began + allowed_s - now, self._patience_s)
        if left_s <= 0:
            raise Malformed("the message arrives too slowly")
        self._connection.settimeout(left_s)
        try:
            got = self._connection.recv(min(max(needed, _READ_AHEAD_BYTES), _MOST_AT_ONCE_BYTES))
        except TimeoutError:
            raise Malformed("the message stalled, or arrives too slowly") from None
        self._received_bytes += len(got)
        return got

    def send(self, *parts: bytes) -> None:
        """Send all of the parts. The next message begins after that."""
        response = b"".join(parts)
        self._connection.settimeout(self._patience_s + len(response) / _BYTES_PER_SECOND)
        self._connection.sendall(response)
        self._began = None
