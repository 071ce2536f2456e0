"""Where a row key stands between the first and the last that were seen: a number from 0 to 1.

Bytes count by what was seen at their place: of keys ``user0000`` to ``user9999`` the digits, each for a tenth of what
the one before it leaves. What is the same in all keys counts nothing, and so do bytes that never come.
"""

from __future__ import annotations

from collections.abc import Iterable

_MOST_BYTES = 40
_FINEST = 1 << 40


class Places:
    """The order of some rows, as numbers.

    >>> places = Places([b"user00", b"user49", b"user99", b"user50"])
    >>> [round(places.of(row), 2) for row in (b"user00", b"user49", b"user99")]
    [0.0, 0.38, 0.88]
    """

    def __init__(self, rows: Iterable[bytes]) -> None:
        known = set(rows)
        # By place the bytes that come there, with their rank; -1 is the end of a key.
        self._ranks: list[dict[int, int]] = []
        steps = 1
        for place in range(_MOST_BYTES):
            found = sorted({row[place] if place < len(row) else -1 for row in known})
            self._ranks.append({byte: rank for rank, byte in enumerate(found)})
            steps *= max(len(found), 1)
            if steps > _FINEST or found in ([], [-1]):
                break

    def of(self, row: bytes) -> float:
        """The place of one of the rows."""
        place, width = 0.0, 1.0
        for at, ranks in enumerate(self._ranks):
            width /= len(ranks)
            place += width * ranks[row[at] if at < len(row) else -1]
        return min(place, 1 - 2**-53)
