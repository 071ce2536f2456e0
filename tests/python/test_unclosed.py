"""Databases that are neither closed nor referenced: garbage collection closes them, but not while a table is in use."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.coprocessors.constraints import ForeignKey, Regex

DATABASES = 20


def threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


OPENERS: dict[str, Callable[[Path, int], rs.Database]] = {
    "memory": lambda _, number: rs.connect(":memory:"),
    "directory": lambda folder, number: rs.connect(folder / f"db{number}"),
    "read_only": lambda folder, number: rs.connect(folder / "read", read_only=True),
}


@pytest.mark.parametrize("kind", OPENERS)
def test_unclosed_databases_leave_no_threads(kind: str, tmp_path: Path) -> None:
    rs.connect(tmp_path / "read").close()
    gc.collect()
    before = threads()
    for number in range(DATABASES):
        db = OPENERS[kind](tmp_path, number)
        if not db.read_only:
            db.create_table("t", ["f"])
            db.constraints("t").add(Regex("f:q", "[a-z]+"))
            db.table("t").put("row", {"f:q": "value"})
            assert db.table("t").as_of(10**15)["row"]
        del db
        gc.collect()
    # A thread that has ended may still be listed for a moment.
    until = time.monotonic() + 10
    while threads() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert threads() <= before


def test_a_collected_database_has_its_writes_and_no_lock(tmp_path: Path) -> None:
    db = rs.connect(tmp_path / "db")
    db.create_table("t", ["f"])
    db.table("t").put("row", {"f:q": "value"}, durability="ASYNC_WAL")
    del db
    gc.collect()
    with rs.connect(tmp_path / "db") as again:
        assert list(again.table("t")) == [b"row"]


@pytest.mark.parametrize("place", ["memory", "directory"])
def test_observers_work_while_only_a_table_is_referenced(place: str, tmp_path: Path) -> None:
    def opened() -> rs.Table:
        db = rs.connect(":memory:" if place == "memory" else tmp_path / "db")
        db.create_table("towns", ["f"])
        db.create_table("t", ["f"])
        db.constraints("t").add(ForeignKey("f:town", "towns"))
        db.create_index("t", "by_town", "f:town", strategy="coprocessor")
        db.table("towns").put("Oslo", {"f:q": "value"})
        return db.table("t")

    t = opened()
    gc.collect()
    t.put("ann", {"f:town": "Oslo"})
    with pytest.raises(errors.ConstraintViolation):
        t.put("bob", {"f:town": "Bergen"})
    if place == "directory":
        index = rs.connect(tmp_path / "db", reuse=True).index("t", "by_town")
        del t
        gc.collect()
        assert [row.key for row in index.query(equals="Oslo")] == [b"ann"]
        assert index.verify().missing == ()


def test_writers_and_scanners_work_while_nothing_else_is_referenced(tmp_path: Path) -> None:
    def opened() -> rs.BufferedWriter:
        db = rs.connect(tmp_path / "db")
        db.create_table("t", ["f"])
        return db.table("t").batch()

    writer = opened()
    gc.collect()
    writer.put("row", {"f:q": "value"})
    writer.flush()
    db = rs.connect(tmp_path / "db", reuse=True)
    assert list(db.table("t")) == [b"row"]
    db.close()
    for read in (
        lambda t: t.scan(),
        lambda t: t.scan().pairs("f:q"),
        lambda t: t.scan().arrow(),
        lambda t: t.items(),
        iter,
        lambda t: t.as_of(10**15).scan(),
    ):
        found = read(rs.connect(tmp_path / "db", read_only=True).table("t"))
        gc.collect()
        assert len(list(found)) == 1


def test_schema_changes_are_guarded_while_only_an_area_is_referenced() -> None:
    def opened() -> rs.admin.Admin:
        db = rs.connect(":memory:")
        db.create_table("t", ["f", "g"])
        db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        return db.admin

    tables = opened().tables
    gc.collect()
    with pytest.raises(errors.ConstraintViolation, match="on a family that would be removed"):
        tables.delete_family("t", "f")


def test_observers_are_attached_while_only_they_are_referenced() -> None:
    coprocessors = rs.connect(":memory:").coprocessors
    gc.collect()
    coprocessors.attach_master(rs.coprocessors.MasterObserver())
    coprocessors.attach("t", rs.coprocessors.RegionObserver())
    assert [one.observer for one in coprocessors.attached("t")] == ["RegionObserver"]


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_close_still_releases_the_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        db = rs.connect(tmp_path / "db")
        patched.setattr("rowstone._base.last_use.keep", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            db.close()
    assert db.closed
    rs.connect(tmp_path / "db").close()


def test_an_interrupted_connect_releases_the_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("rowstone._core.clock_watch.ClockWatch.check", _interrupt)
        with pytest.raises(KeyboardInterrupt) as kept:
            rs.connect(tmp_path / "db")
    # The traceback refers to the database, so it is not garbage yet.
    rs.connect(tmp_path / "db").close()
    del kept
