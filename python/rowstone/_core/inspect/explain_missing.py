"""Explanation of a missing value: delete markers, a TTL or newer versions hide it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rowstone._base.printable import printable
from rowstone._base.schema import Family, pair_of, ttl_text, whole_seconds
from rowstone._core.inspect.moments import stamp_text
from rowstone._core.table import Table
from rowstone._native import Cell
from rowstone.errors import AccessDenied
from rowstone.filters import ColumnRangeFilter, KeyOnlyFilter

PIECE_CELLS = 100
_NAMED = 3
"""Versions of one reason that are named; the others are counted."""
OF_FAMILY = ("DeleteFamily", "DeleteFamilyVersion")
OF_ONE_VERSION = ("Delete", "DeleteFamilyVersion")
"""The others hide all versions up to their timestamp, with it."""


@dataclass(frozen=True)
class Marker:
    """A delete marker of a column or of a family.

    ``Delete`` and ``DeleteFamilyVersion`` hide the version with this timestamp; ``DeleteColumn`` and ``DeleteFamily``
    also hide all earlier ones.
    """

    type: str
    timestamp: int

    def __str__(self) -> str:
        return f"{self.type} of {stamp_text(self.timestamp)}"


@dataclass(frozen=True)
class HiddenCell:
    """A stored version that no read returns.

    Attributes:
        markers: The delete markers that hide it.
        expired_after: The family's time to live, as HBase writes it, where that hides it; else None.
        is_ttl_known: Whether the reader may see the family's time to live. Without that, a cell without markers may
            have expired, too.
        exceeds: The family's VERSIONS, if that many newer versions are visible; else None.
    """

    timestamp: int
    value: bytes
    markers: tuple[Marker, ...]
    expired_after: str | None = None
    is_ttl_known: bool = True
    exceeds: int | None = None

    @property
    def same_millisecond(self) -> bool:
        """Whether a marker has the very timestamp of the put: it wins, also where the put came later."""
        return any(marker.timestamp == self.timestamp for marker in self.markers)

    def __str__(self) -> str:
        return f"the version of {stamp_text(self.timestamp)} {self.reason(1)}"

    def reason(self, count: int) -> str:
        """The predicate of a sentence about ``count`` versions that have this reason."""
        has, is_, it, its = ("has", "is", "it", "its") if count == 1 else ("have", "are", "they", "their")
        expired = "" if self.expired_after is None else f"{has} expired: the family's TTL is {self.expired_after}"
        newer = f"newer versions took {its} place"
        if self.markers:
            names = " and ".join(map(str, self.markers))
            same = ": of the same millisecond, in which the delete wins" if self.same_millisecond else ""
            return f"{is_} hidden by {names}{same}" + (f"; {it} {expired}" if expired else "")
        if self.exceeds is not None:
            return f"exceed{'s' * (count == 1)} VERSIONS = {self.exceeds}: {newer}"
        if not self.is_ttl_known:
            return f"{is_} not returned: {newer}, or {it} {has} expired"
        other = f"{its} own TTL has passed, or NEW_VERSION_BEHAVIOR counts deleted versions"
        return expired or f"{is_} not returned: {other}"


@dataclass(frozen=True)
class MissingExplanation:
    """Explanation why a column of a row has no value, or that it has one.

    Attributes:
        visible: Timestamps of the versions that a read gives, the newest first.
        hidden: Versions that are stored and no read gives, the newest first.
        markers: All that are stored for the column, the newest first. What they hide is dropped before they are.
    """

    table: str
    row: bytes
    column: bytes
    visible: tuple[int, ...]
    hidden: tuple[HiddenCell, ...]
    markers: tuple[Marker, ...]

    @property
    def is_missing(self) -> bool:
        """Whether a get gives nothing."""
        return not self.visible

    def __str__(self) -> str:
        row, column = printable(self.row), printable(self.column)
        lines: Iterable[object] = _lines(self.hidden)
        if self.visible:
            newest = stamp_text(self.visible[0])
            state = f"has {len(self.visible)} version{'s' * (len(self.visible) > 1)}, the newest of {newest}"
        elif self.hidden:
            state = "has no value"
        else:
            state = "has no value, and none is stored: never written, expired, or deleted and dropped since"
            lines = [f"{marker} is stored: it hides what is put at that time" for marker in self.markers]
        return "\n".join([f"{self.table}, row {row}, column {column} {state}", *(f"  {line}" for line in lines)])


def _lines(hidden: Iterable[HiddenCell]) -> Iterator[str]:
    """A line per reason; of many versions with one reason the first are named."""
    groups: dict[str, list[HiddenCell]] = {}
    for cell in hidden:
        groups.setdefault(cell.reason(2), []).append(cell)
    for reason, cells in groups.items():
        if len(cells) == 1:
            yield str(cells[0])
            continue
        names = ", ".join(stamp_text(cell.timestamp) for cell in cells[:_NAMED])
        more = f" and {len(cells) - _NAMED:,} more" if len(cells) > _NAMED else ""
        yield f"{len(cells):,} versions, of {names}{more}, {reason}"


def explain_missing(
    table: Table, row: bytes, column: bytes, spend: Callable[[int], None] = lambda _: None
) -> MissingExplanation:
    """See `Database.explain_missing`. ``spend`` gets the bytes that each piece has, and may raise."""
    family, qualifier = pair_of(column)
    puts: dict[int, Cell] = {}
    markers = []
    for cell in _stored(table, row, family, qualifier, spend):
        is_of_column = cell.qualifier == qualifier
        if cell.type == "Put" and is_of_column:
            # The first of a timestamp is the last that was written.
            puts.setdefault(cell.timestamp, cell)
        elif cell.type in OF_FAMILY or (cell.type != "Put" and is_of_column):
            markers.append(Marker(cell.type, cell.timestamp))
    keys = table.get(row, [(family, qualifier)], versions=None, filter=KeyOnlyFilter())
    visible = tuple(cell.timestamp for cell in keys.cells)
    hidden = tuple(_hidden(puts, visible, markers, _family(table, family)))
    newest_first = sorted(dict.fromkeys(markers), key=lambda marker: -marker.timestamp)
    return MissingExplanation(table.name, row, column, visible, hidden, tuple(newest_first))


def _family(table: Table, name: bytes) -> Family | None:
    """The family's settings; None where the user may not see them."""
    try:
        return table.schema.families[name]
    except AccessDenied:
        return None


