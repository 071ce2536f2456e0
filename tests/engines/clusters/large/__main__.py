"""ROWS rows written by Spark, and read by Spark, Ray, Dask and the row API: their digests are equal.

Regions split and move meanwhile, and one of Spark's two executors is killed half-way, of the write and of the read.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import rowstone as rs
from tests.engines.clusters.large import engines
from tests.engines.clusters.large.disturbances import Counts, disturbed, killed_half_way
from tests.engines.clusters.large.rows import Digest, expected, read_by_rows, split_points
from tests.hbase.cluster.processes import HBaseProcesses

REGIONS = 16
ROOT = Path(__file__).resolve().parents[4]
TABLE = "t"


def main() -> int:
    """Run it on each target and print a line for each step; 0 if all digests are equal."""
    parser = argparse.ArgumentParser(prog="spark")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--targets", nargs="+", choices=["directory", "hbase"], default=["directory", "hbase"])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    # Worker processes import this package too.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    wanted = expected(arguments.rows)
    print(f"seed {arguments.seed}, expected: {wanted}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="rowstone-spark-"))
    is_good = True
    try:
        for target in arguments.targets:
            with _hbase() if target == "hbase" else _directory(folder / "db") as (url, read_url):
                is_good &= _run(target, (url, read_url), arguments.rows, wanted, random.Random(arguments.seed), folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if is_good else 1


@contextmanager
def _directory(path: Path) -> Iterator[tuple[str, str]]:
    """A directory, which is written through a server, and read by all tasks."""
    with rs.connect(path) as db, rs.serve(db, port=0, zk_port=None) as server:
        yield server.url, str(path)


@contextmanager
def _hbase() -> Iterator[tuple[str, str]]:
    """An HBase of two region servers."""
    with HBaseProcesses(servers=2, heap="768m") as cluster:
        yield cluster.url, cluster.url


def _run(target: str, urls: tuple[str, str], count: int, wanted: Digest, chance: random.Random, folder: Path) -> bool:
    url, read_url = urls
    with rs.connect(url) as db:
        db.create_table(TABLE, ["f"], splits=split_points(REGIONS))
    counts = Counts()
    with disturbed(url, TABLE, chance, counts):
        with engines.spark_cluster(str(folder)) as spark:
            with killed_half_way(spark, counts):
                _timed(f"{target}: Spark writes", lambda: engines.write_by_spark(spark, url, TABLE, count))
            with killed_half_way(spark, counts):
                found = [_timed(f"{target}: Spark reads", lambda: engines.read_by_spark(spark, read_url, TABLE))]
        found.append(_timed(f"{target}: Ray reads", lambda: engines.read_by_ray(read_url, TABLE)))
        found.append(_timed(f"{target}: Dask reads", lambda: engines.read_by_dask(read_url, TABLE)))
    with rs.connect(url) as db:
        found.append(_timed(f"{target}: the row API reads", lambda: read_by_rows(db.table(TABLE))))
        regions = len(db.admin.regions.list(TABLE))
    is_good = all(one == wanted for one in found)
    print(f"{target}: {counts}; {regions} regions; digests are {'equal' if is_good else 'NOT equal'}", flush=True)
    return is_good


def _timed(name: str, work: Callable[[], Digest | None]) -> Digest | None:
    begin = time.monotonic()
    found = work()
    print(f"{name}: {time.monotonic() - begin:.1f} s{'' if found is None else f', {found}'}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
