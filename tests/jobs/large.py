"""The long form of the tests of jobs: a file of SIZE bytes imported and exported, interrupted on the way, and measured.

Every step is the command in a process of its own. Prints what it did; writes docs/explanation/measurements.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

PROGRAM = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from rowstone.cli import main; main()"
)
DOCUMENT = Path(__file__).parents[2] / "docs/explanation/measurements.md"
MOST_MEMORY_BYTES = 500_000_000
COLUMNS = {"d:at": "at", "d:host": "host", "d:path": "path", "d:bytes": "bytes", "d:agent": "agent"}
ANY_AGENT = [f"agent {n} " + "x" * (n % 40) for n in range(100)]


@dataclass
class Step:
    """Time and memory of a command."""

    name: str
    seconds: float
    memory_bytes: int
    note: str = ""


def make(path: Path, size_bytes: int, seed: int) -> int:
    """A log of a web server as CSV; how many rows it has."""
    chance, rows = random.Random(seed), 0
    with path.open("w") as file:
        file.write("id,at,host,path,bytes,agent\n")
        while file.tell() < size_bytes:
            for _ in range(10_000):
                number = chance.getrandbits(30)
                page = f'"/a,b/{number}"' if number % 50 == 0 else f"/page/{number % 5000}"
                agent = ANY_AGENT[number % 100]
                file.write(f"{rows:010},{1_700_000_000_000 + rows},host-{number % 977},{page},{number},{agent}\n")
                rows += 1
    return rows


def run(name: str, ready: Callable[[], bool] | None, sign: signal.Signals, *arguments: str | Path) -> Step:
    """Runs a command; with ``ready``, until that is true, and then sends it a signal."""
    began = time.monotonic()
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    print("$ rowstone", *arguments, flush=True)
    child = subprocess.Popen(command, start_new_session=True)
    ended = threading.Event()

    def interrupt() -> None:
        while not ended.wait(0.05):
            if ready is not None and ready():
                with suppress(ProcessLookupError):
                    child.send_signal(sign)
                return

    watching = threading.Thread(target=interrupt)
    if ready is not None:
        watching.start()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    ended.set()
    expected = 0 if ready is None else 130 if sign == signal.SIGINT else -sign
    if child.returncode != expected:
        raise SystemExit(f"{name}: status {child.returncode} instead of {expected}; a larger SIZE is not over so soon")
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    step = Step(name, time.monotonic() - began, memory)
    print(f"  {name}: {step.seconds:.1f} s, {memory / 1e6:.0f} MB", flush=True)
    return step


def progress_of(state: Path) -> dict[str, Any]:
    try:
        progress: dict[str, Any] = json.loads(state.read_bytes())["progress"]
    except (FileNotFoundError, ValueError):
        return {}
    return progress


def imported(file: Path, database: Path) -> Iterator[Step]:
    """An import with a Ctrl-C after a third, a kill -9 after two thirds, and the rest."""
    columns = [word for column, field in COLUMNS.items() for word in ("--column", f"{column}={field}")]
    arguments = ("import", database, "log", file, "--key", "id", "--create", *columns)
    state, size = Path(f"{file}.import.json"), file.stat().st_size

    def beyond(part: float) -> Callable[[], bool]:
        return lambda: progress_of(state).get("offset", 0) > size * part

    yield run("import, Ctrl-C after a third", beyond(1 / 3), signal.SIGINT, *arguments)
    yield run("import, kill -9 after two thirds", beyond(2 / 3), signal.SIGKILL, *arguments)
    yield run("import, the rest", None, signal.SIGINT, *arguments)


def exported(database: Path, out: Path) -> Iterator[Step]:
    """An export with a kill -9 on the way, and the rest."""
    columns = [word for column, field in COLUMNS.items() for word in ("--column", f"{column}={field}")]
    arguments = ("export", database, "log", out, "--key", "id", "--text", *columns)
    state = out.with_name(out.name + ".export") / "split-00000.json"
    yield run(
        "export, kill -9 after a part", lambda: progress_of(state).get("parts", 0) >= 1, signal.SIGKILL, *arguments
    )
    yield run("export, the rest", None, signal.SIGINT, *arguments)


def check(file: Path, parquet: Path, rows: int) -> list[str]:
    """DuckDB and Polars find in the Parquet file the rows of the CSV file."""
    import duckdb
    import polars

    with duckdb.connect(config={"memory_limit": "1GB", "temp_directory": str(file.parent / "duckdb")}) as connection:
        sources = f"read_csv('{file}', all_varchar=true)", f"read_parquet('{parquet}')"
        for left, right in (sources, sources[::-1]):
            names = '"id", "at", "host", "path", "bytes", "agent"'
            query = f"SELECT count(*) FROM (SELECT {names} FROM {left} EXCEPT ALL SELECT {names} FROM {right})"
            [[differing]] = connection.execute(query).fetchall()
            if differing:
                raise SystemExit(f"DuckDB: {differing} rows of {left} are not in {right}")
    sums = []
    for frame in (polars.scan_csv(file, infer_schema=False), polars.scan_parquet(parquet)):
        numbers = (polars.col(name).cast(polars.Int64).sum() for name in ("id", "at", "bytes"))
        lengths = (polars.col(name).str.len_bytes().sum().alias(f"{name} length") for name in ("path", "agent", "host"))
        sums.append(frame.select(polars.len(), *numbers, *lengths).collect(engine="streaming").rows())
    if sums[0] != sums[1] or sums[0][0][0] != rows:
        raise SystemExit(f"Polars: {sums[0]} in CSV, {sums[1]} in Parquet, {rows} rows were made")
    return [f"DuckDB {duckdb.__version__}", f"Polars {polars.__version__}"]


def written(steps: list[Step], rows: int, size_bytes: int, readers: list[str]) -> None:
    """Write the table into the document."""
    lines = ["| step | time | peak memory |", "|---|---|---|"]
    lines += [f"| {step.name} | {step.seconds:.0f} s | {step.memory_bytes / 1e6:.0f} MB |" for step in steps]
    day, load = f"{datetime.now():%Y-%m-%d}", os.getloadavg()[2]
    head = f"{rows:,} rows, {size_bytes / 1e9:.2f} GB of CSV, five columns; read back by {' and '.join(readers)}; "
    head += f"{day}, {os.cpu_count()} CPUs, load {load:.0f}:"
    text = DOCUMENT.read_text()
    table = "\n".join(["<!-- jobs-large -->", head, "", *lines, "<!-- end -->"])
    DOCUMENT.write_text(re.sub(r"<!-- jobs-large -->.*<!-- end -->", lambda _: table, text, flags=re.DOTALL))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write the table into docs/explanation/measurements.md")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="rowstone-jobs-"))
    try:
        file = folder / "log.csv"
        rows = make(file, int(arguments.bytes), arguments.seed)
        print(f"{rows:,} rows, {file.stat().st_size:,} bytes, seed {arguments.seed}", flush=True)
        steps = [*imported(file, folder / "db"), *exported(folder / "db", folder / "log.parquet")]
        readers = check(file, folder / "log.parquet", rows)
        most = max(step.memory_bytes for step in steps)
        print(f"jobs-large: {rows:,} rows the same in {' and '.join(readers)}, most memory {most / 1e6:.0f} MB")
        if most > MOST_MEMORY_BYTES:
            raise SystemExit(f"jobs-large: more than {MOST_MEMORY_BYTES / 1e6:.0f} MB")
        if arguments.write:
            written(steps, rows, file.stat().st_size, readers)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
