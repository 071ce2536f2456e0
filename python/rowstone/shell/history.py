"""Lines of earlier sessions, kept in a file of the user's.

It is ``$ROWSTONE_SHELL_HISTORY``, or ``rowstone/shell_history`` below ``$XDG_STATE_HOME``, by default
``~/.local/state``. Only its owner may read it: lines hold data.
"""

from __future__ import annotations

import atexit
import os
from contextlib import suppress
from pathlib import Path

MOST_LINES = 5_000


def history_file() -> Path:
    """Where lines are kept."""
    if chosen := os.environ.get("ROWSTONE_SHELL_HISTORY"):
        return Path(chosen)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "rowstone" / "shell_history"


def install() -> None:
    """Reads the lines of earlier sessions, and writes this one's at its end; does nothing where there is no place."""
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
