"""The table of the scale benchmark: a row for each measure, a column for each engine and size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benches.scale.data import CELL_BYTES

Results = Mapping[str, Mapping[str, Any]]
MEGABYTE = 1e6
UNKNOWN = "–"
AFTER_KILL_ROWS = 200_000
"""Most rows that a load may write between its report and the kill."""


def measures(cells: int, results: Results) -> dict[str, str]:
    """The measures of one engine in one size."""
    first, rest, reads = results["first half of the load"], results["load"], results["reads"]
    seconds = first["seconds"] + rest["load seconds"]
    written = first["written bytes"] + rest["written bytes"]
    # A load that was interrupted and continued says nothing of the rows before.
    is_whole = first["first row"] == 0 and rest["first row"] - first["rows"] <= AFTER_KILL_ROWS
    found = {
        "load, cells/s": f"{cells / seconds:,.0f}" if is_whole else UNKNOWN,
        "settling after the load, s": f"{rest['settle seconds']:,.1f}",
        "bytes on disk per cell, including logs": f"{rest['disk bytes'] / cells:.1f}",
        "bytes written per byte on disk": f"{written / rest['disk bytes']:.1f}" if is_whole else UNKNOWN,
        "bytes written per byte of cells": f"{written / (cells * CELL_BYTES):.2f}" if is_whole else UNKNOWN,
        "files": f"{rest['files']:,}",
        "peak memory of the load, MB": f"{max(first['peak bytes'], rest['peak bytes']) / MEGABYTE:,.0f}",
        "peak memory of the reads, MB": f"{reads['peak bytes'] / MEGABYTE:,.0f}",
        "limit of caches and write buffers, MB": f"{reads['limit bytes'] / MEGABYTE:,.0f}",
        "open, s": f"{results['open']['open seconds']:.2f}",
        "open after a kill, s": f"{results['open after a kill']['open seconds']:.2f}",
        "open after a kill in the load, s": f"{results['open after a kill in the load']['open seconds']:.2f}",
    }
    in_proportion = next(result for name, result in results.items() if name.startswith("reads, cache of"))
    limited = next((result for name, result in results.items() if name.startswith("reads, page cache for")), None)
    for name, cost in reads["microseconds"].items():
        unit = "µs per row" if name.startswith("multi-get") else "µs"
        found[f"{name}, {unit}"] = f"{cost:,.2f}"
        found[f"{name}, cache in proportion, {unit}"] = f"{in_proportion['microseconds'][name]:,.2f}"
        if limited is not None:
            found[f"{name}, page cache in proportion too, {unit}"] = f"{limited['microseconds'][name]:,.2f}"
    return found


def markdown(runs: Mapping[tuple[str, int], Results]) -> str:
    """Format the table."""
    columns = {f"{engine}, {cells:,} cells": measures(cells, results) for (engine, cells), results in runs.items()}
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    names = next(iter(columns.values()))
    rows = [f"| {name} | {' | '.join(found[name] for found in columns.values())} |" for name in names]
    return "\n".join([*lines, *rows])
