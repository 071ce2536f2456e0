"""Kill writers of a table with a coprocessor index, in sequence on one directory: table and index always agree.

python -m tests.indexes.kills --kills 100 --seed 1 [--at DIR]

Each writer has four threads. Each counts in a row of its own and says so once that is acknowledged, and writes rows
that all share. After each kill the directory is opened: what was acknowledged is there, and every row has
exactly the entry that its value wants.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import rowstone as rs

THREADS = 4
SETTINGS = {"hbase.hregion.memstore.flush.size": 65_536, "hbase.regionserver.logroll.size": 65_536}
COLUMN = "f:q"


class Apart(AssertionError):
    """A table and its index differ, or an acknowledged write is missing."""


def opened(place: Path) -> rs.Database:
    """The database, with its table and index."""
    db = rs.connect(place, configuration=SETTINGS)
    if db.create_table("t", {"f": {}, "g": {}}, splits=["m"], if_not_exists=True):
        db.table("t").put("before", {COLUMN: "the index"})
    if not db.indexes("t"):
        db.create_index("t", "by_q", COLUMN, strategy="coprocessor")
    elif not db.index("t", "by_q").definition.is_built:
        db.index("t", "by_q").rebuild()
    return db


def write(db: rs.Database, number: int, seed: int) -> None:
    """Writes until it is killed."""
    dice = random.Random(seed * 100 + number)
    table, own = db.table("t"), f"{'az'[number % 2]}{number}"
    count = int(table.get(own).get(COLUMN, b"0"))
    while True:
        count += 1
        table.put(own, {COLUMN: str(count)})
        os.write(1, f"{own} {count}\n".encode())
        row, value = f"{dice.choice('klmno')}{dice.randrange(30)}", dice.choice("abcdef") * dice.randrange(1, 200)
        durability = dice.choice(["SKIP_WAL", "ASYNC_WAL", "SYNC_WAL", "FSYNC_WAL"])
        kind = dice.randrange(6)
        if kind < 2:
            table.put(row, {COLUMN: value, "g:q": value}, durability=durability)
        elif kind == 2:
            table.delete(row, dice.choice([None, [COLUMN], ["f"]]), durability=durability)
        elif kind == 3:
            table.append(row, COLUMN, "x", durability=durability)
        elif kind == 4:
            table.multi([rs.Put(f"{letter}x", {COLUMN: value}, durability=durability) for letter in "akz"])
        elif dice.randrange(20) == 0:
            db.admin.flush(dice.choice(["t", "t_by_q"]))


def writer(place: Path, seed: int) -> None:
    """The life of a writer."""
    with opened(place) as db:
        os.write(1, b"ready 0\n")
        threads = [threading.Thread(target=write, args=(db, number, seed), daemon=True) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        time.sleep(600)


def killed(place: Path, seed: int, seconds: float) -> dict[str, int]:
    """The acknowledged operations of a writer that is killed `seconds` after it was ready or began."""
    command = [sys.executable, "-m", "tests.indexes.kills", "--write", str(seed), "--at", str(place)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = []
    if seed % 4:
        lines.append(process.stdout.readline())
    timer = threading.Timer(seconds, process.send_signal, [signal.SIGKILL])
    timer.start()
    lines += process.stdout
    timer.join()
    process.stdout.close()
    if process.wait(60) != -signal.SIGKILL:
        raise Apart(f"the writer ended by itself, with {process.returncode}")
    whole = [line.split() for line in lines if line.endswith("\n")]
    return {row: int(count) for row, count in whole if row != "ready"}


def check(place: Path, acknowledged: dict[str, int]) -> int:
    """Number of rows, if none is missing and the index agrees."""
    with opened(place) as db:
        index, table = db.index("t", "by_q"), db.table("t")
        differences = index.verify()
        if differences:
            raise Apart(f"the index and its table differ: {differences}")
        rows = sum(1 for row in table.scan(columns=[COLUMN]))
        entries = index.cost().entries
        if rows != entries:
            raise Apart(f"{entries} entries for {rows} rows")
        for row, count in acknowledged.items():
            found = int(table.get(row).get(COLUMN, b"0"))
            if found < count or [one.key for one in index.query(equals=str(found)) if one.key == row.encode()] == []:
                raise Apart(f"row {row} was acknowledged with {count}, and is {found}")
        return rows


def run(place: Path, kills: int, seed: int, *, progress: bool = False) -> str:
    """A summary line of `kills` kills."""
    dice = random.Random(seed)
    known: dict[str, int] = {}
    rows = 0
    for number in range(kills):
        known |= killed(place, seed * 1_000 + number, dice.choice([0.05, 0.1, 0.2, 0.4, 0.8]))
        rows = check(place, known)
        if progress and number % 10 == 9:
            print(f"{number + 1} kills, {sum(known.values())} acknowledged, {rows} rows", flush=True)
    found = f"{sum(known.values())} acknowledged writes found, {rows} rows and entries"
    return f"{kills} kills, seed {seed}: {found}, none apart"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", type=Path)
    parser.add_argument("--write", type=int)
    arguments = parser.parse_args()
    if arguments.write is not None:
        writer(arguments.at, arguments.write)
    elif arguments.at is not None:
        print(run(arguments.at, arguments.kills, arguments.seed, progress=True))
    else:
        with tempfile.TemporaryDirectory() as folder:
            print(run(Path(folder) / "db", arguments.kills, arguments.seed, progress=True))


if __name__ == "__main__":
    main()
