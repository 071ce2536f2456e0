"""The asyncio twins before a real HBase: many calls at once, scans over regions, cancellations."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import rowstone as rs
from tests.hbase.cluster.server import StandaloneHBase


def with_cluster(hbase: StandaloneHBase, test: Callable[[rs.aio.Database], Awaitable[Any]]) -> None:
    async def run() -> None:
        async with rs.aio.connect(hbase.url, threads=16) as db:
            await test(db)

    asyncio.run(run())


def test_a_thousand_gets_at_once_and_a_scan(hbase: StandaloneHBase) -> None:
    async def test(db: rs.aio.Database) -> None:
        await db.create_table("many", ["f"], splits=["r0300", "r0600"])
        table = db.table("many")
        async with table.batch() as batch:
            for number in range(1000):
                await batch.put(f"r{number:04}", {"f:q": str(number)})
        rows = await asyncio.gather(*(table.get(f"r{number:04}") for number in range(1000)))
        assert [row["f:q"] for row in rows] == [str(number).encode() for number in range(1000)]
        assert [row.key async for row in table.scan()] == [row.key for row in rows]
        async with table.scan(prefix="r05", reverse=True) as found:
            assert (await anext(found)).key == b"r0599"

    with_cluster(hbase, test)


def test_cancelled_calls_disturb_no_other(hbase: StandaloneHBase, table: rs.Table) -> None:
    table.put("r", {"f:q": "v"})

    async def test(db: rs.aio.Database) -> None:
        ours = db.table(table.name)
        tasks = [asyncio.create_task(ours.get("r")) for _ in range(200)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(result["f:q"] == b"v" for result in results[1::2] if isinstance(result, rs.Row))
        assert all(isinstance(result, rs.Row) for result in results[1::2])
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await ours.get("r")
        assert (await ours.get("r"))["f:q"] == b"v"

    with_cluster(hbase, test)


def test_a_missing_table_shows_with_the_first_use(hbase: StandaloneHBase) -> None:
    async def test(db: rs.aio.Database) -> None:
        missing = db.table("missing")
        with pytest.raises(rs.errors.TableNotFound):
            await missing.get("r")
        with pytest.raises(rs.errors.TableNotFound):
            await anext(missing.scan())

    with_cluster(hbase, test)
