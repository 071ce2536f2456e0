"""Folders of files, compared by their contents."""

from __future__ import annotations

from pathlib import Path


def contents(path: Path) -> dict[str, bytes]:
    """The files below a folder: their relative paths and bytes."""
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
