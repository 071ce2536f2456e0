"""States of the stored versions of a row: visible, or hidden and by what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone._base.schema import ttl_text, whole_seconds
from rowstone.server.dashboard._markup import Markup
from rowstone.server.dashboard._parts import tag
from rowstone.server.dashboard.data.row._missing import HidingMarkers

if TYPE_CHECKING:
    from rowstone._base.schema import Family
    from rowstone._native import Cell

_MOST_MARKERS = 2
Version = tuple[bytes, int]
"""Column and timestamp."""


@dataclass(frozen=True)
class States:
    """Known states of the versions of a page.

    Attributes:
        visible: The versions that a read returns. is_complete: Whether those are all of the page.
        markers: The markers of the page. families: The families of the table.
        begun: A family whose first cells are on an earlier page.
    """

    visible: set[Version]
    is_complete: bool
    markers: HidingMarkers
    families: Mapping[bytes, Family]
    begun: bytes | None = None

    def of(self, versions: Sequence[Cell]) -> Iterator[Markup]:
        """The states of all cells of a column on the page, newest first."""
        newer = 0
        for cell in versions:
            # A raw scan returns one put of each timestamp, the one written last.
            is_visible = cell.type == "Put" and (cell.column, cell.timestamp) in self.visible
            newer += is_visible
            yield tag("visible", "good") if is_visible else self._hidden(cell, newer)

    def _hidden(self, cell: Cell, newer: int) -> Markup:
        if cell.type != "Put":
            return tag(f"marker {cell.type}", "bad")
        if not self.is_complete:
            return tag("unknown")
        names = [f"{one.type} of {one.timestamp}" for one in self.markers(cell)[:_MOST_MARKERS]]
        reason = f"hidden by {' and '.join(names)}" if names else self._without_marker(cell, newer)
        return tag(reason, "warm")

    def _without_marker(self, cell: Cell, newer: int) -> str:
        """The reason for a version that no marker of the page hides; ``newer`` ones of its column are visible."""
        family = self.families.get(cell.family)
        if family is None:
            return "hidden"
        most = family.max_versions or 1
        if newer >= most:
            return f"hidden: more than VERSIONS = {most}"
        if family.ttl_seconds is not None and cell.family != self.begun and not family.new_version_behavior:
            return f"expired: TTL is {ttl_text(whole_seconds(family.ttl_seconds))}"
        return "hidden"
