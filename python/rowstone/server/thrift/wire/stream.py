"""Bytes of a connection. Waits without limit between two messages, and with a timeout within one."""

from __future__ import annotations

import socket

from rowstone.server.thrift.codec.types import Closed, Malformed

_READ_AHEAD_BYTES = 64 * 1024
_MOST_AT_ONCE_BYTES = 1024 * 1024


class Stream:
    """A socket. A message that stalls, or a response that is not read, ends it after ``patience_s``."""

    def __init__(self, connection: socket.socket, patience_s: float) -> None:
        connection.settimeout(patience_s)
        self._connection = connection

    def first(self) -> bytes:
        """The first bytes of a message, without a timeout. Raises `Closed`."""
        while True:
            try:
                got = self._connection.recv(_READ_AHEAD_BYTES)
            except TimeoutError:
                continue
            if not got:
                raise Closed
            return got

    def more(self, needed: int) -> bytes:
        """The next bytes of a message; none if the other end has closed the connection."""
        try:
            return self._connection.recv(min(max(needed, _READ_AHEAD_BYTES), _MOST_AT_ONCE_BYTES))
        except TimeoutError:
            raise Malformed("the message does not go on") from None

    def send(self, *parts: bytes) -> None:
        """Send all of the parts."""
        self._connection.sendall(b"".join(parts))
