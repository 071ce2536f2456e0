"""NEW_VERSION_BEHAVIOR: the order of the writes decides, not only timestamps.

The writes of one column are replayed in the order they happened. A marker, at its own moment,
freezes the version cut (for every timestamp the latest write, then the newest `max_versions` of
those: the rest is gone for good) and removes what it covers among the earlier writes. At the end
the cut is made once more.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.cells import FAMILY_MARKERS, Cell, Kind


def visible_puts(puts: Sequence[Cell], markers: Sequence[Cell], max_versions: int) -> set[Cell]:
    """The puts of one row and family that are visible under these markers."""
    visible: set[Cell] = set()
    for qualifier in {put.qualifier for put in puts}:
        own_puts = [put for put in puts if put.qualifier == qualifier]
        own_markers = [marker for marker in markers if marker.kind in FAMILY_MARKERS or marker.qualifier == qualifier]
        visible |= set(_replay(own_puts, own_markers, max_versions))
    return visible


def _replay(puts: Sequence[Cell], markers: Sequence[Cell], max_versions: int) -> list[Cell]:
    """The puts of one column left after replaying it. In one batch, markers come last."""
    history = sorted([*puts, *markers], key=lambda cell: (cell.sequence, not cell.is_put))
    alive: list[Cell] = []
    for event in history:
        if event.is_put:
            alive.append(event)
        else:
            alive = [put for put in _cut(alive, max_versions) if not _covers(event, put)]
    return _cut(alive, max_versions)


def _cut(puts: Sequence[Cell], max_versions: int) -> list[Cell]:
    """For every timestamp the latest write; of those the newest versions."""
    latest: dict[int, Cell] = {}
    for put in sorted(puts, key=lambda put: put.sequence):
        latest[put.timestamp] = put
    newest_first = sorted(latest.values(), key=lambda put: -put.timestamp)
    return newest_first[:max_versions]


def _covers(marker: Cell, put: Cell) -> bool:
    if marker.kind in (Kind.DELETE_FAMILY, Kind.DELETE_COLUMN):
        return put.timestamp <= marker.timestamp
    return put.timestamp == marker.timestamp
