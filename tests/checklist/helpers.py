"""Helpers of the checklist tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import rowstone as rs

START_MS = 1_700_000_000_000
HOUR_MS = 3_600_000

QUIET: dict[str, Any] = {"rowstone.compaction.background": False, "hbase.hregion.majorcompaction": 0}
"""Only the test compacts."""

FULL_SIZE = os.environ.get("ROWSTONE_CHECKLIST") == "full"
"""Whether the tests about size run in full: `make checklist-full`."""


def make(db: rs.Database, *, name: str = "t", **families: Any) -> rs.Table:
    """A new table with these families."""
    db.create_table(name, families)
    return db.table(name)


def raw(table: rs.Table, **options: Any) -> list[tuple[str, int, str]]:
    """(column, timestamp, type) of everything stored that a raw scan shows, in its order."""
    with table.scan(raw=True, versions=None, **options) as rows:
        return [(cell.column.decode(), cell.timestamp, cell.type) for row in rows for cell in row.cells]


def raw_puts(table: rs.Table) -> list[int]:
    """The timestamps of the values that a raw scan shows."""
    return [timestamp for _, timestamp, kind in raw(table) if kind == "Put"]


def stamps(row: rs.Row) -> list[int]:
    """The timestamps of a result's cells, in its order."""
    return [cell.timestamp for cell in row.cells]


def texts(row: rs.Row) -> list[str]:
    """The values of a result's cells, in its order."""
    return [cell.value.decode() for cell in row.cells]


def keys(table: rs.Table, **options: Any) -> list[bytes]:
    """The row keys that a scan returns."""
    with table.scan(**options) as rows:
        return [row.key for row in rows]


def contents(row: rs.Row) -> list[tuple[bytes, int, bytes]]:
    """(column, timestamp, value) of a result's cells, in its order."""
    return [(cell.column, cell.timestamp, cell.value) for cell in row.cells]


def file_paths(db: rs.Database, table: str, family: bytes | None = None) -> list[Path]:
    """The store files of a table, or of one family of it."""
    return [Path(file.path) for file in db.admin.tables.store_files(table) if family in (None, file.family)]


def file_bytes(db: rs.Database, table: str) -> dict[str, bytes]:
    """Sizes of a table's store files, by path."""
    return {str(path): path.read_bytes() for path in file_paths(db, table)}


def damage_data_blocks(path: Path) -> None:
    """Overwrite the first data block of each store file, so that reading it fails."""
    content = bytearray(path.read_bytes())
    content[33:64] = bytes(byte ^ 0xFF for byte in content[33:64])
    path.write_bytes(content)


def in_threads(*work: Callable[[], None]) -> None:
    """Runs all at once, to the end; the first error of any is raised."""
    with ThreadPoolExecutor(len(work)) as pool:
        for done in [pool.submit(one) for one in work]:
            done.result()


def run_script(script: str, *arguments: object, environment: Mapping[str, str] | None = None, status: int = 0) -> str:
    """Runs Python code in a process of its own; what it printed."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env={**os.environ, **(environment or {})}, check=False
    )
    assert done.returncode == status, f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
