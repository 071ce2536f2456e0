"""Indexes on asyncio, and synchronous functions that refuse asyncio's objects."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs, errors, jobs, keys
from tests.aio.running import with_table


@with_table()
async def test_an_index_is_awaited(db: rs.aio.Database, t: rs.aio.Table) -> None:
    """Regression: create_index returned the blocking index, and `async for` over a query was a TypeError."""
    for number in range(250):
        await t.put(f"r{number:03}", {"f:q": str(number % 2)})
    index = await db.create_index("t", "ix", "f:q", strategy="coprocessor")
    assert isinstance(index, rs.aio.Index)
    assert isinstance(await db.index("t", "ix"), rs.aio.Index)
    query = index.query(equals="1")
    assert [row.key async for row in query] == [f"r{number:03}".encode() for number in range(1, 250, 2)]
    assert query.explain().returned == 125
    assert [row.key async for row in index.query(limit=1)] == [b"r000"]
    assert await index.rebuild() == 0
    assert not await index.verify()
    with pytest.raises(errors.InvalidArgument):
        index.query(limit=0)
    [one] = await db.indexes("t")
    await one.drop()
    assert await db.indexes() == []


@with_table()
async def test_a_query_reads_on_the_threads_of_the_database(db: rs.aio.Database, t: rs.aio.Table) -> None:
    seen: list[str] = []

    class Note(rs.coprocessors.RegionObserver):
        def pre_scanner_open(self, context: Any, scan: rs.Scan) -> None:
            seen.append(threading.current_thread().name)

    index = await db.create_index("t", "ix", "f:q", strategy="filter")
    db.coprocessors.attach("t", Note())
    assert [row async for row in index.query()] == []
    assert seen
    assert all(name.startswith("rowstone-aio") for name in seen)


@with_table()
async def test_synchronous_functions_refuse_objects_of_asyncio(db: rs.aio.Database, t: rs.aio.Table) -> None:
    """Regression: 'coroutine' object is not iterable."""
    given: Any = db
    table: Any = t
    calls: list[Callable[[], Any]] = [
        lambda: keys.KeyedTable(table, keys.Key(keys.text("n"))),
        lambda: codecs.typed(table),
        lambda: codecs.declare(given, "t", {"f:q": "text"}),
        lambda: rs.coprocessors.aggregate(table, "f:q"),
        lambda: jobs.count_rows(given, "t"),
        lambda: jobs.copy_table(given, "t", given, "u"),
        lambda: jobs.create_table_like(given, "t", given, "u"),
        lambda: jobs.import_file(given, "t", "x.csv", {"b": "f:b"}),
        lambda: jobs.join(given, "t", "t", on="f:q"),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"of rowstone\.aio: pass the synchronous"):
            call()
