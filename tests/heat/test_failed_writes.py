"""Failed writes do not count: in heat maps, counts of requests, metrics and quotas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

import rowstone as rs
from rowstone.errors import RowstoneError


@pytest.fixture(params=["directory", "cluster"])
def db(request: pytest.FixtureRequest) -> Iterator[rs.Database]:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=["m"])
        if request.param == "directory":
            yield db
            return
        with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
            yield client


def writes(db: rs.Database) -> int:
    return db.admin.metrics.heat_map("t").writes.total


def fail(db: rs.Database) -> None:
    """Writes of each kind, none of which is done."""
    table = db.table("t")
    for row in ("a", "z"):
        for write in (
            lambda row=row: table.put(row, {"none:q": "v"}),
            lambda row=row: table.delete(row, ["none:q"]),
            lambda row=row: table.increment(row, "none:q"),
            lambda row=row: table.append(row, {"none:q": "v"}),
        ):
            with pytest.raises(RowstoneError):
                write()
    with suppress(RowstoneError), table.batch() as batch:
        for row in ("b", "y"):
            batch.put(row, {"none:q": "v"})


def test_failed_writes_are_not_in_the_heat_map(db: rs.Database) -> None:
    fail(db)
    assert writes(db) == 0
    table = db.table("t")
    table.put("a", {"f:q": "v"})
    with table.batch() as batch:
        for row in ("b", "y"):
            batch.put(row, {"f:q": "v"})
    table.increment("c", "f:n")
    assert writes(db) == 4


def test_failed_writes_are_not_requests_of_regions() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=["m"])
        fail(db)
        assert db.admin.metrics.stats()["write_requests"] == 0
        db.table("t").put("a", {"f:q": "v"})
        with db.table("t").batch() as batch:
            for row in ("b", "c", "y"):
                batch.put(row, {"f:q": "v"})
        assert db.admin.metrics.stats()["write_requests"] == 4


def test_failed_writes_are_not_mutations_in_the_servers_metrics() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as client:
        server.database.create_table("t", ["f"])

        def puts() -> int:
            series = server._native.measured()["series"]
            return sum(count for name in ("put", "put_batch") for _, _, count in series[name][0])

        fail_client = client.table("t")
        with pytest.raises(RowstoneError):
            fail_client.put("a", {"none:q": "v"})
        before = puts()
        fail_client.put("a", {"f:q": "v"})
        assert (before, puts()) == (0, before + 1)
