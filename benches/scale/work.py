"""The steps of the scale benchmark. Each runs in a process of its own, so that its memory and I/O are its own.

    python -m benches.scale.work load rowstone FOLDER ROWS CACHE_BYTES [SHARE_OF_PAGE_CACHE]

A step prints lines of JSON. The last one is its result.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benches.scale import page_cache
from benches.scale.data import COLUMNS, key_of, rows, values_of
from benches.scale.stores import STORES, Store

PORTION_ROWS = 20_000
READS = {"get": 100_000, "get, miss": 100_000, "multi-get of 1,000": 100_000, "scan of 100 rows": 500}
UNCLEAN_ROWS = 100_000
Result = dict[str, Any]


def process_facts() -> Result:
    """Peak of resident memory, and bytes written and read by this process."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    counted = dict(line.split(": ", 1) for line in Path("/proc/self/io").read_text().splitlines())
    return {
        "peak bytes": int(status["VmHWM"].split()[0]) * 1024,
        "written bytes": int(counted["write_bytes"]),
        "read bytes": int(counted["read_bytes"]),
    }


def load(store: Store, count: int) -> Result:
    """Write all rows that the store does not have yet, and wait until it has settled."""
    began, in_writes, first = time.perf_counter(), 0.0, store.progress()
    for start in range(first, count, PORTION_ROWS):
        end = min(start + PORTION_ROWS, count)
        portion = list(rows(start, end))
        writes_began = time.perf_counter()
        store.write(portion)
        store.set_progress(end)
        in_writes += time.perf_counter() - writes_began
        report = {"first row": first, "rows": end, "seconds": time.perf_counter() - began}
        print(json.dumps(report | process_facts()), flush=True)
    loaded = time.perf_counter() - began
    store.wait_for_compactions()
    return {
        "first row": first,
        "rows": count,
        "load seconds": loaded,
        "seconds in writes": in_writes,
        "settle seconds": time.perf_counter() - began - loaded,
        **store.facts(),
    }


def read(store: Store, count: int, rounds: int = 2) -> Result:
    """Microseconds of each kind of read, of rows at random. The last of the rounds counts."""
    dice, cost = random.Random(count), {}
    for _ in range(rounds):
        for name, number in READS.items():
            keys = [key_of(dice.randrange(count)) for _ in range(number)]
            expected = [values_of(key)[3] for key in keys]
            before = time.perf_counter()
            OPERATIONS[name](store, keys, expected)
            cost[name] = (time.perf_counter() - before) / number * 1e6
    return {"microseconds": cost, "limit bytes": store.memory_bytes}


def read_with_page_cache(store: Store, count: int, folder: Path, share: float) -> Result:
    """As ``read``, with page cache for a share of the files. A round before it fills the store's own caches."""
    read(store, count, rounds=1)
    with page_cache.limited(folder, share):
        return read(store, count)


def get(store: Store, keys: list[bytes], expected: list[bytes]) -> None:
    """Read single values."""
    value = store.value
    for key, right in zip(keys, expected, strict=True):
        check(key, value(key, 3), right)


def miss(store: Store, keys: list[bytes], _expected: list[bytes]) -> None:
    """Read values of rows that are between others and do not exist."""
    value = store.value
    for key in keys:
        check(key, value(key + b"-", 3), None)


def multi_get(store: Store, keys: list[bytes], expected: list[bytes]) -> None:
    """Read a thousand values in a call."""
    for start in range(0, len(keys), 1000):
        found = store.values(keys[start : start + 1000], 3)
        for key, value, right in zip(keys[start:], found, expected[start:], strict=False):
            check(key, value, right)


def scan(store: Store, keys: list[bytes], _expected: list[bytes]) -> None:
    """Read 100 rows. A sixteenth of the table follows the last start, so that there are always as many."""
    for key in keys:
        found = store.scan(min(key, b"f"), 100)
        if found != 100 * COLUMNS:
            raise AssertionError(f"a scan from {key!r} returned {found} cells")


OPERATIONS: dict[str, Callable[[Store, list[bytes], list[bytes]], None]] = {
    "get": get,
    "get, miss": miss,
    "multi-get of 1,000": multi_get,
    "scan of 100 rows": scan,
}


def check(key: bytes, found: bytes | None, expected: bytes | None) -> None:
    """Raise AssertionError if a read was wrong."""
    if found != expected:
        raise AssertionError(f"{key!r}: found {found!r}, expected {expected!r}")


def end_unclean(store: Store, count: int) -> Result:
    """Write the last rows once more, and be killed without a close."""
    store.write(list(rows(max(0, count - UNCLEAN_ROWS), count)))
    print(json.dumps(process_facts()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


STEPS: dict[str, Callable[[Store, int], Result]] = {
    "load": load,
    "read": read,
    "open": lambda store, count: {"is right": store.value(key_of(count - 1), 3) == values_of(key_of(count - 1))[3]},
    "end_unclean": end_unclean,
}


def main() -> None:
    """See the module's head."""
    step, engine, folder, count, cache_bytes, *share = sys.argv[1:]
    began = time.perf_counter()
    store = STORES[engine](Path(folder), int(cache_bytes))
    opened = time.perf_counter() - began
    if share:
        result = read_with_page_cache(store, int(count), Path(folder), float(share[0]))
    else:
        result = STEPS[step](store, int(count))
    closing = time.perf_counter()
    store.close()
    result |= {"open seconds": opened, "close seconds": time.perf_counter() - closing, **process_facts()}
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
