"""Marks: objects that show who is at work, so that no chunk is removed that a backup in progress counts on.

A backup puts ``marks/backup-<name>-<id>``, then looks for marks of a prune. A prune puts ``marks/prune-<id>``, then
looks for both. Stores list what was put before, so at least one of two sees the other. A mark is renewed while its
owner works, and is void an hour after the last renewal by the store's own clock: a killed owner cannot remove it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rowstone.errors import RetryError, StorageError

if TYPE_CHECKING:
    from rowstone._native import RemoteFolder

VOID_AFTER_MS = 3_600_000
RENEW_AFTER_SECONDS = 300.0
_LOST_AFTER_SECONDS = 1800.0


class Mark:
    """The mark of this process."""

    def __init__(self, folder: RemoteFolder, kind: str, clock: Callable[[], float]) -> None:
        self._folder, self._clock = folder, clock
        self.name = f"{kind}-{secrets.token_hex(8)}"
        self._put()

    def _put(self) -> None:
        self._renewed = self._clock()
        self._folder.put(f"marks/{self.name}", self.name.encode(), is_new=False)

    def renew(self) -> None:
        """Renew the mark if it is due. Raises `RetryError` if it is so late that it may be void."""
        late = self._clock() - self._renewed
        if late > _LOST_AFTER_SECONDS:
            raise RetryError(f"no progress for {late:.0f} seconds, so a prune may have begun meanwhile; run it again")
        if late > RENEW_AFTER_SECONDS:
            self._put()

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
def marked(folder: RemoteFolder, kind: str, clock: Callable[[], float] = time.monotonic) -> Iterator[Mark]:
    """Put a mark and remove it at the end."""
    mark = Mark(folder, kind, clock)
    try:
        yield mark
    except BaseException:
        # The error of the work is the one to report; the mark becomes void by itself.
        with suppress(StorageError):
            mark.remove()
        raise
    mark.remove()
