"""Heat maps of a site's tables: of this process, of the last process that used a directory, or of a cluster's servers.

A cluster's servers only count, so their counters are polled in a thread: those of tables whose page was opened lately.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowstone._base.last_use import NAME
from rowstone._core.poll import PollThread
from rowstone.errors import NotFoundError, RowstoneError

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone.schema.heat import HeatMap, Watch

EVERY_SECONDS = 5.0
KEPT_SECONDS = 600.0
_MOST_TABLES = 20
PERIODS = {
    "process": "since the database was opened",
    "explorer": "since this explorer started, with its own reads",
    "last": "the last process that used the directory",
    "servers": "all clients, the last ten minutes",
}
"""Origins of heat maps; ``explorer`` is a process that used no table before its explorer started."""


@dataclass
class _Watched:
    """A table that is polled, and when its page was last opened."""

    watch: Watch
    opened_seconds: float


class HeatSource:
    """Heat maps by table, of one or several `PERIODS`.

    Args:
        periods: Those that there are; the first is the default.
    """

    def __init__(self, database: Database, periods: tuple[str, ...] = ("process",)) -> None:
        self.periods = periods
        self._database = database
        self._watched: dict[str, _Watched] = {}
        self._lock = threading.Lock()
        self._thread = PollThread(self.poll, EVERY_SECONDS, "rowstone-heat", waits_first=True)

    def is_live(self, wanted: str) -> bool:
        """Whether the maps of a period change while the site runs."""
        return self.period(wanted) != "last"

    def period(self, wanted: str) -> str:
        """The period of this name, or the default."""
        return wanted if wanted in self.periods else self.periods[0]

    def choose(self, name: str, wanted: str) -> tuple[str, HeatMap | None]:
        """A period and its map of a table: the wanted one, or the first that has a map. Raises `TableNotFound`."""
        periods = (wanted,) if wanted in self.periods else self.periods
        for period in periods:
            found = self.find(name, period, is_used=True)
            if found is not None:
                break
        return period, found

    def find(self, name: str, period: str, *, is_used: bool = False) -> HeatMap | None:
        """The heat map of a table; None if it was not used. ``is_used``: also an empty map. Raises `TableNotFound`."""
        if period == "last":
            return self._saved(name)
        if period == "servers":
            return self._polled(name)
        metrics = self._database.admin.metrics
        return metrics.heat_map(name) if is_used or metrics.was_used(name) else None

    def _saved(self, name: str) -> HeatMap | None:
        from rowstone.schema.heat import load

        try:
            return load(Path(self._database.path) / NAME, name)
        except NotFoundError:
            return None

    def _polled(self, name: str) -> HeatMap:
        from rowstone.schema.heat import Watch

        found = self._watched.get(name)
        watch = found.watch if found else Watch(self._database, name, max_polls=round(KEPT_SECONDS / EVERY_SECONDS))
        with self._lock:
            self._watched[name] = _Watched(watch, time.monotonic())
            if len(self._watched) > _MOST_TABLES:
                del self._watched[min(self._watched, key=lambda table: self._watched[table].opened_seconds)]
        self._thread.start()
        return watch.map(round(EVERY_SECONDS * 1000)).zoom(last_seconds=KEPT_SECONDS)

    def poll(self) -> None:
        """Read the counters of the tables whose page was opened lately; forget the others, and dropped tables."""
        for name, one in list(self._watched.items()):
            try:
                is_open = time.monotonic() - one.opened_seconds < KEPT_SECONDS
                if is_open:
                    one.watch.poll()
            except RowstoneError:
                is_open = False
            if not is_open:
                with self._lock:
                    self._watched.pop(name, None)

    def stop(self) -> None:
        """Stop polling. A second call does nothing."""
        self._thread.stop()


def explored(database: Database) -> HeatSource | None:
    """The heat maps that the explorer of a database shows; None if nothing was or is counted.

    A process that used no table yet will mostly count the reads of the explorer. The last process then comes first.
    """
    if database._cluster is not None:
        return HeatSource(database, ("servers",))
    periods = ["last"] if (Path(database.path) / NAME).is_file() else []
    if not database.read_only:
        admin = database.admin
        if any(map(admin.metrics.was_used, admin.tables.list())):
            periods.insert(0, "process")
        else:
            periods.append("explorer")
    return HeatSource(database, tuple(periods)) if periods else None
