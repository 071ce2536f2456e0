"""Warnings about a clock that is behind the newest write of a database.

Puts without a timestamp then get older timestamps than the values already stored, and stay hidden below them, as in
HBase. The engine measures it (`clock_behind_ms` of `Metrics.stats`); this module reports it in the log and on
the web page.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rowstone._core.poll import PollThread

if TYPE_CHECKING:
    from rowstone._core.database import Database

EVERY_SECONDS = 15.0
"""How often a server compares the clock with its newest write."""
MONOTONE = "rowstone.monotone.timestamps"
UNIQUE = "rowstone.unique.timestamps"


def clock_notice(database: Database, stats: Mapping[str, int]) -> str | None:
    """Describe how far the clock is behind, the effect and the remedy; None if the clock is fine.

    With `rowstone.unique.timestamps` set for the whole database no put is hidden, so nothing is reported. With
    `rowstone.monotone.timestamps` alone, a put can have the timestamp of the delete before it, which hides it.
    """
    behind_ms = stats.get("clock_behind_ms", 0)
    if not behind_ms or database.read_only or database._layers is None or database.configuration[UNIQUE]:
        return None
    effect = (
        "a put without a timestamp gets the timestamp of the write before it and stays hidden if that was a delete"
        if database.configuration[MONOTONE]
        else "puts without a timestamp get older timestamps than the values already stored and stay hidden below them"
    )
    return (
        f"the clock is {behind_text(behind_ms)} behind the newest write of the database {database.path}: until it has "
        f"caught up, {effect}; set the clock, or set {UNIQUE}=true, with which every write to a region gets a later "
        f"timestamp than the one before it ({MONOTONE}=true alone does not show a put after a delete)"
    )


def behind_text(milliseconds: int) -> str:
    """Format a time span in its two largest units.

    >>> behind_text(1_500), behind_text(3_600_000), behind_text(90_061_000)
    ('1.5 s', '1 h 0 min', '1 d 1 h')
    """
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


class ClockWatch:
    """Logs one warning when the clock of a database falls behind, and one message when it has caught up."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._is_behind = False
        self._lock = threading.Lock()

    def check(self) -> None:
        """Compare the clock with the newest write, and log what changed since the last call."""
        notice = clock_notice(self._database, self._database._native.admin().statistics(None))
        with self._lock:
            is_known, self._is_behind = (notice is not None) == self._is_behind, notice is not None
        if is_known:
            return
        import logging

        log = logging.getLogger("rowstone")
        if notice is None:
            log.info("the clock has caught up with the newest write of the database %s", self._database.path)
        else:
            log.warning("%s", notice)

    def poll(self) -> PollThread:
        """Start a thread that checks the clock of a served database."""
        thread = PollThread(self.check, EVERY_SECONDS, "rowstone-clock")
        thread.start()
        return thread
