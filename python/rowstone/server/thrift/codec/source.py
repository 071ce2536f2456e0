"""Bytes of a message: a buffer, and the function that fetches more.

No declared length is trusted: memory grows with the received bytes. A message's budget is set when it begins; each
fetched byte and each element of a container reduces it.
"""

from __future__ import annotations

from collections.abc import Callable

from rowstone.server.thrift.codec.types import ELEMENT_BYTES, Malformed

Receive = Callable[[int], bytes]
"""Waits for more bytes, given the number needed. Returns at least one, maybe more than needed; none at the end."""


class Source:
    """A position in bytes. ``receive`` fetches more; without it the buffer is all."""

    __slots__ = ("_receive", "_room", "at", "data")

    def __init__(self, data: bytes, most_bytes: int, receive: Receive | None = None) -> None:
        self.data = data
        self.at = 0
        self._room = most_bytes
        self._receive = receive

    def begin(self, most_bytes: int) -> None:
        """Start a new message here."""
        self._room = most_bytes

    def take(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        at = self.at
        end = at + count
        if count < 0 or end > len(self.data):
            return self._take_more(count)
        self.at = end
        return self.data[at:end]

    def byte(self) -> int:
        """The next byte, as a number."""
        at = self.at
        if at >= len(self.data):
            return self._take_more(1)[0]
        self.at = at + 1
        return self.data[at]

    def elements(self, count: int) -> int:
        """Return ``count`` if the budget allows that many container elements."""
        if count < 0 or count * ELEMENT_BYTES > self._room:
            raise Malformed(f"a container of {count} elements is beyond the limit of the message")
        self._room -= count * ELEMENT_BYTES
        return count

    def peek(self, count: int) -> bytes:
        """The next ``count`` bytes, without consuming them."""
        found = self.take(count)
        self.at -= count
        return found

    def _take_more(self, count: int) -> bytes:
        if count < 0:
            raise Malformed(f"a length is {count}")
        parts = [self.data[self.at :]]
        missing = count - len(parts[0])
        if missing > self._room:
            raise Malformed(f"{count} bytes are beyond the limit of the message")
        while missing > 0:
            got = b"" if self._receive is None else self._receive(missing)
            if not got:
                raise Malformed("the message ends too early")
            parts.append(got)
            missing -= len(got)
            self._room -= len(got)
        self.data = b"".join(parts)
        self.at = count
        return self.data[:count]
