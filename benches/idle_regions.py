"""Cost of idle regions: memory per region, and the time to open a table in a directory with a thousand of them.

    python -m benches.idle_regions [--idle 1000] [--regions 200] [--families 1]

Each region has one store file per family. Every number is of a process of its own, so that none sees what another left.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import rowstone as rs

ROUNDS = 5
CLONED = 50
"""Number of idle regions that are created at once."""


def splits(count: int) -> list[bytes]:
    """The split keys of `count` regions."""
    return [b"%06d" % number for number in range(1, count)]


def make(directory: Path, idle: int, regions: int, families: int) -> None:
    """Create a table `t` of `regions` regions, and others with `idle` regions in total, all with a row in a file."""
    names = [f"f{number}" for number in range(families)]
    with rs.connect(directory) as db:
        fill(db, "t", regions, names)
        first = min(idle, CLONED)
        if first:
            fill(db, "idle", first, names)
            # A clone's regions open the same files separately, and are created at once.
            db.admin.snapshot("s", "idle")
        for number in range(1, idle // CLONED):
            db.admin.snapshots.clone("s", f"idle{number}")


def fill(db: rs.Database, name: str, regions: int, families: list[str]) -> None:
    """Create a table with this many regions and a row in each."""
    db.create_table(name, families, splits=splits(regions))
    with db.table(name).batch() as batch:
        for number in range(regions):
            batch.put(b"%06d" % number, {f"{family}:q": b"v" * 100 for family in families})
    db.admin.flush(name)


def resident_bytes() -> int:
    """Resident memory of this process."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmRSS"].split()[0]) * 1024


def open_and_read(directory: Path) -> tuple[float, int]:
    """Open the database and read one row; return the seconds and the bytes of memory used."""
    rs.connect(":memory:").close()
    before, start = resident_bytes(), time.perf_counter()
    with rs.connect(directory) as db:
        assert db.table("t").get(b"000000")
        seconds = time.perf_counter() - start
        return seconds, resident_bytes() - before


def memory_of_idle_region(few: Path, many: Path, difference: int) -> float:
    """Bytes per region, from the `difference` in regions between ``many`` and ``few``."""
    return (measure(many)[1] - measure(few)[1]) / difference


def measure(directory: Path) -> tuple[float, float]:
    """Return the medians over several processes."""
    found = []
    for _ in range(ROUNDS):
        command = [sys.executable, "-m", "benches.idle_regions", "--look", str(directory)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found.append(tuple(float(part) for part in text.split()))
    return median(one[0] for one in found), median(one[1] for one in found)


def main() -> None:
    """Run the benchmark; see the module's docstring."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--idle", type=int, default=1_000)
    parser.add_argument("--regions", type=int, default=200)
    parser.add_argument("--families", type=int, default=1)
    parser.add_argument("--look", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.look:
        print(*open_and_read(arguments.look))
        return
    results = []
    with tempfile.TemporaryDirectory(prefix="rowstone-idle-") as folder:
        for idle in (0, arguments.idle):
            directory = Path(folder) / str(idle)
            make(directory, idle, arguments.regions, arguments.families)
            results.append(measure(directory))
            print(
                f"{arguments.regions} regions and {idle} idle: open and first get {results[-1][0] * 1000:.0f} ms, "
                f"{results[-1][1] / 2**20:.1f} MB"
            )
    each = (results[1][1] - results[0][1]) / arguments.idle
    print(f"an idle region of {arguments.families} families: {each / 1024:.1f} KB")


if __name__ == "__main__":
    main()
