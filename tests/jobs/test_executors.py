"""Valid and invalid values of ``executor=``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import jobs
from rowstone.jobs.executors import executor_of
from tests.python.structure import ROOT


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
def test_invalid_executors_are_refused(given: object) -> None:
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


PROGRAM = """
import sys, pathlib
from rowstone import jobs
from tests.jobs.deadly import note_and_wait
if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    list(jobs.Processes(2).run(note_and_wait, [folder, folder]))
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_a_job_that_ends_leaves_no_process_behind(tmp_path: Path, sign: signal.Signals) -> None:
    script = tmp_path / "script.py"
    script.write_text(PROGRAM)
    noted = tmp_path / "noted"
    noted.mkdir()
    command = [sys.executable, str(script), str(noted)]
    child = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path))})
    _wait_until(lambda: len(list(noted.iterdir())) == 2)
    child.send_signal(sign)
    assert child.wait(60) != 0
    _wait_until(lambda: not any(_is_alive(int(path.name)) for path in noted.iterdir()))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def _wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("a minute was not enough")
