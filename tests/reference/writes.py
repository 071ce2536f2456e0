"""From mutations to cells: timestamps, values and tags, as the state before the write decides.

Every function here only reads the region; nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tests.reference.cells import TTL_TAG, Cell, Kind, ttl_tag
from tests.reference.errors import HBaseError, do_not_retry, no_such_family
from tests.reference.visibility import FamilyRead
from tests.script import commands as c

MAX_ROW_BYTES = 32767
LONG_BYTES = 8

ReadFamily = Callable[[bytes, bytes, FamilyRead], list[Cell]]
"""(row, family, read) -> what a read sees now"""

MARKER_KINDS = {
    "row": Kind.DELETE_FAMILY,
    "family": Kind.DELETE_FAMILY,
    "family_version": Kind.DELETE_FAMILY_VERSION,
    "columns": Kind.DELETE_COLUMN,
    "column": Kind.DELETE,
}


@dataclass(frozen=True)
class Moment:
    """Time of a write, and the cells that are visible to it."""

    now: int
    sequence: int
    families: Sequence[bytes]
    read: ReadFamily


@dataclass(frozen=True)
class Prepared:
    """The cells a mutation writes, and those it reports (increment and append)."""

    cells: list[Cell]
    reported: list[Cell] | None = None


def check(mutation: c.Mutation) -> None:
    """Reject what HBase's client rejects before sending."""
    if not mutation.row:
        raise HBaseError("IllegalArgumentException", "Row length is 0")
    if len(mutation.row) > MAX_ROW_BYTES:
        message = f"Row length {len(mutation.row)} is > {MAX_ROW_BYTES}"
        raise HBaseError("IllegalArgumentException", message)
    if isinstance(mutation, c.Delete) and mutation.ttl_ms is not None:
        message = "Setting TTLs on Deletes is not supported"
        raise HBaseError("UnsupportedOperationException", message)


def check_row(mutation: c.Mutation, row: bytes, what: str, error: str) -> None:
    """A mutation of another row than the one it is to be done with."""
    if mutation.row != row:
        own, other = mutation.row.decode("latin-1"), row.decode("latin-1")
        message = f"The row {what} <{own}> doesn't match the original one <{other}>"
        raise HBaseError(error, message)


def check_families(mutation: c.Mutation, known: Sequence[bytes]) -> None:
    """NoSuchColumnFamilyException if the mutation names a family the table does not have."""
    for family in families_of(mutation):
        if family not in known:
            raise no_such_family(family)


def families_of(mutation: c.Mutation) -> list[bytes]:
    """The families a mutation names."""
    if isinstance(mutation, c.Put):
        return [mutation.column[0]]
    if isinstance(mutation, c.Delete):
        return [] if mutation.kind == "row" else [mutation.family]
    if isinstance(mutation, c.Increment):
        return [column[0] for column, _ in mutation.amounts]
    return [column[0] for column, _ in mutation.suffixes]


def prepare(mutation: c.Mutation, moment: Moment) -> Prepared:
    """The cells a mutation writes at this moment."""
    if isinstance(mutation, c.Put):
        return Prepared([_put(mutation, moment)])
    if isinstance(mutation, c.Delete):
        return Prepared(list(_markers(mutation, moment)))
    return _read_modify_write(mutation, moment)


def _put(put: c.Put, moment: Moment) -> Cell:
    timestamp = moment.now if put.timestamp is None else put.timestamp
    tags = () if put.ttl_ms is None else (ttl_tag(put.ttl_ms),)
    return Cell(put.row, *put.column, timestamp, Kind.PUT, moment.sequence, put.value, tags)


def _markers(delete: c.Delete, moment: Moment) -> Iterator[Cell]:
    kind = MARKER_KINDS[delete.kind]
    families = moment.families if delete.kind == "row" else [delete.family]
    qualifier = delete.qualifier if delete.kind in ("columns", "column") else b""
    for family in families:
        for timestamp in _marker_timestamps(delete, moment):
            yield Cell(delete.row, family, qualifier, timestamp, kind, moment.sequence)


def _marker_timestamps(delete: c.Delete, moment: Moment) -> list[int]:
    """One timestamp per marker. "The newest version" is looked up: the n-th marker of one Delete
    takes the n-th newest version, or the clock if there are not that many."""
    if delete.timestamp is not None:
        return [delete.timestamp]
    if delete.kind != "column":
        return [moment.now]
    stamps = []
    for number in range(1, delete.count + 1):
        read = FamilyRead(frozenset([delete.qualifier]), versions=number)
        found = moment.read(delete.row, delete.family, read)
        stamps.append(moment.now if len(found) < number else found[number - 1].timestamp)
    return stamps


def _read_modify_write(mutation: c.Increment | c.Append, moment: Moment) -> Prepared:
    """Each column computes from the state before: naming one twice does not add up."""
    operands: list[tuple[c.Column, int | bytes]] = sorted(
        mutation.amounts if isinstance(mutation, c.Increment) else mutation.suffixes,
        key=lambda pair: pair[0],
    )
    stored: list[Cell] = []
    reported: list[Cell] = []
    for (family, qualifier), operand in operands:
        read = FamilyRead(frozenset([qualifier]), time_range=mutation.time_range or (0, c.LATEST))
        found = moment.read(mutation.row, family, read)
        current = found[0] if found else None
        value = _new_value(current, operand)
        timestamp = moment.now if current is None else max(current.timestamp + 1, moment.now)
        tags = () if current is None else _with_ttl(current.tags, mutation.ttl_ms)
        cell = Cell(mutation.row, family, qualifier, timestamp, Kind.PUT, moment.sequence, value, tags)
        # The reported cell lacks the TTL tag if its column did not exist before.
        reported.append(cell)
        stored.append(replace(cell, tags=_with_ttl(tags, mutation.ttl_ms)))
    return Prepared(stored, reported)


def _new_value(current: Cell | None, operand: int | bytes) -> bytes:
    if isinstance(operand, bytes):
        return operand if current is None else current.value + operand
    if current is None:
        return _long_bytes(operand)
    if len(current.value) != LONG_BYTES:
        raise do_not_retry(f"Field is not a long, it's {len(current.value)} bytes wide")
    return _long_bytes(int.from_bytes(current.value, "big", signed=True) + operand)


def _long_bytes(number: int) -> bytes:
    """Eight bytes; what does not fit wraps around."""
    return (number & 0xFFFF_FFFF_FFFF_FFFF).to_bytes(LONG_BYTES, "big")


def _with_ttl(tags: tuple[tuple[int, bytes], ...], ttl_ms: int | None) -> tuple[tuple[int, bytes], ...]:
    """The operation's TTL replaces an inherited one, which otherwise stays."""
    if ttl_ms is None:
        return tags
    return (*(tag for tag in tags if tag[0] != TTL_TAG), ttl_tag(ttl_ms))
