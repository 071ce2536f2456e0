"""Position of a row key between the first and the last key seen: a number from 0 to 1.

The different bytes that follow a prefix share its interval equally. Among keys ``user0000`` to ``user9999``, each digit
gets a tenth of the interval of the digits before it. Bytes that are equal in all keys take no share. A key unlike all
others takes one share at the byte where it first differs; its later bytes have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

_MOST_BYTES = 40
_FINEST = 2.0**-40


class Places:
    """The order of some rows, as numbers.

    >>> places = Places([b"user00", b"user49", b"user99", b"user50"])
    >>> [places.of(row) for row in (b"user00", b"user49", b"user50", b"user99")]
    [0.0, 0.25, 0.5, 0.75]
    """

    def __init__(self, rows: Iterable[bytes]) -> None:
        self._places: dict[bytes, float] = {}
        self._share(sorted(set(rows)), 0, 0.0, 1.0)

    def of(self, row: bytes) -> float:
        """The position of one of the rows."""
        return self._places[row]

    def _share(self, rows: Sequence[bytes], at: int, start: float, width: float) -> None:
        """Divide an interval among sorted rows that agree before byte ``at``."""
        groups = [rows]
        while len(groups) == 1 and len(rows) > 1 and at < _MOST_BYTES:
            groups = list(_by_byte(rows, at))
            at += 1
        if len(groups) == 1 or width < _FINEST:
            self._places.update(dict.fromkeys(rows, min(start, 1 - 2**-53)))
            return
        part = width / len(groups)
        for number, group in enumerate(groups):
            self._share(group, at, start + number * part, part)


def _by_byte(rows: Sequence[bytes], at: int) -> Iterator[Sequence[bytes]]:
    """Group sorted rows by their byte at ``at``. A row that ends before that byte comes first."""
    first = 0
    for place in range(1, len(rows) + 1):
        if place == len(rows) or rows[place][at : at + 1] != rows[first][at : at + 1]:
            yield rows[first:place]
            first = place
