"""A cancelled call disturbs no other, leaves the threads at work, and loses no row of a scan."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from tests.aio.running import all_threads_busy, with_table
from tests.aio.test_calls import eventually, fill, open_scanners


async def cancelled(awaitable: Awaitable[Any]) -> asyncio.Task[Any]:
    """A task that awaited it, once, and was cancelled while it did."""
    task = asyncio.ensure_future(awaitable)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return task


@with_table(threads=2)
async def test_cancelled_calls_in_the_queue_never_run(db: rs.aio.Database, t: rs.aio.Table) -> None:
    async with all_threads_busy(db):
        others = [asyncio.create_task(t.put(f"kept{number}", {"f:q": "v"})) for number in range(10)]
        for number in range(10):
            await cancelled(t.put(f"cancelled{number}", {"f:q": "v"}))
    await asyncio.gather(*others)
    assert [row.key async for row in t.scan(prefix="cancelled")] == []
    assert len([row async for row in t.scan(prefix="kept")]) == 10


@with_table(threads=2)
async def test_a_running_call_finishes_despite_cancellation(db: rs.aio.Database, t: rs.aio.Table) -> None:
    def slow_put() -> None:
        begun.set()
        assert go_on.wait(60)
        blocking.put("r", {"f:q": "v"})

    begun, go_on = threading.Event(), threading.Event()
    blocking = db._database.table("t")  # type: ignore[attr-defined]
    task = asyncio.ensure_future(db._threads.run(slow_put))  # type: ignore[attr-defined]
    await asyncio.to_thread(begun.wait, 60)
    await cancelled(task)
    assert not await t.exists("r")
    go_on.set()
    assert await eventually(lambda: t.exists("r"))


@with_table(threads=3)
async def test_thousands_of_cancellations_leave_the_threads_healthy(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await fill(t, 100)
    for _ in range(20):
        tasks = [asyncio.create_task(t.get(f"r{number:06}")) for number in range(100)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, (rs.Row, asyncio.CancelledError)) for result in results)
        assert all(isinstance(result, rs.Row) for result in results[1::2])
    rows = await asyncio.gather(*(t.get(f"r{number:06}") for number in range(100)))
    assert all(rows)


@with_table(threads=2)
async def test_a_timeout_is_a_cancellation(db: rs.aio.Database, t: rs.aio.Table) -> None:
    async with all_threads_busy(db):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await t.get("r")
    assert not await t.get("r")


@with_table(threads=1)
async def test_a_cancelled_wait_for_a_row_loses_none(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await fill(t, 3000)
    seen = []
    rows = t.scan()
    for _ in range(5):
        async with all_threads_busy(db):
            while True:
                task = asyncio.ensure_future(anext(rows))
                await asyncio.sleep(0)
                if not task.done():
                    break
                seen.append(task.result().key)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        seen.append((await anext(rows)).key)
    seen += [row.key async for row in rows]
    assert seen == [f"r{number:06}".encode() for number in range(3000)]


@with_table(threads=1)
async def test_a_cancelled_close_closes(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await fill(t, 3000)
    rows = t.scan()
    await anext(rows)
    async with all_threads_busy(db):
        await cancelled(rows.close())
        assert rows.closed
    assert await open_scanners(db) == 0


@with_table(threads=1)
async def test_a_cancelled_flush_writes_what_it_took_or_keeps_it(db: rs.aio.Database, t: rs.aio.Table) -> None:
    batch = t.batch()
    await batch.put("r", {"f:q": "v"})
    async with all_threads_busy(db):
        await cancelled(batch.flush())
    await batch.flush()
    assert await t.exists("r")


def test_a_cancelled_connect_leaves_nothing_open(tmp_path: Path) -> None:
    async def run() -> None:
        for _ in range(5):
            await cancelled(_connected(tmp_path / "db"))

    asyncio.run(run())
    for thread in threading.enumerate():
        if thread.name.startswith("rowstone-aio"):
            thread.join()
    rs.connect(tmp_path / "db").close()


def test_connect_waits_for_a_cancelled_connect(tmp_path: Path) -> None:
    async def run() -> None:
        for _ in range(5):
            await cancelled(_connected(tmp_path / "db"))
            await (await _connected(tmp_path / "db")).close()

    asyncio.run(run())


def test_connect_and_close_wait_for_a_cancelled_close(tmp_path: Path) -> None:
    async def run() -> None:
        db = await _connected(tmp_path / "db")
        async with all_threads_busy(db):
            await cancelled(db.close())
            await cancelled(_connected(tmp_path / "db"))
            again = asyncio.create_task(_connected(tmp_path / "db"))
            await asyncio.sleep(0)
        await (await again).close()

        db = await _connected(tmp_path / "db")
        async with all_threads_busy(db):
            await cancelled(db.close())
        await db.close()
        rs.connect(tmp_path / "db").close()

    asyncio.run(run())


async def _connected(target: Path) -> rs.aio.Database:
    return await rs.aio.connect(target)