def _hidden(
    puts: dict[int, Cell], visible: Sequence[int], markers: list[Marker], family: Family | None
) -> Iterator[HiddenCell]:
    """The versions that a read leaves out, the newest first.

    The clock of a cluster is not known here. A version without a marker that is not one too many must have expired,
    and so have all that are older.
    """
    most = (family and family.max_versions) or 1
    ttl = None if family is None or family.ttl_seconds is None else ttl_text(whole_seconds(family.ttl_seconds))
    newer = seen = 0
    has_expired = False
    for timestamp in sorted(puts, reverse=True):
        if timestamp in visible:
            newer, seen = newer + 1, seen + 1
            continue
        found = hiding(markers, timestamp)
        if not found:
            has_expired = has_expired or newer < most
            newer += 1
        expired = ttl if has_expired else None
        exceeds = most if family is not None and not found and expired is None and seen >= most else None
        yield HiddenCell(timestamp, puts[timestamp].value, found, expired, family is not None, exceeds)


def _stored(table: Table, row: bytes, family: bytes, qualifier: bytes, spend: Callable[[int], None]) -> Iterator[Cell]:
    """All that is stored of a column, with its markers and those of its family, whose qualifier is empty.

    HBase lets no such scan choose columns. A filter does; it seeks, so that a wide row is not read as a whole.
    """
    options: dict[str, Any] = {"raw": True, "versions": None, "batch": PIECE_CELLS, "cache_blocks": False}
    for name in dict.fromkeys((b"", qualifier)):
        of_column = ColumnRangeFilter(name, True, name + b"\0", False)
        with table.scan(row, row + b"\0", columns=[family], filter=of_column, **options) as pieces:
            for piece in pieces:
                spend(sum(len(cell.value) for cell in piece.cells))
                yield from piece.cells


def hiding(markers: Iterable[Marker], timestamp: int) -> tuple[Marker, ...]:
    """Those of ``markers`` that hide a version of that timestamp, each once."""
    return tuple(
        dict.fromkeys(
            marker
            for marker in markers
            if marker.timestamp == timestamp or (marker.type not in OF_ONE_VERSION and marker.timestamp > timestamp)
        )
    )
