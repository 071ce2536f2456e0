"""Runs scripts against a database that is already open and whose clock cannot be set: a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from tests.script import commands as c
from tests.script.answers import Answer
from tests.script.runners import store_calls as calls
from tests.script.runners.base import CannotGoOn
from tests.script.runners.store import StoreRunner

APART_MS = 4
"""Minimum pause between two commands."""
AHEAD_MS = APART_MS - 1
"""Maximum lead of a timestamp over the clock: an increment or append is newer than the cell that it finds."""


class OnlineRunner(StoreRunner):
    """One run on an open database, in a table of its own that is dropped at the end."""

    asks_region = False

    def __init__(self, database: Any, table: str, splits: Iterable[bytes] = ()) -> None:
        super().__init__()
        self._database = database
        self._name = table
        self._splits = list(splits)
        self._is_made = False
        self._last_ms = 0
        self.span_ms = (0, 0)
        """When the last command began and ended."""

    def _create(self, command: c.Table) -> None:
        families = {spec.name.decode("latin-1"): calls.family_of(self.rs, spec) for spec in command.families}
        options: dict[str, Any] = {"splits": self._splits} if self._splits else {}
        self._database.create_table(self._name, families, **options)
        self._is_made = True

    def close(self) -> None:
        """Drops the table; the database stays open."""
        for scanner in self._scanners.values():
            scanner.close()
        self._scanners.clear()
        if self._is_made:
            self._is_made = False
            self._database.admin.disable_table(self._name)
            self._database.admin.drop_table(self._name)

    def run(self, command: c.Command) -> Answer:
        """The answer; takes note of when."""
        self._wait()
        began = now_ms()
        try:
            return super().run(command)
        finally:
            self._last_ms = now_ms()
            self.span_ms = (began, self._last_ms + AHEAD_MS)

    def _wait(self) -> None:
        while (missing := self._last_ms + APART_MS - now_ms()) > 0:
            time.sleep(missing / 1000)

    def _set_clock(self, now: int) -> None:
        """Do nothing: the clock advances by itself."""

    def _maintain(self, command: c.Command) -> Answer:
        admin = self._database.admin
        match command:
            case c.Flush():
                admin.flush(self._name)
            case c.MajorCompact():
                admin.major_compact(self._name)
            case c.Compact(window=None):
                admin.compact(self._name)
            case _:
                raise CannotGoOn("only a region in this process can")
        return []


def now_ms() -> int:
    """The machine's clock, which is the server's too."""
    return time.time_ns() // 1_000_000
