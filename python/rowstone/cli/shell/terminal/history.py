"""Command history, kept in a file of the user.

The file is ``$ROWSTONE_SHELL_HISTORY``, or ``rowstone/shell_history`` below ``$XDG_STATE_HOME``, by default
``~/.local/state``. Only its owner may read it, because lines can contain data.
"""

from __future__ import annotations

import atexit
import os
from contextlib import suppress
from pathlib import Path

MOST_LINES = 5_000


def history_file() -> Path:
    """Path of the history file."""
    if chosen := os.environ.get("ROWSTONE_SHELL_HISTORY"):
        return Path(chosen)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "rowstone" / "shell_history"


def install() -> None:
    """Load the history of earlier sessions and save this one at exit. Does nothing if the file cannot be created."""
    import readline

    file = history_file()
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600, exist_ok=True)
        readline.read_history_file(file)
    readline.set_history_length(MOST_LINES)
    atexit.register(_save, file)


def _save(file: Path) -> None:
    import readline

    with suppress(OSError):
        readline.write_history_file(file)
