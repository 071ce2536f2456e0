"""The judge of a whole HBase for hours, with several episodes side by side: `make judge OPS=2000000 JOBS=3`.

An episode mostly waits for HBase (tables are created and dropped, regions are flushed and compacted). Several run
concurrently, each in its own process, connection and table. The run ends with the seed to continue from, so that a long
run can be split. An episode is identified by its seed alone:

    python -m tests.hbase.cluster_judge hbase://… --seed 17 --episodes 1
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any

from tests.hbase.cluster.server import StandaloneHBase
from tests.hbase.cluster_judge import ClusterJudge, Totals, judge_for

REPORT_SECONDS = 30

_judge: ClusterJudge | None = None


def _connect(url: str) -> None:
    global _judge
    _judge = ClusterJudge(url)


def _episode(seed: int) -> Totals:
    assert _judge is not None
    return judge_for(_judge, seed, seconds=0, operations=0, episodes=1)


def judge_side_by_side(url: str, seed: int, operations: int, jobs: int) -> Iterator[tuple[Totals, int]]:
    """After each episode: the totals, and the first seed of which this does not know how it ends."""
    totals, done, pending = Totals(), set[int](), dict[Future[Totals], int]()
    following = seed
    with ProcessPoolExecutor(jobs, get_context("spawn"), _connect, (url,)) as pool:
        while True:
            while len(pending) < jobs and totals.operations < operations:
                pending[pool.submit(_episode, following)] = following
                following += 1
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                done.add(pending.pop(future))
                part = future.result()
                totals.episodes += part.episodes
                totals.operations += part.operations
                totals.failed += part.failed
            while seed in done:
                done.remove(seed)
                seed += 1
            yield totals, seed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 if all answers equal HBase's."""
    parser = argparse.ArgumentParser(prog="long_judge", description="Store and model against a whole HBase, for long.")
    parser.add_argument("--url", help="of the cluster; without, an HBase is started")
    parser.add_argument("--operations", type=int, default=2_000_000, help="at least so many")
    parser.add_argument("--jobs", type=int, default=3, help="episodes side by side")
    parser.add_argument("--seed", type=int, default=100_000, help="of the first episode")
    options = parser.parse_args(arguments)
    # A long run is ended by other programs too; the HBase that was started is ended with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if options.url:
        return _run(options.url, options)
    with StandaloneHBase() as server:
        return _run(server.url, options)


def _run(url: str, options: Any) -> int:
    holder = ClusterJudge(url)  # Holds the balancer still as long as there are others.
    totals, seed, began = Totals(), options.seed, time.monotonic()
    said = began
    try:
        for totals, seed in judge_side_by_side(url, options.seed, options.operations, options.jobs):
            if time.monotonic() - said >= REPORT_SECONDS:
                said = time.monotonic()
                rate = totals.operations / (said - began)
                print(f"{totals}; {rate:,.0f} a second; all seeds below {seed} are done", flush=True)
    except KeyboardInterrupt:
        print("stopped")
    finally:
        holder.close()
        minutes = (time.monotonic() - began) / 60
        print(f"seeds from {options.seed} to {seed - 1}: {totals}, in {minutes:,.0f} minutes", flush=True)
        for failed in totals.failed:
            print(failed)
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
