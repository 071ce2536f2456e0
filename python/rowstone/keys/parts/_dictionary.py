r"""Numbers for names, kept in a table: long names become 8 bytes in row keys and can still be decoded.

The table has one family and rows of three kinds. ``t`` is the kind of the name, a number from 1 to 127, so that for
example hosts and events are numbered separately:

    00 t           next   counter: the last number assigned
    t name         id     8 bytes: the number of the name
    80|t number    name   the name of the number

A new number is drawn first, then its name is stored under the number, and last the number under the name unless that
has one by then. So every number that a reader finds has a name. A crash in between leaves an unused number.

Source: the lookup table ``LOG_TYPES`` of the chapter on row keys in HBase's reference guide.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, NotFoundError
from rowstone.keys.parts._part import Order, Part

if TYPE_CHECKING:
    from rowstone._core.table import Table

_CACHED = 100_000


class Dictionary:
    """Numbers from 1 on for names, the same in every process and after every restart.

    Args:
        table: The lookup table: a table of its own, in a directory or on a cluster.
        family: The family of that table.

    Example:
        >>> import rowstone as rs
        >>> from rowstone.keys import Dictionary, Key, substituted, time
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("LOG_TYPES", ["d"])
        ...     names = Dictionary(db.table("LOG_TYPES"), "d")
        ...     key = Key(substituted("host", names, 1), substituted("event", names, 2), time("at"))
        ...     row = key.encode(host="myserver1.mycompany.com", event="start", at=5)
        ...     print(len(row), key.decode(row))
        24 Values(host='myserver1.mycompany.com', event='start', at=5)
    """

    def __init__(self, table: Table, family: str | bytes) -> None:
        self._table = table
        self._family = family.encode() if isinstance(family, str) else family
        self._numbers: dict[tuple[int, bytes], int] = {}
        self._names: dict[tuple[int, int], bytes] = {}
        self._lock = threading.Lock()

    @property
    def table(self) -> Table:
        """The lookup table."""
        return self._table

    def number(self, kind: int, name: str | bytes) -> int:
        """Return the number of a name; assign a new one if it has none yet."""
        data = _checked(kind, name)
        try:
            return self.find(kind, data)
        except NotFoundError:
            return self._remember(kind, data, self._give(kind, data))

    def find(self, kind: int, name: str | bytes) -> int:
        """Return the number of a name.

        Raises:
            NotFoundError: The name has no number.
        """
        data = _checked(kind, name)
        known = self._numbers.get((kind, data))
        if known is not None:
            return known
        stored = self._table.get(bytes([kind]) + data, [(self._family, b"id")]).get((self._family, b"id"))
        if stored is None:
            raise NotFoundError(f"name {name!r} of kind {kind} has no number in table '{self._table.name}'")
        return self._remember(kind, data, int.from_bytes(stored, "big"))

    def name(self, kind: int, number: int) -> bytes:
        """Return the name of a number.

        Raises:
            NotFoundError: The number was not assigned.
        """
        known = self._names.get((kind, number))
        if known is not None:
            return known
        row = self._table.get(_row_of_number(kind, number), [(self._family, b"name")])
        name = row.get((self._family, b"name"))
        if name is None:
            raise NotFoundError(f"number {number} of kind {kind} has no name in table '{self._table.name}'")
        with self._lock:
            self._names[kind, number] = name
        return name

    def names(self, kind: int) -> Iterator[tuple[bytes, int]]:
        """Iterate over all names of a kind with their numbers, sorted by name."""
        _checked(kind, b"x")
        with self._table.scan(prefix=bytes([kind]), columns=[(self._family, b"id")]) as rows:
            for row in rows:
                yield row.key[1:], int.from_bytes(row[(self._family, b"id")], "big")

    def _give(self, kind: int, name: bytes) -> int:
        row, id_column = bytes([kind]) + name, (self._family, b"id")
        amounts = self._table.increment(bytes([0, kind]), [((self._family, b"next"), 1)])
        number = int.from_bytes(amounts[(self._family, b"next")], "big")
        self._table.put(_row_of_number(kind, number), [((self._family, b"name"), name)])
        put = _native.Put(row, [(id_column, number.to_bytes(8, "big"))])
        if self._table.check_and_mutate(row, id_column, "EQUAL", None, put).success:
            return number
        # Another writer was first: the number that was drawn stays unused.
        self._table.delete(_row_of_number(kind, number))
        return int.from_bytes(self._table.get(row)[id_column], "big")

    def _remember(self, kind: int, name: bytes, number: int) -> int:
        with self._lock:
            if len(self._numbers) >= _CACHED:
                self._numbers.clear()
                self._names.clear()
            self._numbers[kind, name] = number
            self._names[kind, number] = name
        return number

    def __repr__(self) -> str:
        return f"Dictionary({self._table!r}, '{printable(self._family)}')"


def _checked(kind: int, name: str | bytes) -> bytes:
    if not 1 <= kind <= 127:
        raise InvalidArgument(f"kind {kind} of a lookup table must be from 1 to 127")
    data = name.encode() if isinstance(name, str) else bytes(name)
    if not data:
        raise InvalidArgument("the empty name gets no number")
    return data


def _row_of_number(kind: int, number: int) -> bytes:
    return bytes([0x80 | kind]) + number.to_bytes(8, "big")


@dataclass(frozen=True, repr=False)
class Substituted(Part):
    """A number in place of a text. See `substituted`."""

    name: str
    dictionary: Dictionary
    kind: int
    width: int = 8
    order: Order = "none"

    def encode(self, value: Any) -> bytes:
        """Return the text's number; assign a new one if it has none yet."""
        return self.dictionary.number(self.kind, self._text(value)).to_bytes(8, "big")

    def sought(self, value: Any) -> bytes:
        """Return the text's number; `NotFoundError` if it has none."""
        return self.dictionary.find(self.kind, self._text(value)).to_bytes(8, "big")

    def _text(self, value: Any) -> str:
        return value if isinstance(value, str) else self.wrong_type(value, "str")

    def decode(self, data: bytes, start: int) -> tuple[str, int]:
        """Return the text of the number."""
        number = int.from_bytes(self.take(data, start, 8), "big")
        return self.dictionary.name(self.kind, number).decode(), start + 8

    def __repr__(self) -> str:
        return f"substituted({self.name!r}, {self.dictionary!r}, {self.kind})"


def substituted(name: str, dictionary: Dictionary, kind: int) -> Part:
    """A text stored as the 8 bytes of its number in a `Dictionary`, which assigns one on the first encoding.

    Numbers sort in the order of assignment, not as the texts do: there are no ranges over them. Looking up a text
    without a number raises `NotFoundError` and assigns none.
    """
    _checked(kind, "x")
    return Substituted(name, dictionary, kind)
