"""What may be passed as ``executor=``."""

from __future__ import annotations

import sys
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import jobs
from rowstone.jobs.executors import executor_of


def test_an_executor_is_known_by_its_name() -> None:
    ray = types.ModuleType("ray")
    client = type("Client", (), {"__module__": "distributed.client", "asynchronous": False})
    for given, kind in [
        (None, jobs.InProcess),
        ("threads", jobs.Threads),
        ("processes", jobs.Processes),
        ("ray", jobs.Ray),
        ("ray://there:10001", jobs.Ray),
        (ray, jobs.Ray),
        (client(), jobs.Dask),
        (ThreadPoolExecutor(1), jobs.Futures),
        (jobs.Threads(3), jobs.Threads),
    ]:
        assert type(executor_of(given, 1)) is kind, given
    assert type(executor_of(None, 2)) is jobs.Threads


@pytest.mark.parametrize("given", ["spark", 7, types.ModuleType("dask"), "tcp://there:8786"])
def test_what_is_no_executor_is_refused(given: object) -> None:
    with pytest.raises(rs.errors.InvalidType, match="there are 'threads', 'processes', a Dask client"):
        executor_of(given, 1)


def test_an_asynchronous_client_is_refused() -> None:
    client = type("Client", (), {"__module__": "distributed.client", "asynchronous": True})
    with pytest.raises(rs.errors.InvalidArgument, match="not asynchronous"):
        executor_of(client(), 1)


def test_without_ray_its_extra_is_named(db: rs.Database, t: rs.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"pip install 'rowstone\[ray\]'"):
        jobs.count_rows(db, "t", executor="ray")


def test_a_database_that_is_only_looked_at_is_counted_by_processes(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], splits=["m"])
        for row in ("a", "n", "z"):
            db.table("t").put(row, {"f:q": "v"})
    with rs.connect(tmp_path / "db", read_only=True) as db:
        assert jobs.count_rows(db, "t", executor="processes", workers=2) == 3


def test_workers_connect_to_a_cluster_with_its_options(tmp_path: Path) -> None:
    """Here with the address of a host that only the options know."""
    with rs.testing.server() as url, rs.connect(url) as there:
        there.create_table("t", ["f"])
        there.table("t").put("a", {"f:q": "v"})
        elsewhere = url.replace("127.0.0.1", "nowhere.invalid")
        with rs.connect(elsewhere, hosts={"nowhere.invalid": "127.0.0.1"}) as db:
            assert jobs.count_rows(db, "t", executor="processes", workers=2) == 1
