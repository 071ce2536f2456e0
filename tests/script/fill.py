"""The puts of a `fill` command. Values come from Java's random generator, as in the oracle."""

from __future__ import annotations

from collections.abc import Iterator

from tests.script.commands import Fill, Put

SEED = 42
_MULTIPLIER = 0x5DEECE66D
_MASK = (1 << 48) - 1


class JavaRandom:
    """The part of java.util.Random that fills bytes."""

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def next_bytes(self, count: int) -> bytes:
        """`count` bytes, taken four at a time, lowest byte first."""
        data = b""
        while len(data) < count:
            self._state = (self._state * _MULTIPLIER + 0xB) & _MASK
            data += (self._state >> 16).to_bytes(4, "little")
        return data[:count]


def puts_of(fill: Fill) -> Iterator[Put]:
    """One put per row, stamped with the clock."""
    random = JavaRandom(SEED)
    for number in range(fill.count):
        row = f"{fill.prefix}{number:06}".encode()
        yield Put(row, fill.column, None, random.next_bytes(fill.value_bytes))
