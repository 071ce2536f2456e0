"""Definition of an index: the value that it sorts rows by, and its form in the table descriptor."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from rowstone import _native
from rowstone._base.options.words import IndexStrategy
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.codecs import codec as codec_of
from rowstone.errors import InvalidArgument, InvalidType

_log = logging.getLogger("rowstone")
_warned: set[tuple[str, str]] = set()
"""Tables and names of indexes that have logged a warning about a value."""
_SHOWN_BYTES = 20
CREATION_LOCK = threading.RLock()
"""Held while an index table and the definition that names it are created or dropped together. An observer that runs
meanwhile may create an index too, so the lock is reentrant."""
PREFIX = "index$"
INDEX_OF = "INDEX_OF"
"""Attribute of an index table: the name of the indexed table."""
STRATEGIES: tuple[IndexStrategy, ...] = get_args(IndexStrategy)
BUCKETS = {"minute": 60_000, "hour": 3_600_000, "day": 86_400_000}
_SIGNED = {"int8", "int16", "int32", "int64", "datetime"}
_PLAIN = {"bytes", "text", "uint8", "uint16", "uint32", "uint64"}


@dataclass(frozen=True)
class KeyPart:
    """Part of the row key: ``length`` bytes from offset ``start``, or all bytes to the end of the key.

    A negative ``start`` counts from the end of the key.

    Example:
        >>> KeyPart(-8).of(b"ann" + bytes(7) + b"!")
        b'\\x00\\x00\\x00\\x00\\x00\\x00\\x00!'
    """

    start: int
    length: int | None = None

    def __post_init__(self) -> None:
        for name, number in (("start", self.start), ("length", self.length)):
            if isinstance(number, bool) or not isinstance(number, int | None) or (name == "start" and number is None):
                raise InvalidType(f"{name} of a KeyPart must be an int, not {type(number).__name__}")
        if self.length is not None and self.length < 1:
            raise InvalidArgument(f"length of a KeyPart must be 1 or more, not {self.length}")
        if self.length is not None and self.length > -self.start > 0:
            raise InvalidArgument(
                f"a KeyPart of {self.length} bytes from {self.start} on extends past the end of the key"
            )

    def of(self, row: bytes) -> bytes | None:
        """Return the bytes, or None if the key is too short."""
        begin = self.start if self.start >= 0 else len(row) + self.start
        end = len(row) if self.length is None else begin + self.length
        return row[begin:end] if 0 <= begin < end <= len(row) else None


@dataclass(frozen=True)
class Definition:
    """An index as stored in the attribute ``index$NAME`` of its table.

    Attributes:
        table: The indexed table. In a clone it still names the original until `Index.rebuild`.
        on: A column, or a part of the row key.
        codec: The codec of the values, which determines their order.
        index_table: The table that stores the entries; None for the strategy ``"filter"``.
        by: Bucket width of a summary.
        sums: The column that a summary adds up, as ``int64``.
        expires: Whether entries have the timestamps of their values, and expire with them.
        is_built: Whether queries may use it.
    """

    name: str
    table: str
    on: bytes | KeyPart
    strategy: IndexStrategy
    codec: str = "bytes"
    index_table: str | None = None
    by: int | None = None
    sums: bytes | None = None
    expires: bool = False
    is_built: bool = False

    @property
    def key(self) -> str:
        """The name of the attribute."""
        return PREFIX + self.name

    @property
    def columns(self) -> list[bytes] | None:
        """The columns that determine a row's value; None if any cell does."""
        if not isinstance(self.on, bytes):
            return None
        return [self.on] if self.sums is None else [self.on, self.sums]

    @property
    def place(self) -> str:
        """The indexed column or key part, in readable form."""
        return f"column '{printable(self.on)}'" if isinstance(self.on, bytes) else f"{self.on}"

    def built(self, is_built: bool = True) -> Definition:
        """Return a copy that is marked as built, or as not built."""
        return replace(self, is_built=is_built)

    def of_table(self, table: str) -> Definition:
        """Return the definition for a copy of the table: with its own table of entries, and not built."""
        index_table = None if self.strategy == "filter" else f"{table}_{self.name}"
        return replace(self, table=table, index_table=index_table, is_built=False)

    def value_of(self, row: bytes, cells: Iterable[_native.Cell]) -> tuple[bytes, int] | None:
        """Return the indexed value of a row and the timestamp of its newest cell; None if it has none."""
        found = self._raw_value_of(row, cells)
        if found is None:
            return None
        ordered = self.ordered(found[0])
        if ordered is None:
            self._warn_of(row, found[0])
            return None
        return ordered, found[1]

    def _warn_of(self, row: bytes, value: bytes) -> None:
        """Log the index's first value that the codec cannot decode."""
        if (self.table, self.name) in _warned:
            return
        _warned.add((self.table, self.name))
        _log.warning(
            "index '%s' of table '%s': row '%s' has '%s', which is not %s: no query finds such rows, and "
            "verify().unreadable_count counts them",
            self.name,
            self.table,
            printable(row, _SHOWN_BYTES),
            printable(value, _SHOWN_BYTES),
            self.codec,
        )

    def is_unreadable(self, row: bytes, cells: Iterable[_native.Cell]) -> bool:
        """Whether the codec cannot decode the row's value, so that the row is not in the index."""
        found = self._raw_value_of(row, cells)
        return found is not None and self.ordered(found[0]) is None

    def _raw_value_of(self, row: bytes, cells: Iterable[_native.Cell]) -> tuple[bytes, int] | None:
        newest = None
        for cell in cells:
            if isinstance(self.on, KeyPart):
                if newest is None or cell.timestamp > newest:
                    newest = cell.timestamp
            elif cell.column == self.on:
                return cell.value, cell.timestamp
        part = self.on.of(row) if isinstance(self.on, KeyPart) and newest is not None else None
        return None if part is None or newest is None else (part, newest)

    def ordered(self, value: bytes) -> bytes | None:
        """Return bytes that sort as the value does; None if the codec cannot decode the value."""
        if self.codec in _PLAIN and not self.codec.startswith("uint"):
            return value
        if len(value) != _width(self.codec):
            return None
        if self.codec in _SIGNED:
            return bytes([value[0] ^ 0x80]) + value[1:]
        if self.codec.startswith("float"):
            if value[0] == 0x80 and not any(value[1:]):
                # -0.0 equals 0.0.
                value = bytes(len(value))
            return bytes(byte ^ 0xFF for byte in value) if value[0] & 0x80 else bytes([value[0] ^ 0x80]) + value[1:]
        return value

    def encoded(self, value: Any) -> bytes:
        """Return the sortable bytes of a value of the codec. Raises `InvalidArgument`."""
        raw = as_bytes(value) if self.codec == "bytes" else codec_of(self.codec).encode(value)
        ordered = self.ordered(raw)
        if ordered is None:
            raise InvalidArgument(f"index '{self.name}': {value!r} is not a valid {self.codec} value")
        return ordered

    def number(self, ordered: bytes) -> int:
        """Return the number encoded in sortable bytes, for buckets. Bytes after it, as of a bound, do not count."""
        width = _width(self.codec)
        number = int.from_bytes(ordered[:width], "big")
        return number - (1 << (8 * width - 1)) if self.codec in _SIGNED else number

    def text(self) -> str:
        """Return the value of the attribute."""
        on: Any = [self.on.start, self.on.length] if isinstance(self.on, KeyPart) else _latin(self.on)
        parts: dict[str, Any] = {"table": self.table, "on": on, "strategy": self.strategy, "codec": self.codec}
        parts |= {"index_table": self.index_table, "by": self.by, "built": self.is_built, "expires": self.expires}
        parts["sums"] = None if self.sums is None else _latin(self.sums)
        return json.dumps(parts, separators=(",", ":"), sort_keys=True)

    @staticmethod
    def parse(key: str, text: str) -> Definition:
        """Parse an attribute. Raises `InvalidArgument` if it is not an index."""
        try:
            parts: Mapping[str, Any] = json.loads(text)
            on = KeyPart(*parts["on"]) if isinstance(parts["on"], list) else parts["on"].encode("latin-1")
            sums = parts["sums"].encode("latin-1") if parts["sums"] is not None else None
            return Definition(
                key[len(PREFIX) :],
                parts["table"],
                on,
                parts["strategy"],
                codec=parts["codec"],
                index_table=parts["index_table"],
                by=parts["by"],
                sums=sums,
                expires=bool(parts["expires"]),
                is_built=bool(parts["built"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InvalidArgument(f"{key} => '{text}' is not an index definition: {error}") from error


def definitions_of(attributes: Mapping[str, str]) -> list[Definition]:
    """Return the indexes of a descriptor, sorted by name. Raises `InvalidArgument`."""
    return [Definition.parse(key, text) for key, text in sorted(attributes.items()) if key.startswith(PREFIX)]


def _latin(column: bytes) -> str:
    return column.decode("latin-1")


def _width(codec: str) -> int:
    if codec == "datetime":
        return 8
    return int("".join(one for one in codec if one.isdigit())) // 8


def definition_of(
    name: str,
    table: str,
    on: str | bytes | KeyPart,
    strategy: IndexStrategy,
    codec: str,
    by: int | str | None,
    sums: str | bytes | None,
) -> Definition:
    """Create a definition from the caller's arguments. Raises `InvalidArgument`."""
    for argument, text in (("name", name), ("strategy", strategy), ("codec", codec)):
        if not isinstance(text, str):
            raise InvalidType(f"{argument} of an index must be a str, not {type(text).__name__}")
    if strategy not in STRATEGIES:
        raise InvalidArgument(f"strategy '{strategy}' is unknown; there are: {', '.join(STRATEGIES)}")
    if not name or not all(one.isalnum() or one in "_.-" for one in name):
        raise InvalidArgument(f"index name '{name}' must be of letters, digits, '_', '.' and '-', and not empty")
    known = {*_PLAIN, *_SIGNED, "float32", "float64"}
    if codec not in known:
        raise InvalidArgument(f"codec '{codec}' has no sortable encoding; use one of: {', '.join(sorted(known))}")
    column = on if isinstance(on, KeyPart) else as_bytes(on, "on")
    if isinstance(column, bytes) and b":" not in column:
        raise InvalidArgument(
            f"index '{name}': '{printable(column)}' is a family; an index is on family:qualifier or a KeyPart"
        )
    if (strategy == "summary") != (by is not None):
        raise InvalidArgument("strategy='summary' requires by=, and no other strategy accepts it")
    if sums is not None and strategy != "summary":
        raise InvalidArgument("sums= is only accepted with strategy='summary'")
    width = None if by is None else _bucket_width(by, codec)
    summed = None if sums is None else as_bytes(sums, "sums")
    if summed is not None and b":" not in summed:
        raise InvalidArgument(f"sums='{printable(summed)}' is a family; give a column of int64, family:qualifier")
    return Definition(name, table, column, strategy, codec=codec, by=width, sums=summed)


def _bucket_width(by: int | str, codec: str) -> int:
    """Return the bucket width of a summary. Raises `InvalidArgument`."""
    width = BUCKETS.get(by) if isinstance(by, str) else by
    if isinstance(width, bool) or not isinstance(width, int | None):
        raise InvalidType(f"by must be an int, or one of {', '.join(BUCKETS)}, not {type(by).__name__}")
    if width is None or width < 1:
        raise InvalidArgument(f"by='{by}' is invalid: give a positive number, or one of {', '.join(BUCKETS)}")
    if codec in ("bytes", "text") or codec.startswith("float"):
        raise InvalidArgument(f"a summary needs a codec of whole numbers, not '{codec}'")
    if codec == "uint64" and width == 1:
        raise InvalidArgument("by=1 has more buckets of uint64 values than a summary can number: give 2 or more")
    return width
