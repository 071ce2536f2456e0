"""The base of all parts of a row key: a name, an encoding, and guarantees about the order of its bytes.

Invariants that prefixes and ranges depend on:

* The result of `Part.encode` is self-delimiting: it has a fixed width, a terminator or a length. So no encoding is a
  prefix of another, and parts can follow each other. Only the last part of a key may omit that (`Part.last`).
* The bytes of an ascending part sort as its values do, those of a descending one in reverse.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from rowstone.errors import InvalidArgument, InvalidType

Order = Literal["ascending", "descending", "none"]


class _Missing:
    """Marks a value that was not given."""

    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()


@dataclass(frozen=True)
class StartsWith:
    """A condition: text or bytes that begin with ``start``. Created by `startswith`."""

    start: str | bytes


def startswith(start: str | bytes) -> StartsWith:
    """A condition for `Key.range` and `Key.ranges`: the part's value begins with ``start``."""
    return StartsWith(start)


class Part(ABC):
    """A part of a row key. Created by the functions of `rowstone.keys`, such as `rowstone.keys.text`."""

    name: str
    """Name of the part in `Key.encode` and similar methods; empty if the key computes the value itself."""

    width: int | None
    """Encoded length of every value in bytes; None if it varies."""

    order: Order = "ascending"
    """Order of the bytes compared with the values; "none" if they do not sort."""

    arrow_type: str = "string"
    """Arrow's name for the type of the values in data frames; ``"string"`` shows them as text."""

    last_only: str = ""
    """The alternative to recommend if another part follows; empty if one may follow."""

    @abstractmethod
    def encode(self, value: Any) -> bytes:
        """Return the self-delimiting bytes of a value.

        Raises:
            InvalidArgument: The value is out of the part's range. InvalidType: It has the wrong type.
        """

    @abstractmethod
    def decode(self, data: bytes, start: int) -> tuple[Any, int]:
        """Return the value that begins at ``start``, and the position after it.

        Raises:
            InvalidArgument: There is no such value.
        """

    @abstractmethod
    def __repr__(self) -> str:
        """The call that creates the part."""

    def sought(self, value: Any) -> bytes:
        """Return the bytes of a value for a lookup: as `encode`, but without creating anything."""
        return self.encode(value)

    def default(self) -> Any:
        """Return the default value, or `MISSING`."""
        return MISSING

    def from_text(self, text: str) -> Any:
        """Parse a value from text, as in a file of samples.

        Raises:
            ValueError: The text is not a value.
        """
        return text

    def last(self) -> Part:
        """Return the form of the part for the end of a key, where nothing follows."""
        return self

    def open_prefix(self, start: str | bytes) -> bytes:
        """Return the common prefix of the bytes of all values that begin with ``start``."""
        raise InvalidArgument(f"{self!r} has no beginnings: startswith is for text and bytes")

    def span(self, low: Any, high: Any) -> tuple[bytes, bytes | None]:
        """Return the byte range of the values from ``low`` (included) to ``high`` (excluded).

        None stands for an open end, in the arguments and in the returned stop.
        """
        if self.order == "none":
            raise InvalidArgument(f"{self!r} does not sort by value: it can be equal to something, not in a range")
        first = None if low is None else self.sought(low)
        stop = None if high is None else self.sought(high)
        if self.order == "descending":
            # Behind the smallest value there is nothing: the range is open there.
            first, stop = None if stop is None else _behind(stop, self), None if first is None else behind(first)
        if first is not None and stop is not None and first >= stop:
            raise InvalidArgument(f"{self!r}: {low!r} is not before {high!r}; a range ends before its second value")
        return first or b"", stop

    def utf8(self, value: str | bytes) -> bytes:
        """Return bytes as they are, and text in UTF-8; raise if it has none."""
        try:
            return value.encode() if isinstance(value, str) else bytes(value)
        except UnicodeEncodeError:
            self.wrong(f"{value!r} has no UTF-8: a surrogate")

    def start_bytes(self, start: str | bytes) -> bytes:
        """Return what `startswith` gave, as bytes."""
        return (
            self.utf8(start) if isinstance(start, (str, bytes)) else self.wrong_type(start, "startswith(str or bytes)")
        )

    def start_text(self, start: str | bytes) -> str:
        """Return what `startswith` gave, as text."""
        try:
            return self.start_bytes(start).decode()
        except UnicodeDecodeError:
            self.wrong(f"the beginning {start!r} is not UTF-8")

    def wrong_type(self, value: Any, wanted: str) -> NoReturn:
        """Raise the error for a value of another type."""
        raise InvalidType(f"{self!r} takes {wanted}, not {type(value).__name__}")

    def wrong(self, message: str) -> NoReturn:
        """Raise the error for an invalid value or invalid bytes."""
        raise InvalidArgument(f"{self!r}: {message}")

    def take(self, data: bytes, start: int, count: int) -> bytes:
        """Return the next ``count`` bytes; raise if the data ends before."""
        piece = data[start : start + count]
        if len(piece) < count:
            self.wrong(f"{count} bytes are needed at {start}, and the key ends after {len(data)}")
        return piece


class Derived(Part):
    """A part that the key computes from other parts: a salt or a hash. It has no value of its own.

    ``of`` names the parts that it is computed from; None stands for everything after it.
    """

    name = ""
    order: Order = "none"
    of: tuple[str, ...] | None

    @abstractmethod
    def derive(self, data: bytes, values: tuple[Any, ...]) -> bytes:
        """Return the bytes, from the bytes and values of the source parts (without values if everything is hashed)."""

    def encode(self, value: Any) -> bytes:
        """Never called: there is no value."""
        self.wrong("the key makes this part itself")

    def decode(self, data: bytes, start: int) -> tuple[Any, int]:
        assert self.width is not None
        return self.take(data, start, self.width), start + self.width


def behind(prefix: bytes) -> bytes | None:
    r"""Return the first key after all keys that begin with ``prefix``; None if there is none.

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
