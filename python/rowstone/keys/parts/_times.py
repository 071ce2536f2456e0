"""Times in milliseconds, oldest first or newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rowstone import _native
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.keys.parts._part import Order, Part

LAST = 2**63 - 1
"""``Long.MAX_VALUE`` of Java."""


def milliseconds(moment: int | datetime) -> int:
    """Convert a time to milliseconds. Raises `InvalidArgument` if it cannot be a timestamp."""
    if isinstance(moment, datetime):
        if moment.utcoffset() is None:
            raise InvalidArgument(f"datetime {moment} has no time zone; pass an aware one, or milliseconds")
        moment = _native.epoch_ms(moment)
    elif isinstance(moment, bool) or not isinstance(moment, int):
        raise InvalidType(f"a time is milliseconds or an aware datetime, not {type(moment).__name__}")
    if not 0 <= moment <= LAST:
        raise InvalidArgument(f"time {moment} is not between 0 and {LAST}")
    return moment


def reverse_timestamp(moment: int | datetime) -> bytes:
    """Return eight bytes that sort newest first: ``Long.MAX_VALUE`` minus the time. Its own inverse on the numbers.

    >>> reverse_timestamp(0).hex()
    '7fffffffffffffff'
    """
    return (LAST - milliseconds(moment)).to_bytes(8, "big")


@dataclass(frozen=True, repr=False)
class Time(Part):
    """A point in time. See `time` and `reverse_time`."""

    name: str
    is_reverse: bool
    width: int = 8
    arrow_type = "int64"

    @property
    def order(self) -> Order:  # type: ignore[override]
        """Oldest first, or newest first."""
        return "descending" if self.is_reverse else "ascending"

    def encode(self, value: Any) -> bytes:
        try:
            return reverse_timestamp(value) if self.is_reverse else milliseconds(value).to_bytes(8, "big")
        except InvalidArgument as error:
            raise type(error)(f"{self!r}: {error}") from None

    def decode(self, data: bytes, start: int) -> tuple[int, int]:
        """Milliseconds."""
        number = int.from_bytes(self.take(data, start, 8), "big")
        if number > LAST:
            self.wrong(f"{number} is no time: more than {LAST}")
        return LAST - number if self.is_reverse else number, start + 8

    def from_text(self, text: str) -> int | datetime:
        """Milliseconds, or an ISO 8601 time, in UTC unless it names a time zone."""
        if text.isdigit():
            return int(text)
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def __repr__(self) -> str:
        return f"{'reverse_time' if self.is_reverse else 'time'}({self.name!r})"


def time(name: str) -> Part:
    """A point in time, oldest first: milliseconds (or an aware datetime) in 8 bytes, as ``Bytes.toBytes(long)``."""
    return Time(name, False)


def reverse_time(name: str) -> Part:
    """A point in time, newest first: ``Long.MAX_VALUE - milliseconds`` in 8 bytes.

    So the first row of a prefix is the newest. Ranges are given as times: ``(from, to)``, ``from`` included.
    """
    return Time(name, True)
