"""What a part of a row key is: a name, a codec, and what its bytes promise about order.

Invariants, on which prefixes and ranges rest:

* What `Part.encode` gives ends by itself: a fixed width, a terminator or a length. So no encoding is the beginning of
  another, and parts can follow each other. Only the last part of a key may do without (`Part.last`).
* The bytes of an ascending part sort as its values do, those of a descending one the other way round.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from rowstone.errors import InvalidArgument, InvalidType

Order = Literal["ascending", "descending", "none"]


class _Missing:
    """Stands for a value that was not given."""

    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()


@dataclass(frozen=True)
class StartsWith:
    """A condition: text or bytes that begin with ``start``. Made by `startswith`."""

    start: str | bytes


def startswith(start: str | bytes) -> StartsWith:
    """A condition for `Key.range` and `Key.ranges`: the part's value begins with ``start``."""
    return StartsWith(start)


class Part(ABC):
    """A part of a row key. Made by the functions of `rowstone.keys`, such as `rowstone.keys.text`."""

    name: str
    """What the part is called in `Key.encode` and its like; empty where the key makes the value itself."""

    width: int | None
    """Bytes that every value takes; None where that varies."""

    order: Order = "ascending"
    """How the bytes sort, compared with the values; "none" where they do not."""

    last_only: str = ""
    """What to use instead where another part follows; empty where one may."""

    @abstractmethod
    def encode(self, value: Any) -> bytes:
        """The bytes of a value, which end by themselves.

        Raises:
            InvalidArgument: The value is outside what the part takes. InvalidType: It is not of the part's type.
        """

    @abstractmethod
    def decode(self, data: bytes, start: int) -> tuple[Any, int]:
        """The value that begins at ``start``, and the place behind it.

        Raises:
            InvalidArgument: There is no such value.
        """

    @abstractmethod
    def __repr__(self) -> str:
        """The call that makes the part."""

    def sought(self, value: Any) -> bytes:
        """The bytes of a value that is looked for: as `encode`, but nothing new is made for it."""
        return self.encode(value)

    def default(self) -> Any:
        """The value where none is given, or `MISSING`."""
        return MISSING

    def from_text(self, text: str) -> Any:
        """The value that a text means, as in a file of samples.

        Raises:
            ValueError: The text means none.
        """
        return text

    def last(self) -> Part:
        """The part in a form for the end of a key, where nothing follows."""
        return self

    def open_prefix(self, start: str | bytes) -> bytes:
        """What the bytes of all values begin with that begin with ``start``."""
        raise InvalidArgument(f"{self!r} has no beginnings: startswith is for text and bytes")

    def span(self, low: Any, high: Any) -> tuple[bytes, bytes | None]:
        """Where the bytes of the values from ``low``, included, to ``high``, excluded, begin and end.

        None is an open end, of ``low``, of ``high`` and of the place that is returned.
        """
        if self.order == "none":
            raise InvalidArgument(f"{self!r} does not sort by value: it can be equal to something, not in a range")
        first = None if low is None else self.sought(low)
        stop = None if high is None else self.sought(high)
        if self.order == "descending":
            first, stop = (None if end is None else _behind(end, self) for end in (stop, first))
        if first is not None and stop is not None and first >= stop:
            raise InvalidArgument(f"{self!r}: {low!r} is not before {high!r}; a range ends before its second value")
        return first or b"", stop

    def wrong_type(self, value: Any, wanted: str) -> NoReturn:
        """Refuses a value of another type."""
        raise InvalidType(f"{self!r} takes {wanted}, not {type(value).__name__}")

    def wrong(self, message: str) -> NoReturn:
        """Refuses a value, or bytes."""
        raise InvalidArgument(f"{self!r}: {message}")

    def taken(self, data: bytes, start: int, count: int) -> bytes:
        """The next ``count`` bytes; refuses data that ends before."""
        piece = data[start : start + count]
        if len(piece) < count:
            self.wrong(f"{count} bytes are needed at {start}, and the key ends after {len(data)}")
        return piece


class Derived(Part):
    """A part that the key makes from other parts: a salt, or a hash. It has no value of its own.

    ``of`` names the parts that it is made from; None is everything behind it.
    """

    name = ""
    order: Order = "none"
    of: tuple[str, ...] | None

    @abstractmethod
    def derive(self, data: bytes, values: tuple[Any, ...]) -> bytes:
        """The bytes, from the bytes and the values of the parts that it is made from (no values for everything)."""

    def encode(self, value: Any) -> bytes:
        """Never called: there is no value."""
        self.wrong("the key makes this part itself")

    def decode(self, data: bytes, start: int) -> tuple[Any, int]:
        """The bytes."""
        assert self.width is not None
        return self.taken(data, start, self.width), start + self.width


def behind(prefix: bytes) -> bytes | None:
    r"""The first key behind all that begin with ``prefix``; None where there is none.

    >>> behind(b"a\xff"), behind(b"\xff")
    (b'b', None)
    """
    kept = prefix.rstrip(b"\xff")
    return kept[:-1] + bytes([kept[-1] + 1]) if kept else None


def _behind(end: bytes, part: Part) -> bytes:
    found = behind(end)
    if found is None:
        part.wrong("nothing sorts behind this end of the range: leave it open")
    return found
