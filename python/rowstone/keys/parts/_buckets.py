"""Buckets: a byte in front of a key that spreads writes over several regions; reads then query each bucket.

Source of the idea and of the names: Sematext's HBaseWD, and the chapter on row keys in HBase's reference guide.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rowstone.errors import InvalidArgument
from rowstone.keys.parts._hashes import md5_key, murmur3, names_of, of_text
from rowstone.keys.parts._part import Derived, Part

MOST_BUCKETS = 65536


def _hbasewd(data: bytes) -> int:
    """The absolute value of Java's ``Arrays.hashCode``. (For -2**31, HBaseWD itself may return a negative bucket.)"""
    state = 1
    for byte in data:
        state = (31 * state + (byte ^ 0x80) - 0x80) & 0xFFFFFFFF
    return state if state < 1 << 31 else (1 << 32) - state


SaltHash = Literal["murmur", "md5", "hbasewd"]

SALTS: Mapping[SaltHash, Callable[[bytes], int]] = {
    "murmur": murmur3,
    "md5": lambda data: int.from_bytes(md5_key(data)[:8], "big"),
    "hbasewd": _hbasewd,
}
"""Hash functions that select a bucket, by name."""


class Bucket(Derived):
    """A bucket number in front of a key."""

    count: int

    @property
    def width(self) -> int:  # type: ignore[override]
        """One byte for up to 256 buckets, otherwise two."""
        return 1 if self.count <= 256 else 2

    def prefix(self, number: int) -> bytes:
        """The bytes of a bucket."""
        return number.to_bytes(self.width, "big")

    def all(self) -> list[bytes]:
        """The bytes of every bucket."""
        return [self.prefix(number) for number in range(self.count)]

    @property
    def is_rebuilt(self) -> bool:
        """Whether the bucket can be computed from the key's values."""
        return True


@dataclass(frozen=True, repr=False)
class Salt(Bucket):
    """A bucket by hash. See `salt`."""

    count: int
    hash: SaltHash
    of: tuple[str, ...] | None

    def derive(self, data: bytes, values: tuple[Any, ...]) -> bytes:
        """Return the bucket of these bytes."""
        return self.prefix(SALTS[self.hash](data) % self.count)

    def __repr__(self) -> str:
        hashed = "" if self.hash == "murmur" else f", hash={self.hash!r}"
        return f"salt({self.count}{of_text(self.of)}{hashed})"


def salt(count: int, *, of: str | list[str] | tuple[str, ...] | None = None, hash: SaltHash = "murmur") -> Part:
    """A bucket computed from the key: its hash, modulo ``count``. Put it first.

    Writes of neighboring keys go to ``count`` regions. A get still reads one bucket. A scan reads all buckets, unless
    it is given the parts that are hashed (see ``of``).

    Args:
        of: The parts to hash; by default everything after the salt.
        hash: ``"murmur"``, ``"md5"``, or ``"hbasewd"`` for keys of HBaseWD's ``OneByteSimpleHash``.
    """
    if hash not in SALTS:
        raise InvalidArgument(f"salt hash {hash!r} is unknown; there are: {', '.join(SALTS)}")
    return _checked(Salt(count, hash, names_of(of)))


@dataclass(frozen=True, repr=False)
class Modulo(Bucket):
    """A bucket by remainder. See `bucket`."""

    count: int
    of: tuple[str, ...]

    def derive(self, data: bytes, values: tuple[Any, ...]) -> bytes:
        """Return the remainder of the number."""
        if isinstance(values[0], bool) or not isinstance(values[0], int):
            self.wrong(f"a remainder needs an int, not {type(values[0]).__name__}; salt takes anything")
        return self.prefix(values[0] % self.count)

    def __repr__(self) -> str:
        return f"bucket({self.count}, of={self.of[0]!r})"


def bucket(count: int, *, of: str) -> Part:
    """A bucket by the remainder of a number: ``at % count``, as the reference guide suggests for time series."""
    return _checked(Modulo(count, (of,)))


@dataclass(frozen=True, repr=False, eq=False)
class RoundRobin(Bucket):
    """Alternating buckets. See `round_robin`."""

    count: int
    turns: Iterator[int] = field(default_factory=itertools.count, compare=False)
    of = None

    @property
    def is_rebuilt(self) -> bool:
        """No: a lookup has to try every bucket."""
        return False

    def derive(self, data: bytes, values: tuple[Any, ...]) -> bytes:
        """Return the next bucket."""
        return self.prefix(next(self.turns) % self.count)

    def __repr__(self) -> str:
        return f"round_robin({self.count})"


def round_robin(count: int, *, first: int | None = None) -> Part:
    """Buckets one after the other: writes are spread evenly, and a get has to query every bucket.

    For rows that are written once: writing the same values again creates a second row. ``first`` is the first bucket;
    by default a random one, so that writers that start together do not use the same bucket.
    """
    begin = secrets.randbelow(max(count, 1)) if first is None else first
    return _checked(RoundRobin(count, itertools.count(begin)))


def _checked(part: Bucket) -> Part:
    if not isinstance(part.count, int) or not 1 <= part.count <= MOST_BUCKETS:
        part.wrong(f"there are 1 to {MOST_BUCKETS} buckets")
    return part
