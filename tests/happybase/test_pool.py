"""A pool lends what works, to one thread at a time, and says when there is nothing to lend."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import happybase
from rowstone.happybase import ConnectionPool, NoConnectionsAvailable, _shared


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[ConnectionPool]:
    pool = ConnectionPool(size=2, host=tmp_path / "db")
    yield pool
    pool.close()


@pytest.mark.parametrize(("size", "error"), [("2", TypeError), (0, ValueError), (-1, ValueError)])
def test_invalid_sizes_are_refused(size: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        ConnectionPool(size=size)  # type: ignore[arg-type]


def test_a_wrong_target_is_known_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(happybase.TTransportException):
        ConnectionPool(size=1, host=tmp_path / "file")


def test_a_block_within_a_block_gets_the_same_connection(pool: ConnectionPool) -> None:
    with pool.connection() as outer, pool.connection() as inner:
        assert inner is outer
    with pool.connection(timeout=0.01):
        pass


def test_an_exhausted_pool_raises_an_error(pool: ConnectionPool) -> None:
    raised: list[BaseException] = []

    def borrow() -> None:
        try:
            with pool.connection(timeout=0.01):
                pass
        except NoConnectionsAvailable as error:
            raised.append(error)

    def hold(depth: int) -> None:
        with pool.connection():
            thread = threading.Thread(target=hold if depth else borrow, args=(depth - 1,) if depth else ())
            thread.start()
            thread.join()

    hold(1)
    assert len(raised) == 1
    assert isinstance(raised[0], RuntimeError)


def test_a_connection_that_was_closed_in_the_block_is_opened_for_the_next(pool: ConnectionPool) -> None:
    with pool.connection() as connection:
        connection.close()
    with pool.connection() as connection:
        assert connection.tables() == []


def test_a_database_that_was_closed_behind_the_pool_is_opened_again(pool: ConnectionPool) -> None:
    with pool.connection() as connection:
        connection.create_table("t", {"cf": {}})
        connection.database.close()
    with pool.connection() as connection:
        assert connection.tables() == [b"t"]


@pytest.mark.parametrize("error", [happybase.TException("x"), happybase.IOError(b"x"), OSError("x")])
def test_after_trouble_the_connection_is_another_one(pool: ConnectionPool, error: Exception) -> None:
    with pytest.raises(type(error)), pool.connection() as connection:  # noqa: PT012
        before = connection.transport
        connection.transport.close()
        raise error
    with pool.connection() as connection:
        assert connection.transport is not before
        assert connection.tables() == []


def test_trouble_in_an_inner_block_leaves_the_outer_one_a_connection_that_works(pool: ConnectionPool) -> None:
    with pool.connection() as connection:
        with pytest.raises(happybase.TException), pool.connection():  # noqa: PT012
            connection.transport.close()
            raise happybase.TException("x")
        assert connection.tables() == []


def test_other_errors_are_no_trouble_of_the_connection(pool: ConnectionPool) -> None:
    with pytest.raises(LookupError), pool.connection() as connection:  # noqa: PT012
        before = connection.transport
        raise LookupError
    with pool.connection() as connection:
        assert connection.transport is before


def test_the_first_error_is_raised_if_reconnecting_fails(rowstone_db: rs.Database) -> None:
    pool = ConnectionPool(size=1, database=rowstone_db)
    with pytest.raises(happybase.IOError), pool.connection():  # noqa: PT012
        rowstone_db.close()
        raise happybase.IOError(b"the database is closed")
    with pytest.raises(happybase.TTransportException), pool.connection():
        pass
    # It was returned to the pool all the same.
    with pytest.raises(happybase.TTransportException), pool.connection(timeout=0.01):
        pass


def test_close_gives_the_directory_free(pool: ConnectionPool, tmp_path: Path) -> None:
    with pool.connection() as connection:
        connection.create_table("t", {"cf": {}})
    pool.close()
    with rs.connect(tmp_path / "db") as db:
        assert db.tables() == ["t"]
    with pool.connection() as connection:
        assert connection.tables() == [b"t"]


def test_many_threads_share_few_connections(pool: ConnectionPool) -> None:
    with pool.connection() as connection:
        connection.create_table("t", {"cf": {}})

    def count() -> None:
        for _ in range(100):
            with pool.connection() as connection:
                connection.table("t").counter_inc("c", "cf:n")

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with pool.connection() as connection:
        assert connection.table("t").counter_get("c", "cf:n") == 800


def test_a_target_that_does_not_answer_delays_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, answered, connect = threading.Event(), threading.Event(), _shared._connect

    def slow(target: str, timeout_ms: int | None) -> rs.Database:
        if target.endswith("slow"):
            begun.set()
            assert answered.wait(30)
        return connect(target, timeout_ms)

    monkeypatch.setattr(_shared, "_connect", slow)
    opening = threading.Thread(target=lambda: happybase.Connection(tmp_path / "slow").close())
    opening.start()
    assert begun.wait(30)
    others = threading.Thread(target=lambda: happybase.Connection(tmp_path / "db").close(), daemon=True)
    others.start()
    others.join(10)
    was_delayed = others.is_alive()
    answered.set()
    opening.join()
    assert not was_delayed


def test_a_connection_may_be_collected_while_another_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage collection can run its finalizer in the thread that opens the other."""
    connect, garbage = _shared._connect, [happybase.Connection(tmp_path / "garbage")]

    def collecting(target: str, timeout_ms: int | None) -> rs.Database:
        garbage.clear()
        return connect(target, timeout_ms)

    monkeypatch.setattr(_shared, "_connect", collecting)
    opening = threading.Thread(target=lambda: happybase.Connection(tmp_path / "db").close(), daemon=True)
    opening.start()
    opening.join(10)
    assert not opening.is_alive()
    rs.connect(tmp_path / "garbage").close()


def test_a_connection_collected_while_its_target_is_busy_is_closed_soon(tmp_path: Path) -> None:
    garbage = [happybase.Connection(tmp_path / "db")]
    database = garbage[0].database
    with _shared._locks.of((str((tmp_path / "db").resolve()), None)):
        collecting = threading.Thread(target=garbage.clear)
        collecting.start()
        collecting.join(10)
        assert not collecting.is_alive()
        assert not database.closed
        [releasing] = [thread for thread in threading.enumerate() if thread.name == "rowstone-release"]
    releasing.join(10)
    assert database.closed
