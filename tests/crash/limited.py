"""Processes with little: few open files, little memory.

python -m tests.crash.limited few_files|little_memory DIR
"""

from __future__ import annotations

import os
import resource
import sys
import threading
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.errors import RowstoneError

MEBIBYTE = 1 << 20


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def take_all_files(taken: list[int]) -> None:
    """Open files until the process may not open more."""
    while True:
        try:
            taken.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            return


class Rows:
    """A table `t` and the rows that were put into it."""

    def __init__(self, db: rs.Database) -> None:
        self.db = db
        self.table = db.table("t")
        self.written: list[str] = []

    def put(self) -> None:
        row = f"{len(self.written):03}"
        self.table.put(row, {"a:q": row, "b:q": row})
        self.written.append(row)

    def put_and_flush(self) -> RowstoneError | None:
        """Put a row and flush it to files of its own. Return the error of a flush that failed."""
        self.put()
        try:
            self.db.admin.flush("t")
        except RowstoneError as error:
            return error
        return None

    def check(self, table: rs.Table) -> None:
        """The table has all rows, and no others."""
        found = {row.key.decode(): (row.get("a:q"), row.get("b:q")) for row in table.scan()}
        assert found == {row: (row.encode(), row.encode()) for row in self.written}, found


def few_files(path: str) -> None:
    """The limit of open files is reached and raised; neither flushes nor an open that failed lose anything."""
    settings = {"rowstone.compaction.background": False}
    db = rs.connect(path, configuration=settings)
    db.create_table("t", {"a": {}, "b": {}})
    rows = Rows(db)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files() + 30, hard))
    # More files than handles: some are closed, and opened again for reads.
    assert [rows.put_and_flush() for _ in range(60)] == [None] * 60
    rows.check(rows.table)
    failure = run_out_of_files(rows)
    assert "Too many open files" in str(failure)
    assert "ulimit -n" in str(failure)
    rows.check(rows.table)
    db.admin.flush("t")
    rows.check(rows.table)
    db.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files() + 3, hard))
    with pytest.raises(RowstoneError, match="Too many open files"):
        rs.connect(path, configuration=settings)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with rs.connect(path, configuration=settings) as db:
        rows.check(db.table("t"))


def run_out_of_files(rows: Rows) -> RowstoneError | None:
    """Take all files that the database gives back, until a flush finds none. Return its error after ten more puts."""
    taken: list[int] = []
    failure = None
    while failure is None and len(rows.written) < 200:
        take_all_files(taken)
        failure = rows.put_and_flush()
    for _ in range(10):
        rows.put()
    for file in taken:
        os.close(file)
    return failure


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def address_space_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def little_memory(path: str) -> None:
    """Four threads write much more than fits into memory; the store makes them wait."""
    db = rs.connect(path, memstore_bytes=8 * MEBIBYTE, cache_bytes=4 * MEBIBYTE)
    db.create_table("t", {"a": {}})
    table = db.table("t")
    limit = address_space_bytes() + 256 * MEBIBYTE
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    before = peak_bytes()
    errors: list[BaseException] = []

    def write(thread: int) -> None:
        try:
            for number in range(1_600):
                table.put(f"{thread}-{number:05}", {"a:q": bytes([thread, number % 251]) * 32_768})
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    count = 0
    for row in table.scan(prefix="2-"):
        assert row.get("a:q") == bytes([2, count % 251]) * 32_768, row.key
        count += 1
    assert count == 1_600
    db.close()
    grown = (peak_bytes() - before) // MEBIBYTE
    assert grown < 128, f"{grown} MiB more for 400 MiB of cells"


def main() -> None:
    """See the module's head."""
    {"few_files": few_files, "little_memory": little_memory}[sys.argv[1]](sys.argv[2])


if __name__ == "__main__":
    main()
