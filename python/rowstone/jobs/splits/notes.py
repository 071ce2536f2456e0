"""Progress of each split of a job, optionally in a state file."""

import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rowstone.jobs.splits.state import StateFile
from rowstone.jobs.splits.table_access import Split


class Notes:
    """A JSON value for each split; threads may write concurrently. Without a path it is in memory only."""

    def __init__(
        self, path: str | os.PathLike[str] | None, job: str, settings: Mapping[str, Any], *, restart: bool
    ) -> None:
        self._file = StateFile(Path(path), job, settings) if path is not None else None
        self._lock = threading.Lock()
        if restart and self._file is not None:
            self._file.forget()
        saved = self._file.load() if self._file is not None else None
        self._ranges: list[list[str]] | None = saved["ranges"] if saved else None
        self._values: dict[str, Any] = saved["values"] if saved else {}
        self.resumed = saved is not None

    def splits(self, found: Sequence[Split]) -> list[Split]:
        """The splits of an earlier run, or else those ``found`` now."""
        if self._ranges is None:
            self._ranges = [[split.start.hex(), split.stop.hex()] for split in found]
            self._save()
        return [
            Split(number, bytes.fromhex(start), bytes.fromhex(stop))
            for number, (start, stop) in enumerate(self._ranges)
        ]

    def get(self, number: int) -> Any:
        """The recorded value of a split, or None."""
        return self._values.get(str(number))

    def note(self, number: int, value: Any) -> None:
        """Record the value of a split, replacing an earlier one."""
        with self._lock:
            self._values[str(number)] = value
            self._save()

    def finish(self) -> None:
        """Remove the file."""
        if self._file is not None:
            self._file.remove()

    def _save(self) -> None:
        if self._file is not None:
            self._file.save({"ranges": self._ranges, "values": self._values})
