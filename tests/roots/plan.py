"""Completion of the lines of `tables.py`, and the scans of each table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import rowstone as rs
from tests.roots.tables import LINES

DAY_MS = 86_400_000
FIRST_STAMP = 1_600_000_000_000
LAST_STAMP = FIRST_STAMP + 100_000
FEW = 5_000
"""Most cells of a fill with large values, of which HBase's snapshot scanner keeps each block until its end; and with
NEW_VERSION_BEHAVIOR, where HBase counts the third write of one timestamp as a version of its own."""
DISABLED = {"resting": "resting_1"}
"""Tables that no server reads, with a snapshot of the same contents."""


@dataclass(frozen=True)
class Contents:
    """Names and families of what the lines leave."""

    snapshots: dict[str, str]
    """The table of each snapshot."""
    tables: frozenset[str]
    first_family: dict[str, str]
    """A family of each table, dropped ones included."""


def read_plan() -> Contents:
    """Find the tables and snapshots in the lines."""
    current, snapshots, families = "", dict[str, str](), dict[str, str]()
    tables = set[str]()
    for line in LINES:
        match line.split():
            case ["named", name, *_]:
                current = name
            case ["table", _, family, *_]:
                tables.add(current)
                families[current] = family.partition(",")[0]
            case ["snapshot", name, *_]:
                snapshots[name] = current
            case ["clone", snapshot, name]:
                tables.add(name)
                families[name] = families[snapshots[snapshot]]
            case ["drop"]:
                tables.remove(current)
    return Contents(snapshots, frozenset(tables), families)


CONTENTS = read_plan()


def export_files(folder: Path) -> None:
    """Write the files that are loaded: cells with timestamps that others have too."""
    with rs.connect(":memory:") as db:
        db.create_table("made", {"f": rs.Family(max_versions=3)})
        with db.table("made").batch() as batch:
            for number in range(500):
                batch.put(f"{number * 2_000:06}", {"f:q1": f"loaded {number}"}, timestamp=FIRST_STAMP)
        db.admin.tables.export_hfiles("made", folder)


class Filler:
    """Completes the lines, with about this many cells in all, and the exported files."""

    def __init__(self, cells: int, files: Path) -> None:
        self._share = max(1, cells // sum(line.startswith("fill") for line in LINES))
        self._files = files
        self._yesterday = time.time_ns() // 1_000_000 - 2 * DAY_MS

    def complete(self, part: str) -> Iterator[str]:
        """The lines of a part. What they fill depends only on their place in it."""
        for number, line in enumerate(part.splitlines()):
            if line == "fill":
                yield f"fill {self._share} {number} {FIRST_STAMP} {LAST_STAMP}"
            elif line == "fill few":
                yield f"fill {min(self._share, FEW)} {number} {FIRST_STAMP} {LAST_STAMP}"
            elif line == "fill recent":
                yield f"fill {self._share} {number} {self._yesterday} {self._yesterday + DAY_MS}"
            elif line == "load":
                yield f"load {self._files.as_uri()}"
            else:
                yield line


WHOLE_SCANS = ("scan", "scan versions=all", "scan raw versions=all")
OF_VALUES = "scan versions=all filter=(ColumnPrefixFilter('q1') AND ValueFilter(>,'binary:d'))"
PART_SCANS = (
    "scan raw versions=2",
    f"scan versions=2 tr={FIRST_STAMP + 20_000},{FIRST_STAMP + 70_000}",
    "scan start=2 istop=600000 versions=all",
    "scan prefix=7 limit=5",
    "scan limit=17 versions=3",
    "scan cols={family}:q1,{family}:q5 versions=3",
    "scan versions=all mrpcf=3 ropcf=1",
    "scan versions=all batch=3",
    "scan filter=RowFilter(=,'substring:55')",
    "scan filter=FirstKeyOnlyFilter()",
    OF_VALUES,
)
LIVE_SCANS = (
    "scan rev versions=all",
    "scan rev start=6 istop=300000 limit=11",
    "scan versions=all filter=PageFilter(7)",
)
"""HBase's snapshot scanner does not read backward, and uses one filter for all regions."""


def scans_of(table: str, sample: int | None = None) -> list[str]:
    """The scans that are compared in each snapshot of a table: all, or only some of those that read a part.

    Left out is what HBase answers differently: its filters see the references to large values, and with
    NEW_VERSION_BEHAVIOR its answers depend on the files (`tests/script/generate/scripts.py`).
    """
    if table == "new_versions":
        return list(WHOLE_SCANS)
    parts = [scan for scan in PART_SCANS if scan != OF_VALUES or not table.startswith("large")]
    if sample is not None:
        parts = Random(table).sample(parts, sample)
    return [scan.format(family=CONTENTS.first_family[table]) for scan in (*WHOLE_SCANS, *parts)]
