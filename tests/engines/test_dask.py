"""Dask reads and writes tables: in threads of this process, and in two processes of which one is killed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import Compare, In, RowSchema, Sink, Source
from rowstone.engines import dask as rowstone_dask
from tests.engines.sample import SCHEMA, cells, fill, records, rows_of, same
from tests.jobs.deadly import die, first_time

COUNT = 200
# Warnings of Dask and pandas are not Rowstone's.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[rs.Database]:
    with rs.connect(tmp_path / "db") as db:
        fill(db, "t", COUNT)
        yield db


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A client of a cluster of two processes."""
    distributed, dask = import_module("distributed"), import_module("dask")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}),
        distributed.LocalCluster(processes=True, **options) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        yield client


def listed(frame: Any) -> list[dict[str, Any]]:
    """The rows of a pandas frame, with None for missing values."""
    table = import_module("pyarrow").Table.from_pandas(frame, preserve_index=False)
    found: list[dict[str, Any]] = table.to_pylist()
    return found


def test_a_frame_has_the_rows_of_the_table(db: rs.Database) -> None:
    frame = rowstone_dask.from_rowstone(Source(db, "t", SCHEMA))
    assert frame.npartitions == 4
    assert [str(kind) for kind in frame.dtypes] == [
        "string[pyarrow]",
        "int32[pyarrow]",
        "string[pyarrow]",
        "double[pyarrow]",
        "int64[pyarrow]",
    ]
    same(listed(frame.compute(scheduler="threads")), rows_of(db.table("t")))


def test_conditions_reach_the_scan(db: rs.Database) -> None:
    where = Compare("row", ">=", "r00150") & In("town", ("Oslo", "Rome"))
    frame = rowstone_dask.from_rowstone(Source(db, "t", SCHEMA), ["age"], where)
    assert frame.npartitions == 1
    found = listed(frame.compute(scheduler="threads"))
    expected = [one for one in records(COUNT)[150:] if one["town"] in ("Oslo", "Rome")]
    assert found == [{"age": one["age"]} for one in expected]


def test_only_the_columns_that_are_used_are_read(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[tuple[str, ...]] = []
    original = Source.read

    def noting(self: Source, plan: Any, split: Any) -> Iterator[Any]:
        read.append(plan.columns)
        return original(self, plan, split)

    monkeypatch.setattr(Source, "read", noting)
    frame = rowstone_dask.from_rowstone(Source(db, "t", SCHEMA))
    assert frame["visits"].sum().compute(scheduler="threads") == sum(one["visits"] for one in records(COUNT))
    assert set(read) == {("visits",)}


def test_an_empty_selection_keeps_the_columns(db: rs.Database) -> None:
    frame = rowstone_dask.from_rowstone(Source(db, "t", SCHEMA), where=Compare("row", "<", ""))
    assert len(frame.compute(scheduler="threads")) == 0
    assert list(frame.columns) == list(SCHEMA.names)


def test_a_frame_is_written(db: rs.Database) -> None:
    frame = rowstone_dask.from_rowstone(Source(db, "t", SCHEMA))
    db.create_table("copy", ["f"])
    with import_module("dask").config.set(scheduler="threads"):
        assert rowstone_dask.to_rowstone(frame, Sink(db, "copy", SCHEMA)) == COUNT
        old = frame[frame["age"] > 50][["row"]]
        assert rowstone_dask.to_rowstone(old, Sink(db, "copy", SCHEMA, mode="delete")) > 0
    same(rows_of(db.table("copy")), [one for one in records(COUNT) if (one["age"] or 0) <= 50])


def test_the_index_is_the_row_key(db: rs.Database) -> None:
    """A summary by a column is a frame with that index."""
    frame = rowstone_dask.from_rowstone(Source(db, "t", SCHEMA))
    db.create_table("towns", ["f"])
    schema = RowSchema("text", {"visits": ("f:visits", "int64")}, key_name="town")
    with import_module("dask").config.set(scheduler="threads"):
        summary = frame.groupby("town")[["visits"]].sum()
        for _ in range(2):
            rowstone_dask.to_rowstone(summary, Sink(db, "towns", schema, mode="increment"))
    wanted: dict[str, int] = {}
    for one in records(COUNT):
        if one["town"] is not None:
            wanted[one["town"]] = wanted.get(one["town"], 0) + 2 * one["visits"]
    found = {row.key.decode(): int.from_bytes(row["f:visits"]) for row in db.table("towns").scan()}
    assert found == wanted


def test_an_unknown_column_is_refused(db: rs.Database) -> None:
    with pytest.raises(rs.errors.NotFoundError, match="no column 'vists'; did you mean 'visits'"):
        rowstone_dask.from_rowstone(Source(db, "t", SCHEMA), ["vists"])


def dies_once(part: Any, marker: str) -> Any:
    """A partition, whose worker dies at the first one that it sees."""
    if len(part) and part["row"].iloc[0] == "r00050" and first_time(Path(marker)):
        die()
    return part


def test_a_killed_worker_and_a_split_change_nothing(db: rs.Database, cluster: Any, tmp_path: Path) -> None:
    """The first region is split after the partitions were listed. Workers read the directory, and write to a server."""
    db.create_table("copy", {"f": rs.Family(max_versions=3)})
    with rs.serve(db, port=0, zk_port=None) as server:
        frame = rowstone_dask.from_rowstone(Source(db, "t", SCHEMA))
        db.admin.regions.split("t", "r00020")
        deadly = frame.map_partitions(dies_once, str(tmp_path / "died"), meta=frame._meta)
        with cluster.as_current():
            assert rowstone_dask.to_rowstone(deadly, Sink(server.url, "copy", SCHEMA)) == COUNT
    assert (tmp_path / "died").exists()
    same(rows_of(db.table("copy")), records(COUNT))
    assert (
        len(cells(db.table("copy")))
        == sum(value is not None for one in records(COUNT) for value in one.values()) - COUNT
    )


def test_increments_of_a_killed_worker_are_added_once(db: rs.Database, cluster: Any, tmp_path: Path) -> None:
    frame = rowstone_dask.from_rowstone(Source(db, "t", SCHEMA))
    deadly = frame.map_partitions(dies_once, str(tmp_path / "died"), meta=frame._meta)[["row", "visits"]]
    with cluster.as_current():
        assert rowstone_dask.to_rowstone(deadly, Sink(db, "t", SCHEMA, mode="increment")) == COUNT
    assert [one["visits"] for one in rows_of(db.table("t"))] == [2 * one["visits"] for one in records(COUNT)]
