"""Jobs in processes, on a local Dask and a local Ray, with a worker killed on the way: the same as in this process.

``make jobs-distributed`` runs all of it; the tests of each day only some, on Dask: Ray's wheel has 80 MB, and a worker
takes seconds to come back.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import jobs
from rowstone.jobs.executors import executor_of
from tests.jobs.deadly import DiesAfter, DiesAlways, DiesAtValue, Refuses, Wrapped

KINDS = os.environ.get("ROWSTONE_DISTRIBUTED", "").split()
ROWS = 5_000 if KINDS else 400
OUTPUTS = ["out.csv", "out"] if KINDS else ["out.csv"]
INDEXES = {"coprocessor": {}} | ({"periodic": {}, "dual": {}, "summary": {"by": 50, "sums": "f:n"}} if KINDS else {})
# Warnings of Dask and Ray are not Rowstone's.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module", params=KINDS or ["dask"])
def executor(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Values for ``executor=``, with two workers."""
    if request.param == "processes":
        yield jobs.Processes(2)
    elif request.param == "dask":
        distributed, dask = import_module("distributed"), import_module("dask")
        options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
        with (
            # A local cluster ends a worker 15 seconds after it took the place of a dead one: see
            # docs/how-to/distributed-jobs.md.
            dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}),
            distributed.LocalCluster(processes=True, **options) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client
    else:
        ray = import_module("ray")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield ray
        ray.shutdown()


@pytest.fixture
def db(tmp_path: Path) -> Iterator[rs.Database]:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"], splits=[f"r{n:06}" for n in range(ROWS // 10, ROWS, ROWS // 10)])
        with db.table("t").batch() as batch:
            for n in range(ROWS):
                batch.put(f"r{n:06}", {"f:n": (n % 900).to_bytes(8, "big"), "f:t": f"{n}"})
        yield db


def contents(table: rs.Table) -> list[tuple[bytes, dict[bytes, bytes]]]:
    """Rows of an index, without up to when it knows its table."""
    return [(row.key, row.to_dict()) for row in table.scan() if row.key != b"m"]


def test_count_and_summary(db: rs.Database, executor: Any, tmp_path: Path) -> None:
    deadly = Wrapped(executor_of(executor, 2), lambda function: DiesAfter(function, tmp_path / "died"))
    assert jobs.count_rows(db, "t", executor=deadly) == ROWS
    assert (tmp_path / "died").exists()
    assert jobs.summarize_table(db, "t", executor=executor) == jobs.summarize_table(db, "t")


@pytest.mark.parametrize("name", OUTPUTS)
def test_exports_survive_dying_workers(db: rs.Database, executor: Any, tmp_path: Path, name: str) -> None:
    """One worker dies in the middle of a split, another after its end."""
    deadly = Wrapped(executor_of(executor, 2), lambda function: DiesAfter(function, tmp_path / "died after"))
    decoder = DiesAtValue(f"{ROWS // 4}".encode(), tmp_path / "died within")
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    done = jobs.export_table(
        db,
        "t",
        tmp_path / "there" / name,
        ["f:t"],
        format="csv",
        decode={"f:t": decoder},
        executor=deadly,
        part_bytes=ROWS * 5,
    )
    assert {path.name for path in tmp_path.glob("died*")} == {"died after", "died within"}
    expected = jobs.export_table(db, "t", tmp_path / "here" / name, ["f:t"], format="csv", part_bytes=ROWS * 5)
    assert (done.rows, done.lines) == (expected.rows, expected.lines) == (ROWS, ROWS)
    assert [path.name for path in done.files] == [path.name for path in expected.files]
    assert [path.read_bytes() for path in done.files] == [path.read_bytes() for path in expected.files]
    assert sorted((tmp_path / "there").rglob("*.csv")) == sorted(done.files)


@pytest.mark.parametrize("strategy", INDEXES)
def test_index_rebuilds_survive_dying_workers(db: rs.Database, executor: Any, tmp_path: Path, strategy: str) -> None:
    wanted = db.create_index("t", "here", "f:n", strategy=strategy, codec="int64", **INDEXES[strategy])  # type: ignore[arg-type]
    index = db.create_index("t", "i", "f:n", strategy=strategy, codec="int64", build=False, **INDEXES[strategy])  # type: ignore[arg-type]
    deadly = Wrapped(executor_of(executor, 2), lambda function: DiesAfter(function, tmp_path / "died"))
    index.rebuild(executor=deadly)
    assert (tmp_path / "died").exists()
    assert contents(db.table("t_i")) == contents(db.table("t_here"))
    assert not index.verify()
    assert [row.key for row in index.query(5, 8)] == [row.key for row in wanted.query(5, 8)]
    assert wanted.rebuild(executor=executor) == 0


def test_a_rebuild_since_a_time_and_after_deletes(db: rs.Database, executor: Any) -> None:
    index = db.create_index("t", "i", "f:n", strategy="summary", codec="int64", by=50, sums="f:n")
    db.table("t").delete("r000003")
    db.table("t").put("r000004", {"f:n": (999).to_bytes(8, "big")})
    assert index.rebuild(since=index.lag().since, executor=executor) == 2
    assert not index.verify()


def test_decoder_errors_are_raised_without_a_retry(db: rs.Database, executor: Any, tmp_path: Path) -> None:
    refuses = Refuses(f"{ROWS // 2}".encode(), tmp_path / "calls")
    with pytest.raises(rs.errors.InvalidArgument, match="cannot be decoded: not this one"):
        jobs.export_table(db, "t", tmp_path / "out.csv", ["f:t"], decode={"f:t": refuses}, executor=executor)
    assert (tmp_path / "calls").read_text() == "called\n"
    assert not (tmp_path / "out.csv").exists()
    # It continues after the complete parts.
    assert jobs.export_table(db, "t", tmp_path / "out.csv", ["f:t"], executor=executor).resumed


def test_a_split_that_kills_each_worker_ends_the_job(db: rs.Database, executor: Any) -> None:
    with pytest.raises(Exception, match=r"(?i)died") as caught:
        jobs.count_rows(db, "t", executor=Wrapped(executor_of(executor, 2), DiesAlways))
    assert type(caught.value).__name__ in ("BrokenProcessPool", "KilledWorker", "WorkerCrashedError")


def test_no_library_is_imported_that_is_not_used() -> None:
    code = (
        "import sys, rowstone.jobs; print([n for n in ('distributed', 'dask', 'ray', 'pyarrow') if n in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
