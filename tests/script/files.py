"""Store files for `bulkload`: scripts name them, and each runner gets a fresh one, as HBase takes them away.

bulkload f=@bl1        the file `bl1` into family f
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_NAME = re.compile(r"(?<==)@(\w+)")


@dataclass(frozen=True)
class StoreFile:
    """Cells as `rowstone.hfile.write` takes them, and its options."""

    cells: list[tuple[Any, ...]]
    options: dict[str, Any] = field(default_factory=dict)


FILES = {
    "bl1": StoreFile([("r", "f:a", 10, "bulk10"), ("r", "f:b", 10, "bulkb")]),
    "bl2": StoreFile([("r", "f:a", 10, "bulk10-second")]),
    "bl3": StoreFile([("r", "f:", 100, "", "DeleteFamily")]),
    "bl4": StoreFile([("r", "f:a", 10, "seq999")], {"sequence_id": 999_999}),
    "bl5": StoreFile([("r", "f:a", 10, "kept")], {"properties": {b"SKIP_RESET_SEQ_ID": b"\xff"}}),
}


def fresh(name: str, folder: Path, number: Iterator[int]) -> Path:
    """Write a new file of that name into a folder."""
    path = folder / f"{name}-{next(number)}"
    file = FILES[name]
    importlib.import_module("rowstone.hfile").write(path, file.cells, **file.options)
    return path


def with_paths(line: str, folder: Path, number: Iterator[int]) -> str:
    """A `bulkload` line with paths of fresh files for its names."""
    return _NAME.sub(lambda match: str(fresh(match[1], folder, number)), line)
