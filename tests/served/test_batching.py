"""Write buffering and scan caching of a client: rows share calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from benches import batching

import rowstone as rs
from rowstone import happybase
from tests.checklist import checklist
from tests.served.test_counting import calls

ROWS = 1_000
KEYS = [f"r{number:04}" for number in range(ROWS)]


@pytest.fixture
def server() -> Iterator[rs.Server]:
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        server.database.create_table("t", ["f"])
        with server.database.table("t").batch() as writer:
            for key in KEYS:
                writer.put(key, {"f:q": key})
        yield server


@pytest.fixture
def table(server: rs.Server) -> Iterator[rs.Table]:
    """The same table through a client that has cached its regions."""
    with rs.connect(server.url) as db:
        table = db.table("t")
        table.get("warm")
        yield table


def spent(server: rs.Server, before: dict[str, int]) -> dict[str, int]:
    """Return the calls since ``before``."""
    return {name: count - before.get(name, 0) for name, count in calls(server).items() if count != before.get(name, 0)}


@checklist("250", clause="a buffer of writes takes one call for many rows")
def test_a_buffer_of_writes_takes_one_call(server: rs.Server, table: rs.Table) -> None:
    before = calls(server)
    for key in KEYS:
        table.put(key, {"f:q": "alone"})
    assert spent(server, before) == {"Mutate": ROWS}
    before = calls(server)
    with table.batch() as writer:
        for key in KEYS:
            writer.put(key, {"f:q": "together"})
    found = spent(server, before)
    # Two, because more than 512 rows are sent in parallel lanes.
    assert set(found) == {"Multi"}
    assert found["Multi"] <= 2
    assert {row["f:q"] for row in server.database.table("t").scan()} == {b"together"}


@checklist("250", clause="a scan's caching bounds the rows of an answer")
def test_caching_bounds_the_rows_of_an_answer(server: rs.Server, table: rs.Table) -> None:
    taken = {}
    for caching in (1, 10, 1_000, None):
        before = calls(server)
        with table.scan(caching=caching) as rows:
            assert [row.key.decode() for row in rows] == KEYS
        taken[caching] = spent(server, before)["Scan"]
    # One call per row and one for the end of the scan; the first answers are small unless `caching` is set.
    assert ROWS <= taken[1] <= ROWS + 2
    assert ROWS / 10 <= taken[10] <= ROWS / 10 + 2
    assert taken[1_000] <= 3
    assert taken[None] <= 3


@checklist("250", clause="a bench compares one row of a call with a thousand")
def test_the_bench_runs(server: rs.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "ROWS", ROWS)
    server.database.create_table("bench", ["f"])
    with rs.connect(server.url) as db:
        found = batching.measured(db.table("bench"), 1)
    assert {name: set(rates) for name, rates in found.items()} == {
        name: {1, 10, 100, 1_000} for name in ("put", "scan")
    }
    assert "| 1,000 |" in batching.table_text(found)


def test_caching_changes_no_answer(table: rs.Table) -> None:
    for options in ({"limit": 7}, {"reverse": True}, {"prefix": "r05"}, {"filter": rs.row == "r0500"}, {"batch": 1}):
        plain = [row.key for row in table.scan(**options)]
        assert [row.key for row in table.scan(caching=3, **options)] == plain


def test_happybases_batch_size_is_caching(server: rs.Server) -> None:
    with closing(happybase.Connection(server.url)) as connection:
        table = connection.table("t")
        assert table.row("r0001")
        before = calls(server)
        assert len(list(table.scan(batch_size=10))) == ROWS
        assert ROWS / 10 <= spent(server, before)["Scan"] <= ROWS / 10 + 2


def test_a_directory_accepts_and_ignores_caching() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = db.table("t")
        table.put("a", {"f:q": "1"})
        table.put("b", {"f:q": "2"})
        assert [row.key for row in table.scan(caching=1)] == [b"a", b"b"]


@pytest.mark.parametrize("wrong", [0, -1, 2**31])
def test_caching_has_to_be_a_number_of_rows(table: rs.Table, wrong: int) -> None:
    with pytest.raises(rs.errors.InvalidArgument, match="caching"):
        table.scan(caching=wrong)
