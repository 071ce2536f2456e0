"""The tables and snapshots of the tests: lines for `RootSession`.

Some words are added. `load` alone loads files of Rowstone. `fill` alone writes a table's share of the cells, `fill few`
not too many. `fill recent` gives them timestamps of yesterday, where a time to live of five days has not passed. Splits
and merges leave references to the files of their parents, since compactions are off. Only the first part compacts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import rowstone as rs

ENCODINGS = ("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1")
CODECS = {"n": "NONE", "g": "GZ", "s": "SNAPPY", "l": "LZ4", "z": "ZSTD"}
"""By the family that has it."""
FIVE_DAYS = "TTL=432000"
DAY_MS = 86_400_000
FIRST_STAMP = 1_600_000_000_000
LAST_STAMP = FIRST_STAMP + 100_000
MOST_LARGE = 5_000
"""Cells of a family with large values: HBase's snapshot scanner keeps the block of each large value until its end."""

REPLACED_FILES = """\
compactions on
named compacted
table t f,VERSIONS=3 g,VERSIONS=2,ENC=DIFF,COMP=GZ,BLOOM=ROWCOL
fill
flush
fill
flush
snapshot compacted_0
major
snapshot compacted_1
clone compacted_0 compacted_clone
named compacted_clone
major
named halved
table t f,VERSIONS=3
fill
flush
fill
flush
split 500000
major
snapshot halved_1
compactions off
named dropped
table t f,VERSIONS=3
fill
flush
snapshot dropped_1
drop"""

LARGE_VALUES = """\
named large
table t f,VERSIONS=3,MOB=100 g,VERSIONS=2,MOB=30,ENC=FAST_DIFF,COMP=GZ
fill few
flush
fill few
flush
snapshot large_1
clone large_1 large_clone
named large_clone
fill few
flush
snapshot large_clone_1"""

VISIBILITY = f"""\
named expiring
table t f,VERSIONS=5 g,VERSIONS=5 h,VERSIONS=3
fill
flush
fill recent
flush
alter f,VERSIONS=5,{FIVE_DAYS}
alter g,VERSIONS=5,MINV=2,{FIVE_DAYS}
alter h,VERSIONS=3,KDC=TTL,{FIVE_DAYS}
fill recent
flush
snapshot expiring_1
named versions
table t f,VERSIONS=5 g,VERSIONS=2147483647 h,VERSIONS=3,KDC=TRUE
fill
flush
fill
flush
alter f,VERSIONS=2
fill
flush
snapshot versions_1
named new_versions
table t f,VERSIONS=3,NVB=true g,VERSIONS=1
fill
flush
fill
flush
snapshot new_versions_1"""

REGIONS = """\
named divided 500000
table t f,VERSIONS=3,ENC=FAST_DIFF,COMP=SNAPPY,BLOCKSIZE=1024 g,VERSIONS=2
fill
flush
fill
flush
snapshot divided_0
split 250000
split 750000
fill
flush
snapshot divided_1
clone divided_1 divided_clone
named divided_clone
snapshot divided_clone_1
named united 250000 500000 750000
table t f,VERSIONS=3,ENC=PREFIX,BLOCKSIZE=1024 g,VERSIONS=2,COMP=ZSTD
fill
flush
merge 000000
merge 500000
fill
flush
snapshot united_1"""

LINKS = """\
clone divided_0 linked
named linked
fill
flush
snapshot linked_1
split 250000
fill
flush
snapshot linked_2
clone linked_2 linked_again
named linked_again
snapshot linked_again_1
named restored
table t f,VERSIONS=3 g,VERSIONS=3,ENC=ROW_INDEX_V1
fill
flush
snapshot restored_0
fill
flush
restore restored_0
snapshot restored_1
fill
flush
snapshot restored_2"""

TRACKED_FILES = """\
named tracked 500000
table t f,VERSIONS=3 g,VERSIONS=2,ENC=DIFF TABLE,hbase.store.file-tracker.impl=FILE
fill
flush
fill
flush
split 250000
fill
flush
snapshot tracked_1
clone tracked_1 tracked_clone
named tracked_clone
fill
flush
snapshot tracked_clone_1"""

OTHERS = """\
named loaded 500000
table t f,VERSIONS=3,BLOOM=ROW
fill
flush
load
fill
flush
snapshot loaded_1
namespace roots
named roots:web
table t f,VERSIONS=3
fill
flush
snapshot web_1
named empty 5
table t f
snapshot empty_1
named unflushed
table t f,VERSIONS=3
fill
flush
fill
snapshot unflushed_1 SKIPFLUSH
flush
named resting
table t f,VERSIONS=3
fill
flush
snapshot resting_1
disable"""


def _encoding(name: str) -> str:
    families = " ".join(f"{family},VERSIONS=3,ENC={name},COMP={codec}" for family, codec in CODECS.items())
    return f"named enc_{name}\ntable t {families}\nfill\nflush\nfill\nflush\nsnapshot enc_{name}_1"


FIRST = REPLACED_FILES
"""Before all others, as it switches compactions."""
SIDE_BY_SIDE = (
    "\n".join([*map(_encoding, ENCODINGS), LARGE_VALUES, VISIBILITY]),
    "\n".join([REGIONS, LINKS, TRACKED_FILES, OTHERS]),
)
"""They have no table in common."""
LINES = tuple(line for part in (FIRST, *SIDE_BY_SIDE) for line in part.splitlines())
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
                yield f"fill {min(self._share, MOST_LARGE)} {number} {FIRST_STAMP} {LAST_STAMP}"
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
