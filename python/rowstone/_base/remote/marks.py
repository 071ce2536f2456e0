"""Marks: objects that show who is at work, so that no chunk is removed that a backup in progress counts on.

A backup puts ``marks/backup-<name>-<id>``, then looks for marks of a prune. A prune puts ``marks/prune-<id>``, then
looks for both. Stores list what was put before, so at least one of two sees the other. A mark is renewed while its
owner works, and is void an hour after the last renewal by the store's own clock: a killed owner cannot remove it.
An owner that could not renew it for half an hour, such as one on a suspended machine, stops.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rowstone.errors import RetryError, StorageError, UnsupportedOperation

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

VOID_AFTER_MS = 3_600_000
RENEW_AFTER_SECONDS = 300.0
_LOST_AFTER_SECONDS = 1800.0
_STEADY = getattr(time, "CLOCK_BOOTTIME", None)
"""A clock that goes on while the machine is suspended; Linux has it."""


def clocks() -> tuple[float, float]:
    """Read a steady clock and the time of day, in seconds. Either may miss the time of a suspended machine."""
    return (time.monotonic() if _STEADY is None else time.clock_gettime(_STEADY)), time.time()


class Mark:
    """The mark of this process."""

    def __init__(self, folder: RemoteFolder, kind: str) -> None:
        self._folder = folder
        self.name = f"{kind}-{secrets.token_hex(8)}"
        self._put()

    def _put(self) -> None:
        now = clocks()
        self._folder.put(f"marks/{self.name}", self.name.encode(), is_new=False)
        self._renewed = now

    def check(self) -> float:
        """Return the seconds since the last renewal. Raises `RetryError` if the mark may be void. Sends no request."""
        late = max(now - then for now, then in zip(clocks(), self._renewed, strict=True))
        if late > _LOST_AFTER_SECONDS:
            raise RetryError(f"no progress for {late:.0f} seconds, so a prune may have begun meanwhile; run it again")
        return late

    def renew(self) -> None:
        """Renew the mark if it is due. Raises `RetryError` if it is so late that it may be void, or if it is gone."""
        if self.check() > RENEW_AFTER_SECONDS:
            self.others()
            # The list of the marks took some time too.
            self.check()
            self._put()

    def check_store(self) -> None:
        """Raise `UnsupportedOperation` if the store replaces an object in spite of ``If-None-Match: *``."""
        if self._folder.put(f"marks/{self.name}", b"another text", is_new=True):
            raise UnsupportedOperation(
                "the store ignored If-None-Match, so a backup could replace another of its name: update the server, or "
                "use another store"
            )

    def others(self) -> tuple[list[str], list[str]]:
        """List the marks of others: those in force, and those that are void.

        Raises:
            RetryError: This mark was removed, because it was void.
        """
        found = {name: modified_ms for name, _, modified_ms in self._folder.list_files("marks")}
        if self.name not in found:
            raise RetryError("no progress for an hour, so a prune took this run for a killed one; run it again")
        now = found.pop(self.name)
        void = [name for name, modified_ms in found.items() if modified_ms < now - VOID_AFTER_MS]
        return [name for name in found if name not in void], void

    def remove(self) -> None:
        """Remove the mark."""
        self._folder.delete(f"marks/{self.name}")


@contextmanager
def marked(folder: RemoteFolder, kind: str) -> Iterator[Mark]:
    """Put a mark and remove it at the end. If that fails, it becomes void by itself, and the work counts."""
    mark = Mark(folder, kind)
    try:
        yield mark
    finally:
        with suppress(StorageError):
            mark.remove()
