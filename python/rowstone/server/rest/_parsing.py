"""Memory accounting while a body is parsed: a few bytes of a message can become many objects."""

from __future__ import annotations

from rowstone.server.http.limits import Share
from rowstone.server.rest import _answer
from rowstone.server.rest._failures import Refused

_STEP_BYTES = 64 << 10


class Parsing:
    """Memory of one parsed body, taken in steps from its request's share."""

    def __init__(self, share: Share, most_bytes: int) -> None:
        self._share = share
        self._most_bytes = most_bytes
        self._spent_bytes = 0
        self._taken_bytes = 0

    def spend(self, count: int) -> None:
        """Account for ``count`` bytes. Raises `Refused` (413) and `OverBudget`."""
        self._spent_bytes += count
        if self._spent_bytes > self._most_bytes:
            limit = f"a body may take {self._most_bytes} bytes when it is parsed"
            raise Refused(_answer.text(413, f"Content Too Large: {limit}; send it in parts"))
        more = self._spent_bytes - self._taken_bytes
        if more >= _STEP_BYTES:
            self._share.take(more)
            self._taken_bytes += more
