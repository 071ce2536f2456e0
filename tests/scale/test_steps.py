"""The steps of `make scale-billion` with ten million cells: kills, opening, and memory within its limits.

The reads compare each value with the one that was written.
"""

from __future__ import annotations

from pathlib import Path

from benches.scale.steps import Run
from benches.scale.stores import CACHE_BYTES, MEMSTORE_BYTES

CELLS = 10_000_000
OVERHEAD_BYTES = 100 * 10**6


def test_ten_million_cells_survive_kills_within_the_memory_limits(tmp_path: Path) -> None:
    run = Run(tmp_path, "rowstone", CELLS)
    run.run(of_cells=100 * CELLS)
    assert run.results["open after a kill"]["is right"]
    acknowledged = run.results["first half of the load"]["rows"]
    assert run.results["load"]["first row"] >= acknowledged, "an acknowledged portion was repeated"
    for name, result in run.results.items():
        limit = MEMSTORE_BYTES + (CACHE_BYTES if "cache of" not in name else CACHE_BYTES // 100)
        assert result["peak bytes"] < limit + OVERHEAD_BYTES, name
