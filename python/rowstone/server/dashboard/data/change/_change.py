"""A change of a row that a form describes: put, increment or delete, and the cells that it touches."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._words import not_a
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._query import bytes_of, column_of
from rowstone.server.dashboard.data._reader import read_row
from rowstone.server.dashboard.data._values import value_of

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell
    from rowstone.codecs import Codecs

SCOPES = {"column": "the column", "version": "one version", "family": "the family", "row": "the row"}
"""What a delete covers."""


class Unconfirmed(InvalidArgument):
    """The stored data differ from those of the preview."""


@dataclass(frozen=True)
class Change:
    """One change of a row: ``kind`` is ``put``, ``increment`` or ``delete``."""

    kind: str
    key: bytes
    column: bytes
    value: bytes = b""
    amount: int = 0
    scope: str = "column"
    timestamp: int | None = None

    @property
    def columns(self) -> tuple[bytes, ...]:
        """The column or family that changes; empty for the whole row."""
        if self.kind != "delete" or self.scope not in ("row", "family"):
            return (self.column,)
        return (self.column.partition(b":")[0],) if self.scope == "family" else ()

    def stays_visible(self, cell: Cell, now_ms: int) -> bool:
        """Whether a visible version in the scope of a delete is newer than its marker, which has the current time."""
        return self.kind == "delete" and self.scope != "version" and cell.timestamp > now_ms

    def is_older(self, cell: Cell, now_ms: int) -> bool:
        """Whether a put is older than a version, which reads then still return."""
        return self.kind == "put" and cell.timestamp > (now_ms if self.timestamp is None else self.timestamp)

    def is_of_future(self, now_ms: int) -> bool:
        """Whether a put has a timestamp that the clock has not reached."""
        return self.kind == "put" and self.timestamp is not None and self.timestamp > now_ms

    def apply(self, source: Table) -> None:
        """Make the change."""
        if self.kind == "put":
            source.put(self.key, {self.column: self.value}, timestamp=self.timestamp)
        elif self.kind == "increment":
            source.increment(self.key, self.column, self.amount)
        elif self.scope == "version":
            source.delete(self.key, [self.column], version=self.timestamp if self.timestamp is not None else "latest")
        else:
            source.delete(self.key, list(self.columns) or None)

    def fields(self) -> dict[str, str]:
        """The fields of a form for exactly this change; bytes are ASCII text, because forms change other characters."""
        found = {"kind": self.kind, "key": printable(self.key), "column": printable(self.column), "scope": self.scope}
        found |= {"timestamp": "" if self.timestamp is None else str(self.timestamp)}
        return found | {"form": "hex", "value": self.value.hex(), "amount": str(self.amount)}

    def __str__(self) -> str:
        place = f"row={printable(self.key)!r} column={printable(self.column)!r}"
        if self.kind == "put":
            return f"put {place} bytes={len(self.value)} timestamp={self.timestamp}"
        if self.kind == "increment":
            return f"increment {place} amount={self.amount}"
        return f"delete {place} scope={self.scope} timestamp={self.timestamp}"


def change_of(form: Mapping[str, str], codecs: Codecs) -> Change:
    """The change that a form describes. Raises `InvalidArgument` if it is incomplete."""
    key, column = bytes_of(form.get("key", ""), "row key"), bytes_of(form.get("column", ""), "column")
    kind, scope, stamp = form.get("kind", ""), form.get("scope", "column"), form.get("timestamp", "").strip()
    if kind not in ("put", "increment", "delete") or scope not in SCOPES:
        raise InvalidArgument(f"change '{kind}' of '{scope}' is unknown")
    if not key:
        raise InvalidArgument("the row key is empty")
    if not column.partition(b":")[0] and not (kind == "delete" and scope == "row"):
        wanted = "the family" if kind == "delete" and scope == "family" else "family:qualifier"
        raise InvalidArgument(f"the column is empty: write {wanted}")
    if not (kind == "delete" and scope in ("family", "row")):
        column_of(form.get("column", ""))
    if kind == "delete" and stamp and scope != "version":
        raise InvalidArgument(
            f"timestamp {stamp[:20]} is only for a delete of one version: leave it empty for {SCOPES[scope]}"
        )
    value = value_of(form.get("value", ""), form.get("form", "text"), codecs.of(column)) if kind == "put" else b""
    amount = _number(form.get("amount", "1"), "amount") if kind == "increment" else 0
    timestamp = _timestamp(stamp) if stamp and kind != "increment" else None
    return Change(kind, key, column, value, amount, scope, timestamp)


def _timestamp(text: str) -> int:
    number = _number(text, "timestamp")
    if number < 0:
        raise InvalidArgument(
            f"timestamp {not_a(text, 'time', 'write milliseconds since 1970-01-01 UTC, such as 1700000000000')}"
        )
    return number


def _number(text: str, name: str) -> int:
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise InvalidArgument(f"{name} {not_a(text, 'whole number', 'write digits only, such as 5')}")
    return int(text)


@dataclass
class Touched:
    """Visible versions in the scope of a change. ``limit``: the limit that ended the search, or empty."""

    cells: list[Cell] = field(default_factory=list)
    limit: str = ""

    @property
    def state(self) -> str:
        """A hash of the versions, with their values."""
        found = hashlib.sha256()
        for cell in self.cells:
            for part in (cell.column, cell.type.encode(), cell.value):
                found.update(len(part).to_bytes(8, "big") + part)
            found.update(cell.timestamp.to_bytes(8, "big", signed=True))
        return found.hexdigest()


def _exact(column: bytes) -> bytes | tuple[bytes, bytes]:
    """A column as a pair: text with an empty qualifier would select the whole family."""
    family, colon, qualifier = column.partition(b":")
    return (family, qualifier) if colon else family


def find_touched(source: Table, change: Change, budget: Budget) -> Touched:
    """Visible versions in the scope of a change; of a put and an increment the newest."""
    found = Touched()
    is_one = change.kind != "delete" or (change.scope == "version" and change.timestamp is None)
    columns = [_exact(column) for column in change.columns]
    for cell in read_row(source, change.key, columns, budget, raw=False):
        if change.scope == "version" and change.timestamp not in (None, cell.timestamp):
            continue
        found.cells.append(cell)
        if is_one:
            return found
    found.limit = budget.spend(0)
    return found


def find_left(source: Table, change: Change, touched: Touched, budget: Budget) -> list[Cell] | None:
    """Versions that reads return after a delete of one version; None for other changes. An older version that was
    beyond VERSIONS can become visible."""
    family = source.schema.families.get(change.column.partition(b":")[0])
    if change.kind != "delete" or change.scope != "version" or not touched.cells:
        return None
    if family is None or family.new_version_behavior:
        return None
    stamp = touched.cells[0].timestamp
    found: list[Cell] = []
    for limits in ((stamp + 1, None), (None, stamp)):
        columns = [_exact(change.column)]
        found += read_row(source, change.key, columns, budget, raw=False, time_range=limits)
    return found[: family.max_versions or 1]
