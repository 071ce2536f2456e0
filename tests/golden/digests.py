"""SHA-256 of every file of the golden directories: `digests.txt` has a line for each, and no line ever changes."""

from __future__ import annotations

import hashlib
from pathlib import Path

HERE = Path(__file__).parent
DIGESTS = HERE / "digests.txt"


def digest_lines(directory: Path) -> list[str]:
    """A line `digest  path` for each file below `directory`, in the form of `sha256sum`."""
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(HERE).as_posix()}" for path in files]


def golden_directories() -> list[Path]:
    """The directory of each version."""
    return sorted(path.parent for path in HERE.glob("*/written.txt"))
