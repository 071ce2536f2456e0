"""Calls, scans, batches: the same answers as the blocking ones, many at once."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from tests.aio.running import all_threads_busy, with_table


async def fill(table: rs.aio.Table, count: int) -> None:
    async with table.batch() as batch:
        for number in range(count):
            await batch.put(f"r{number:06}", {"f:q": str(number)})


async def open_scanners(db: rs.aio.Database) -> int:
    return (await db.admin.metrics.stats())["open_scanners"]


async def eventually(condition: Callable[[], Any]) -> bool:
    """Whether the condition holds after some turns of the database's threads."""
    for _ in range(1000):
        if await condition():
            return True
    return False


@with_table()
async def test_a_thousand_gets_at_once(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await asyncio.gather(*(t.put(f"r{number}", {"f:q": str(number)}) for number in range(1000)))
    rows = await asyncio.gather(*(t.get(f"r{number}") for number in range(1000)))
    assert [row["f:q"] for row in rows] == [str(number).encode() for number in range(1000)]
    counted = await asyncio.gather(*(t.increment("c", "f:n") for _ in range(1000)))
    assert sorted(counted) == list(range(1, 1001))


@with_table(threads=1)
async def test_gets_of_rows_in_memory_need_no_thread_and_leave_others_their_turn(
    db: rs.aio.Database, t: rs.aio.Table
) -> None:
    await t.put("r", {"f:q": "v"})
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    async with all_threads_busy(db):
        for _ in range(1000):
            assert (await t.get("r", ["f:q"], versions=1))["f:q"] == b"v"
        assert not await t.get("missing")
        with pytest.raises(rs.errors.NoSuchColumnFamily):
            await t.get("r", ["none"])
    counting.cancel()
    assert turns > 20
    await db.close()
    with pytest.raises(rs.errors.DatabaseClosed):
        await t.get("r")


@with_table()
async def test_every_kind_of_call(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await t.put("r", {"f:q": "v", "g:q": "w"}, timestamp=5)
    assert await t.exists("r")
    assert (await t["r"])["f:q"] == b"v"
    with pytest.raises(KeyError):
        await t["none"]
    assert (await t.schema).name == t.name == "t"
    assert set((await t.as_map())[b"r"]) == {b"f", b"g"}
    assert await t.columns("f") == {b"f:q"}
    assert await t.append("r", "f:log", "x") == b"x"
    assert (await t.check_and_mutate("r", "f:q", "EQUAL", "v", rs.Put("r", {"f:q": "v2"}))).success
    [row, error] = await t.multi([rs.Get("r"), rs.Put("r", {"none:q": "v"})])
    assert isinstance(row, rs.Row)
    assert isinstance(error, rs.errors.NoSuchColumnFamily)
    assert (await t.as_of(5).get("r"))["f:q"] == b"v"
    for keys in (t, t.keys(), t.as_of(5), t.as_of(5).keys()):
        assert [key async for key in keys] == [b"r"]
    for items in (t.items(), t.as_of(5).items()):
        assert [key async for key, _ in items] == [b"r"]
    assert (t.as_of(5).name, (await t.as_of(5).schema).name) == ("t", "t")
    await t.delete("r")
    assert not await t.get("r")
    assert await db.tables() == ["t"]
    await db.admin.namespaces.create("ns")
    assert "ns" in await db.admin.namespaces.list()
    assert await db.create_table("t", ["f"], if_not_exists=True) is False
    await db.drop_table("t", force=True)
    with pytest.raises(rs.errors.TableNotFound):
        await t.get("r")
    assert repr(t) == "Table('t')"


@with_table()
async def test_errors_are_raised_where_they_are_awaited(db: rs.aio.Database, t: rs.aio.Table) -> None:
    with pytest.raises(rs.errors.NoSuchColumnFamily):
        await t.put("r", {"none:q": "v"})
    with pytest.raises(TypeError):
        await t.get("r", nonsense=1)  # type: ignore[call-arg]
    missing = db.table("missing")
    with pytest.raises(rs.errors.TableNotFound):
        await missing.get("r")
    with pytest.raises(rs.errors.TableNotFound):
        await anext(missing.scan())
    with pytest.raises(rs.errors.InvalidName):
        db.table("no good")
    await db.create_table("missing", ["f"])
    assert not await missing.get("r")


@with_table()
async def test_a_scan_reads_everything_in_order(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await fill(t, 5000)
    assert [row.key async for row in t.scan()] == [f"r{number:06}".encode() for number in range(5000)]
    assert [row.key async for row in t.scan("r000010", reverse=True, limit=3)] == [b"r000010", b"r000009", b"r000008"]
    assert [value async for _, value in t.scan(limit=3).pairs("f:q")] == [b"0", b"1", b"2"]
    assert [row async for row in t.scan(prefix="none")] == []
    keys, columns = await t.scan(limit=2).to_columns()
    assert (keys, columns) == ([b"r000000", b"r000001"], {b"f:q": [b"0", b"1"]})
    assert len(await t.scan().pandas()) == 5000
    assert await open_scanners(db) == 0


@with_table()
async def test_one_batch_is_read_ahead_and_no_more(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await fill(t, 5000)
    async with t.scan() as rows:
        await anext(rows)
        blocking = rows._scanner  # type: ignore[attr-defined]
        await eventually(lambda: db._threads.run(rows._ahead.done))  # type: ignore[attr-defined]
        # The rest of the scan after the first batch and the one that was read ahead.
        assert next(blocking).key == b"r000048"


@with_table()
async def test_an_early_exit_closes(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await fill(t, 5000)
    async with t.scan() as rows:
        async for _ in rows:
            break
        assert await open_scanners(db) == 1
    assert rows.closed
    assert await open_scanners(db) == 0
    with pytest.raises(rs.errors.ScannerClosed):
        await anext(rows)
    await rows.close()
    async for _ in t.scan():
        break
    gc.collect()

    async def none_open() -> bool:
        return await open_scanners(db) == 0

    assert await eventually(none_open)
    unused = t.scan()
    await unused.close()
    assert await open_scanners(db) == 0


@with_table()
async def test_a_scan_has_one_reader(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await fill(t, 100)
    rows = t.scan()
    results = await asyncio.gather(anext(rows), anext(rows), return_exceptions=True)
    assert isinstance(results[0], rs.Row)
    assert isinstance(results[1], rs.errors.StateError)
    with pytest.raises(rs.errors.StateError):
        await rows.to_columns()
    assert len([row async for row in rows]) == 99


@with_table()
async def test_a_scan_that_is_read_at_once_is_not_opened_again_by_an_iteration(
    db: rs.aio.Database, t: rs.aio.Table
) -> None:
    await fill(t, 100)
    rows = t.scan()
    columns, row = await asyncio.gather(rows.to_columns(), anext(rows), return_exceptions=True)
    assert isinstance(row, rs.errors.StateError)
    assert not isinstance(columns, BaseException)
    assert len(columns[0]) == 100
    assert [row async for row in rows] == []


@with_table()
async def test_a_closed_scan_is_not_opened_again_by_a_block(db: rs.aio.Database, t: rs.aio.Table) -> None:
    rows = t.scan()
    await rows.close()
    with pytest.raises(rs.errors.ScannerClosed):
        async with rows:
            pass
    assert await open_scanners(db) == 0


@with_table()
async def test_a_block_of_a_scan_or_a_batch_may_end_after_the_database_was_closed(
    db: rs.aio.Database, t: rs.aio.Table
) -> None:
    """As with the blocking API, nothing is left to do, and an exception of the block is not replaced."""
    await fill(t, 10)

    async def end() -> None:
        async with t.scan() as rows, t.batch() as batch:
            await anext(rows)
            await batch.put("r", {"f:q": "v"})
            await batch.flush()
            await db.close()
            await batch.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await end()


@with_table()
async def test_a_batch_says_that_the_database_was_closed_before_all_was_written(
    db: rs.aio.Database, t: rs.aio.Table
) -> None:
    batch = t.batch()
    await batch.put("r", {"f:q": "v"})
    await db.close()
    with pytest.raises(rs.errors.DatabaseClosed):
        await batch.close()


@with_table()
async def test_a_scan_that_fails_on_the_way_says_so(db: rs.aio.Database, t: rs.aio.Table) -> None:
    await fill(t, 5000)
    rows = t.scan()
    await anext(rows)
    await db.close()
    with pytest.raises(rs.errors.DatabaseClosed):
        [row async for row in rows]


@with_table()
async def test_a_buffer_writes_when_it_is_full(db: rs.aio.Database, t: rs.aio.Table) -> None:
    async with t.batch(buffer_bytes=1000) as batch:
        for number in range(100):
            await batch.put(f"r{number:06}", {"f:q": "v" * 50})
            assert len(batch) * 50 < 1000
        assert len([row async for row in t.scan()]) == 100 - len(batch)
        await batch.delete("r000000")
        await batch.mutate(rs.Put("s", {"f:q": "v"}))
    assert len([row async for row in t.scan()]) == 100
    with pytest.raises(rs.errors.InvalidArgument):
        await batch.put("r", {"f:q": "v"})
    await batch.close()


@with_table()
async def test_many_tasks_share_a_buffer(db: rs.aio.Database, t: rs.aio.Table) -> None:
    async with t.batch(buffer_bytes=500) as batch:

        async def put(task: int) -> None:
            for number in range(100):
                await batch.put(f"{task}-{number}", {"f:q": "v" * 20})

        await asyncio.gather(*map(put, range(20)))
    assert len([row async for row in t.scan()]) == 2000


@with_table()
async def test_tasks_that_create_a_buffer_at_once_lose_no_put(db: rs.aio.Database, t: rs.aio.Table) -> None:
    for number in range(20):
        batch = db.table("t").batch()
        await asyncio.gather(*(batch.put(f"{number}-{task}", {"f:q": "v"}) for task in range(20)))
        await batch.close()
    assert len([row async for row in t.scan()]) == 400


@with_table()
async def test_a_put_that_a_close_overtakes_raises(db: rs.aio.Database, t: rs.aio.Table) -> None:
    batch = t.batch()
    put = asyncio.create_task(batch.put("r", {"f:q": "v"}))
    await asyncio.sleep(0)
    await batch.close()
    with pytest.raises(rs.errors.InvalidArgument, match="the writer is closed"):
        await put
    assert len(batch) == 0


@with_table()
async def test_a_buffer_reports_what_failed(db: rs.aio.Database, t: rs.aio.Table) -> None:
    batch = t.batch()
    await batch.put("a", {"f:q": "v"})
    await batch.put("b", {"none:q": "v"})
    with pytest.raises(rs.errors.NoSuchColumnFamily) as caught:
        await batch.flush()
    assert [row for row, _ in caught.value.failures] == [b"b"]  # type: ignore[attr-defined]
    assert await t.exists("a")
    with pytest.raises(rs.errors.InvalidArgument):
        t.batch(buffer_bytes=0)


def test_close_waits_for_earlier_calls_and_refuses_later_ones(tmp_path: Path) -> None:
    async def run() -> None:
        db = await rs.aio.connect(tmp_path / "db", threads=2)
        assert not db.closed
        assert db.path == str(tmp_path / "db")
        assert not db.read_only
        await db.create_table("t", ["f"])
        table = db.table("t")
        # Earlier calls finish before it closes.
        writes = [asyncio.create_task(table.put(f"r{number}", {"f:q": "v"})) for number in range(50)]
        await asyncio.sleep(0)
        await db.close()
        await asyncio.gather(*writes)
        await db.close()
        assert db.closed
        for call in (table.get("r"), db.tables(), anext(table.scan())):
            with pytest.raises(rs.errors.DatabaseClosed):
                await call
        async with rs.aio.connect(tmp_path / "db") as again:
            assert len([row async for row in again.table("t").scan()]) == 50

    asyncio.run(run())
    rs.connect(tmp_path / "db").close()


def test_one_database_serves_several_loops() -> None:
    db = asyncio.run(_opened())
    asyncio.run(db.create_table("t", ["f"]))
    table = db.table("t")
    asyncio.run(table.put("r", {"f:q": "v"}))
    assert asyncio.run(table.get("r"))["f:q"] == b"v"
    asyncio.run(db.close())


async def _opened() -> rs.aio.Database:
    return await rs.aio.connect(":memory:")


def test_a_connect_is_awaited_once() -> None:
    async def run() -> None:
        connecting = rs.aio.connect(":memory:")
        async with connecting as db:
            with pytest.raises(rs.errors.StateError, match="already awaited"):
                await connecting
            assert await db.tables() == []

    asyncio.run(run())


def test_missing_databases_and_invalid_threads_are_refused(tmp_path: Path) -> None:
    async def run(target: Any, **options: Any) -> None:
        async with rs.aio.connect(target, **options):
            pass

    with pytest.raises(rs.errors.NotADatabase):
        asyncio.run(run(tmp_path / "none", create=False))
    for threads in (0, 10_000, "8"):
        with pytest.raises(rs.errors.InvalidArgument):
            asyncio.run(run(":memory:", threads=threads))


def test_in_the_child_of_a_fork_it_is_an_error() -> None:
    script = """
import asyncio, os, rowstone as rs
async def opened():
    db = await rs.aio.connect(":memory:")
    await db.create_table("t", ["f"])
    return db
db = asyncio.run(opened())
child = os.fork()
if child == 0:
    try:
        asyncio.run(db.tables())
    except rs.errors.ForkedHandle:
        asyncio.run(db.close())
        os._exit(0)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert asyncio.run(db.tables()) == ["t"]
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, env=os.environ, timeout=60)


def test_an_open_database_is_closed_at_exit(tmp_path: Path) -> None:
    script = f"""
import asyncio, rowstone as rs
async def run():
    db = await rs.aio.connect({str(tmp_path / "db")!r})
    await db.create_table("t", ["f"])
    await db.table("t").put("r", {{"f:q": "v"}}, durability="ASYNC_WAL")
asyncio.run(run())
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    with rs.connect(tmp_path / "db") as db:
        assert db.table("t").get("r")["f:q"] == b"v"


async def fail_in_a_batch(t: rs.aio.Table, **options: Any) -> list[str]:
    """The notes of the exception."""

    async def fail() -> None:
        async with t.batch(**options) as batch:
            await batch.put("a", {"f:q": "1"})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as raised:
        await fail()
    return raised.value.__notes__


@with_table()
async def test_a_batch_whose_block_raises(db: rs.aio.Database, t: rs.aio.Table) -> None:
    [note] = await fail_in_a_batch(t, transaction=True)
    assert "1 mutations of the batch were dropped" in note
    assert not await t.exists("a")
    [note] = await fail_in_a_batch(t)
    assert "1 mutations of the batch were written" in note
    assert await t.exists("a")
    with pytest.raises(rs.errors.InvalidArgument, match="pass no buffer_bytes"):
        t.batch(transaction=True, buffer_bytes=1)


@with_table()
async def test_blocking_iteration_and_membership_are_refused(db: rs.aio.Database, table: rs.aio.Table) -> None:
    for one in (table, table.as_of(5)):
        with pytest.raises(TypeError):
            _ = "r" in one
        with pytest.raises(TypeError):
            list(one)
