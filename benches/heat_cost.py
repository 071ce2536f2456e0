"""Cost of heat map counting for a get, a scan and a put: two builds of the package, measured alternately.

``python -m benches.heat_cost BEFORE AFTER [ROUNDS]``, folders that each contain a package ``rowstone``. Prints CPU
time per row in nanoseconds: the best and the median of all rounds.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

WORK = """
import time, rowstone as rs
with rs.connect(":memory:") as db:
    db.create_table("t", ["f"])
    t = db.table("t")
    keys = [f"row{number:06}" for number in range(20_000)]
    def timed(name, work, rows):
        began = time.process_time_ns()
        work()
        print(name, (time.process_time_ns() - began) / rows)
    def put():
        with t.batch() as writer:
            for key in keys:
                writer.put(key, {"f:q": "value"})
    def get():
        for key in keys:
            t.get(key)
    def scan():
        for row in t.scan():
            pass
    put(), get(), scan()
    for _ in range(5):
        timed("put in a batch", put, len(keys))
    for _ in range(5):
        timed("get from memory", get, len(keys))
        timed("row of a scan", scan, len(keys))
    db.admin.flush("t"); db.admin.major_compact("t"); get()
    for _ in range(5):
        timed("get from a file", get, len(keys))
"""


def main() -> None:
    """Run the benchmark."""
    before, after, *rest = sys.argv[1:]
    rounds = int(rest[0]) if rest else 7
    found: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for name, folder in (("before", before), ("after", after)):
            command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {folder!r})\n{WORK}"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            for line in done.stdout.splitlines():
                what, number = line.rsplit(" ", 1)
                found.setdefault((what, name), []).append(float(number))
    for (what, name), numbers in sorted(found.items()):
        print(f"{what:16} {name:7} best {min(numbers):7.0f}  median {statistics.median(numbers):7.0f}")


if __name__ == "__main__":
    main()
