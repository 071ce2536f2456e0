"""A long mixed load on one directory: memory and open files must stay flat, every answer right.

    python -m tests.crash.soak --minutes 120 --seed 1

Three threads write, read, scan, delete, flush and compact a fixed set of rows, each its own; a dictionary has the
expected contents. Resident memory, open files, threads and bytes on the disk are sampled every half minute. The first
half of the run is the warm-up. A straight line is fitted to the second half: a measurement that rises along it by more
than `MOST_RISE` is not flat.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import median

import rowstone as rs

THREADS = 3
ROWS = 4_000
"""Per thread."""
VALUE_BYTES = 400
SAMPLE_SECONDS = 30.0
MOST_RISE = {"resident_mb": 2.5, "open_files": 2.0, "threads": 0.5, "disk_mb": 4.0}
"""During the later half, however long that is."""
CONFIGURATION = {"hbase.regionserver.logroll.size": 4 << 20, "hbase.master.logcleaner.ttl": 1000}


@dataclass(frozen=True)
class Sample:
    """Resources of the process at one moment."""

    minute: float
    resident_mb: float
    open_files: float
    threads: float
    disk_mb: float


@dataclass
class Soak:
    """The load, and what went wrong."""

    table: rs.Table
    admin: rs.Admin
    seed: int
    end: float
    operations: list[int] = field(default_factory=lambda: [0] * THREADS)
    problems: list[str] = field(default_factory=list)

    def work(self, thread: int) -> None:
        """Until the end, or until an answer is wrong."""
        source, rows = random.Random(self.seed * 31 + thread), dict[bytes, bytes]()
        try:
            while time.monotonic() < self.end and not self.problems:
                self._step(thread, source, rows)
                self.operations[thread] += 1
        except Exception as error:
            self.problems.append(f"thread {thread}: {error!r}")

    def _step(self, thread: int, source: random.Random, rows: dict[bytes, bytes]) -> None:
        row = b"%d-%06d" % (thread, source.randrange(ROWS))
        # Times of our own: a put in the millisecond of a delete would be hidden, as in HBase.
        kind, now = source.random(), self.operations[thread] + 1
        if kind < 0.45:
            rows[row] = source.randbytes(VALUE_BYTES)
            self.table.put(row, {b"f:q": rows[row]}, timestamp=now)
        elif kind < 0.50:
            rows.pop(row, None)
            self.table.delete(row, timestamp=now)
        elif kind < 0.98:
            self._compare(row, self.table.get(row).get(b"f:q"), rows.get(row))
        elif kind < 0.9995:
            prefix = row[:6]
            found = dict(self.table.scan(prefix=prefix).pairs(b"f:q"))
            expected = {key: value for key, value in rows.items() if key.startswith(prefix)}
            self._compare(prefix, found, expected)
        elif thread == 0:
            self.admin.flush("soak")
            if source.random() < 0.1:
                self.admin.major_compact("soak")

    def _compare(self, where: bytes, found: object, expected: object) -> None:
        if found != expected:
            raise AssertionError(f"{where!r}: found {str(found)[:200]}, expected {str(expected)[:200]}")


def sample(directory: Path, minute: float) -> Sample:
    """Measure the current resources of this process."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    files = [path for path in directory.rglob("*") if path.is_file()]
    sizes = 0
    for path in files:
        try:
            sizes += path.stat().st_size
        except FileNotFoundError:
            continue
    return Sample(
        minute=minute,
        resident_mb=int(status["VmRSS"].split()[0]) / 1024,
        open_files=sum(1 for _ in Path("/proc/self/fd").iterdir()),
        threads=int(status["Threads"]),
        disk_mb=sizes / 2**20,
    )


@dataclass(frozen=True)
class Trend:
    """Trend of a measurement in the later half of a run."""

    level: float
    an_hour: float
    """Its rise."""
    rise: float
    """The same, in that half."""


def trend(samples: list[Sample], name: str) -> Trend:
    """The line through the later half: the median of the slopes between all its pairs (Theil and Sen).

    Unlike a line of least squares it is not moved by single high or low moments.
    """
    later = [one for one in samples if one.minute >= samples[-1].minute / 2]
    points = [(one.minute, getattr(one, name)) for one in later]
    slopes = [(there - here) / (then - now) for (now, here), (then, there) in combinations(points, 2) if then > now]
    slope = median(slopes) if slopes else 0.0
    return Trend(median(value for _, value in points), slope * 60, slope * (points[-1][0] - points[0][0]))


def growth(samples: list[Sample]) -> list[str]:
    """Measurements that rose in the later half, with the rise."""
    found = []
    for name, most in MOST_RISE.items():
        line = trend(samples, name)
        if line.rise > most:
            found.append(f"{name} rose by {line.rise:.1f} to about {line.level:.1f}, {line.an_hour:.1f} an hour")
    return found


def run(minutes: float, seed: int, directory: Path) -> tuple[int, list[Sample], list[str]]:
    """Operations, samples, problems."""
    began = time.monotonic()
    end = began + minutes * 60
    samples: list[Sample] = []
    with rs.connect(directory, memstore_bytes=16 << 20, cache_bytes=16 << 20, configuration=CONFIGURATION) as db:
        db.create_table("soak", ["f"], splits=["1", "2"])
        soak = Soak(db.table("soak"), db.admin, seed, end)
        threads = [threading.Thread(target=soak.work, args=(thread,)) for thread in range(THREADS)]
        for thread in threads:
            thread.start()
        pause = min(SAMPLE_SECONDS, minutes * 60 / 16)
        while any(thread.is_alive() for thread in threads):
            threads[0].join(pause)
            samples.append(sample(directory, (time.monotonic() - began) / 60))
            now, left = samples[-1], max(0.0, end - time.monotonic())
            print(
                f"{sum(soak.operations):,} operations; {now.resident_mb:.0f} MB, {now.open_files:.0f} open files, "
                f"{now.threads:.0f} threads, {now.disk_mb:.0f} MB on the disk; {left / 60:.1f} minutes left",
                file=sys.stderr,
            )
        for thread in threads:
            thread.join()
    return sum(soak.operations), samples, soak.problems


def main() -> None:
    """Runs it and says what came out; status 1 where something grew or was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rowstone-soak-") as folder:
        operations, samples, problems = run(options.minutes, options.seed, Path(folder) / "db")
    problems += growth(samples)
    memory, last = trend(samples, "resident_mb"), samples[-1]
    print(
        f"{options.minutes:g} minutes, seed {options.seed}: {operations:,} operations; in the later half "
        f"{memory.level:.1f} MB, {memory.an_hour:+.2f} MB an hour; at the end {last.resident_mb:.0f} MB, "
        f"{last.open_files:.0f} open files, {last.threads:.0f} threads; " + ("; ".join(problems) or "all flat")
    )
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
