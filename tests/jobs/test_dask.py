"""Count and export on a local Dask, whose worker is killed on the way: the same result as in process."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import jobs

distributed = pytest.importorskip("distributed")
# What Dask warns of is its own.
pytestmark = pytest.mark.filterwarnings("default")

ROWS = 400


class Killing:
    """Dask's executor, which kills one of its workers once, before anything has run."""

    stopped = None

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, function: Any, splits: Any) -> Any:
        futures = jobs.Futures(self._client.get_executor()).run(function, splits)
        first = next(iter(self._client.scheduler_info(n_workers=-1)["workers"]))
        [process] = self._client.run(os.getpid, workers=[first]).values()
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        return futures


def test_the_same_as_in_process_though_a_worker_is_killed(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], splits=[f"r{n:03}" for n in range(20, ROWS, 20)])
        with db.table("t").batch() as batch:
            for n in range(ROWS):
                batch.put(f"r{n:03}", {"f:n": str(n)})
        jobs.export_table(db, "t", tmp_path / "here.csv")
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            executor = Killing(client)
            assert jobs.count_rows(db, "t", executor=executor) == ROWS
            jobs.export_table(db, "t", tmp_path / "there.csv", executor=executor)
            assert jobs.summarise(db, "t", executor=executor) == jobs.summarise(db, "t")
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
