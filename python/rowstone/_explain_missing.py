"""Why a column has no value: the delete markers that hide what was put."""

from collections.abc import Sequence
from dataclasses import dataclass

from rowstone._native import Cell
from rowstone._table import Table

PIECE_CELLS = 1_000
OF_FAMILY = ("DeleteFamily", "DeleteFamilyVersion")
OF_ONE_VERSION = ("Delete", "DeleteFamilyVersion")
"""The others hide all versions up to their timestamp, with it."""


@dataclass(frozen=True)
class Marker:
    """A delete marker of a column (``"Delete"``, ``"DeleteColumn"``) or family (``"DeleteFamilyVersion"``,
    ``"DeleteFamily"``): it hides the version of its timestamp; the second of each kind all versions up to it, too."""

    type: str
    timestamp: int


@dataclass(frozen=True)
class HiddenCell:
    """A version that was put and that no read gives. Without ``markers`` newer versions took its place."""

    timestamp: int
    value: bytes
    markers: tuple[Marker, ...]

    @property
    def same_millisecond(self) -> bool:
        """Whether a marker has the very timestamp of the put: it wins, also where the put came later."""
        return any(marker.timestamp == self.timestamp for marker in self.markers)

    def __str__(self) -> str:
        if not self.markers:
            return f"the version of {self.timestamp} is hidden by no marker: newer versions took its place"
        names = " and ".join(f"{marker.type} of {marker.timestamp}" for marker in self.markers)
        told = f"the version of {self.timestamp} is hidden by {names}"
        return f"{told}: of the same millisecond, in which the delete wins" if self.same_millisecond else told


@dataclass(frozen=True)
class MissingExplanation:
    """Why a column of a row has no value, or that it has one.

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
        row, column = (name.decode(errors="backslashreplace") for name in (self.row, self.column))
        lines: Sequence[object] = self.hidden
        if self.visible:
            state = f"has {len(self.visible)} version(s), the newest of {self.visible[0]}"
        elif self.hidden:
            state = "has no value"
        else:
            state = "has no value, and none is stored: never written, expired, or deleted and dropped since"
            lines = [
                f"{marker.type} of {marker.timestamp} is stored: what is put at that time, it hides"
                for marker in self.markers
            ]
        return "\n".join([f"{self.table}, row {row}, column {column} {state}", *(f"  {line}" for line in lines)])


def explain_missing(table: Table, row: bytes, column: bytes) -> MissingExplanation:
    """See `Database.explain_missing`."""
    family, _, qualifier = column.partition(b":")
    puts: dict[int, Cell] = {}
    markers = []
    for cell in _stored(table, row, family):
        is_of_column = cell.qualifier == qualifier
        if cell.type == "Put" and is_of_column:
            # The first of a timestamp is the last that was written.
            puts.setdefault(cell.timestamp, cell)
        elif cell.type in OF_FAMILY or (cell.type != "Put" and is_of_column):
            markers.append(Marker(cell.type, cell.timestamp))
    visible = tuple(cell.timestamp for cell in table.get(row, [(family, qualifier)], versions=None).cells)
    hidden = tuple(
        HiddenCell(timestamp, puts[timestamp].value, _hiding(markers, timestamp))
        for timestamp in sorted(puts.keys() - set(visible), reverse=True)
    )
    newest_first = sorted(dict.fromkeys(markers), key=lambda marker: -marker.timestamp)
    return MissingExplanation(table.name, row, column, visible, hidden, tuple(newest_first))


def _stored(table: Table, row: bytes, family: bytes) -> list[Cell]:
    """Everything that is stored of a family of a row, with markers; HBase lets no such scan choose columns."""
    stop, batch = row + b"\0", PIECE_CELLS
    with table.scan(row, stop, columns=[family], raw=True, versions=None, batch=batch, cache_blocks=False) as pieces:
        return [cell for piece in pieces for cell in piece.cells]


def _hiding(markers: list[Marker], timestamp: int) -> tuple[Marker, ...]:
    """Those of ``markers`` that hide a version of that timestamp, each once."""
    return tuple(
        dict.fromkeys(
            marker
            for marker in markers
            if marker.timestamp == timestamp or (marker.type not in OF_ONE_VERSION and marker.timestamp > timestamp)
        )
    )
