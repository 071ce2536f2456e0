"""A cell, and the order cells have in a store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

TTL_TAG = 8
FOREVER_AGO = -(1 << 70)


class Kind(IntEnum):
    """Type of a cell; the number decides the order of cells with the same column and timestamp."""

    PUT = 4
    DELETE = 8
    DELETE_FAMILY_VERSION = 10
    DELETE_COLUMN = 12
    DELETE_FAMILY = 14


FAMILY_MARKERS = (Kind.DELETE_FAMILY, Kind.DELETE_FAMILY_VERSION)


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One version of one column, or a marker. Compared by identity: contents may repeat."""

    row: bytes
    family: bytes
    qualifier: bytes
    timestamp: int
    kind: Kind
    sequence: int
    """The place of its write in the order of all writes."""
    value: bytes = b""
    tags: tuple[tuple[int, bytes], ...] = ()

    @property
    def is_put(self) -> bool:
        return self.kind == Kind.PUT

    @property
    def order(self) -> tuple[bytes, bytes, bytes, int, int, int]:
        """Row, family, qualifier; then newest, markers before puts, latest write first."""
        newest = (-self.timestamp, -self.kind, -self.sequence)
        return (self.row, self.family, self.qualifier, *newest)

    def outlived(self, now: int) -> bool:
        """Whether its own time to live, a tag, is over: strictly after timestamp + ttl."""
        for kind, value in self.tags:
            if kind == TTL_TAG:
                return self.timestamp + int.from_bytes(value, "big", signed=True) < now
        return False


def ttl_tag(ttl_ms: int) -> tuple[int, bytes]:
    """The tag that carries a cell's own time to live."""
    return TTL_TAG, ttl_ms.to_bytes(8, "big", signed=True)


def in_order(cells: Iterable[Cell]) -> list[Cell]:
    """Cells as a store keeps them."""
    return sorted(cells, key=lambda cell: cell.order)
