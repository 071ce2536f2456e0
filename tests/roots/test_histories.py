"""Random histories: what each snapshot and the last table hold is what HBase finds there.

ROWSTONE_ROOTS_HISTORIES, ROWSTONE_ROOTS_SEED and ROWSTONE_ROOTS_JOBS change how many, which, and how many at once.
"""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from tests.hbase.cluster.server import StandaloneHBase
from tests.roots.histories import HistoryJudge, Totals, random_history
from tests.roots.session import RootSession

HISTORIES = 2
SHOWN = 5


def judge(server: StandaloneHBase, seeds: range) -> Totals:
    """Judge the histories with these seeds, one after another."""
    with contextlib.closing(RootSession(server)) as session:
        parties = HistoryJudge(session)
        for seed in seeds:
            before = len(parties.totals.differences)
            parties.judge(random_history(seed))
            print(*parties.totals.differences[before:], f"seed {seed}: {parties.totals}", sep="\n", flush=True)
        return parties.totals


def test_random_histories_have_equal_results(server: StandaloneHBase, session: RootSession) -> None:
    histories = int(os.environ.get("ROWSTONE_ROOTS_HISTORIES", HISTORIES))
    seed = int(os.environ.get("ROWSTONE_ROOTS_SEED", "1"))
    jobs = int(os.environ.get("ROWSTONE_ROOTS_JOBS", "1"))
    seeds = range(seed, seed + histories)
    with ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(judge, [server] * jobs, [seeds[job::jobs] for job in range(jobs)]))
    differences = [difference for part in parts for difference in part.differences]
    assert not differences, "\n\n".join(islice(differences, SHOWN))
    assert sum(part.histories for part in parts) == histories
