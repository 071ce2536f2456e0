"""All steps for one engine in one size, each in a process of its own; finished steps are kept."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from benches.scale.data import COLUMNS
from benches.scale.stores import CACHE_BYTES

Result = dict[str, Any]
SMALLEST_CACHE_BYTES = 1 << 20


class Run:
    """One engine in one size. ``results`` has what each step reported."""

    def __init__(self, folder: Path, engine: str, cells: int) -> None:
        self.engine, self.cells, self.rows = engine, cells, cells // COLUMNS
        self.folder = folder / f"{engine}-{cells}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{engine}-{cells}.json"
        self.results: dict[str, Result] = json.loads(self._file.read_text()) if self._file.exists() else {}

    def step(
        self,
        name: str,
        step: str,
        cache_bytes: int = CACHE_BYTES,
        page_cache: float | None = None,
        kill_at_row: int | None = None,
    ) -> None:
        """Run a step, unless it has been run.

        ``page_cache`` is the share of the files that the page cache may hold (all by default); ``kill_at_row`` kills
        the load when it has written so many rows.
        """
        if name in self.results:
            return
        print(f"{self.engine}, {self.cells:,} cells: {name}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "benches.scale.work", step, self.engine, str(self.folder), str(self.rows)]
        lines: list[Result] = []
        is_killed = step == "end_unclean"
        command += [str(cache_bytes)] if page_cache is None else [str(cache_bytes), str(page_cache)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(json.loads(line))
                if kill_at_row is not None and lines[-1].get("rows", 0) >= kill_at_row:
                    process.kill()
                    is_killed = True
        if not lines or process.returncode != (-signal.SIGKILL if is_killed else 0):
            raise SystemExit(f"{self.engine}, {self.cells:,} cells: {name} ended with {process.returncode}")
        self.results[name] = {**lines[-1], "disk bytes": bytes_below(self.folder)}
        self._file.write_text(json.dumps(self.results, indent=1))

    def run(self, of_cells: int, page_cache: float | None = None) -> None:
        """All steps. ``of_cells`` is the largest size: the reads are repeated with the cache per cell that it has.

        With ``page_cache`` they are repeated once more, with this share of the files in the page cache too.
        """
        self.step("first half of the load", "load", kill_at_row=self.rows // 2)
        self.step("open after a kill in the load", "open")
        self.step("load", "load")
        self.step("open", "open")
        self.step("reads", "read")
        share = max(SMALLEST_CACHE_BYTES, CACHE_BYTES * self.cells // of_cells)
        self.step(f"reads, cache of {share} bytes", "read", cache_bytes=share)
        if page_cache is not None:
            self.step(f"reads, page cache for {page_cache} of the files", "read", share, page_cache)
        self.step("end without a close", "end_unclean")
        self.step("open after a kill", "open")


def bytes_below(folder: Path) -> int:
    """Bytes on disk of all files of a folder."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())
