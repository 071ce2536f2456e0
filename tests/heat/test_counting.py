"""Counting of reads and writes, in a directory and through a client; heat maps survive splits and closing."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.schema import heat
from rowstone.testing import ManualClock, server
from tests.heat.traffic import key


@pytest.fixture(params=["directory", "client"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[rs.Database]:
    if request.param == "directory":
        with rs.connect(tmp_path / "db") as database:
            yield database
    else:
        with server() as url, rs.connect(url) as database:
            yield database


def counts(db: rs.Database) -> tuple[int, int]:
    """Rows read and written."""
    found = db.admin.metrics.heat_map("t")
    return found.reads.total, found.writes.total


@pytest.mark.parametrize("options", [{"polls": 0}, {"seconds": -1}])
def test_a_watch_without_polls_or_time_is_refused(db: rs.Database, options: dict[str, int]) -> None:
    db.create_table("t", ["f"])
    with pytest.raises(errors.InvalidArgument, match=f"{next(iter(options))} is "):
        heat.watch(db, "t", **{"seconds": 0, **options})


def test_every_row_that_is_asked_for_counts_once(db: rs.Database) -> None:
    db.create_table("t", ["f"], splits=["m"])
    t = db.table("t")
    assert counts(db) == (0, 0)
    t.put("a", {"f:q": "1"})
    assert counts(db) == (0, 1)
    for work, expected in (
        (lambda: t.get("a"), (1, 0)),
        (lambda: t.get("absent"), (1, 0)),
        (lambda: t.exists("a"), (1, 0)),
        (lambda: t.get_many(["a", "z"]), (2, 0)),
        (lambda: t.exists_many(["a", "z"]), (2, 0)),
        (lambda: t.delete("z"), (0, 1)),
        (lambda: t.increment("n", "f:n", 1), (0, 1)),
        (lambda: t.append("a", "f:q", "2"), (0, 1)),
        (lambda: t.mutate_row("a", [rs.Put("a", {"f:q": "3"}), rs.Delete("a", "f:x")]), (0, 1)),
        (lambda: t.check_and_mutate("a", "f:q", "EQUAL", "3", rs.Put("a", {"f:q": "4"})), (0, 1)),
        (lambda: t.multi([rs.Put("b", {"f:q": "5"}), rs.Get("a"), rs.Delete("b")]), (1, 2)),
        (lambda: list(t.scan()), (2, 0)),
        (lambda: list(t.scan(limit=1)), (1, 0)),
    ):
        before = counts(db)
        work()
        after = counts(db)
        assert (after[0] - before[0], after[1] - before[1]) == expected
    with t.batch() as writer:
        for number in range(5_000):
            writer.put(key(number), {"f:q": ""})
    before = counts(db)
    assert len(list(t.scan(prefix="user"))) == 5_000
    assert counts(db) == (before[0] + 5_000, before[1])


def test_rows_are_where_they_were_asked_for(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    for row in ("a", "a", "a", "b"):
        db.table("t").put(row, {"f:q": ""})
    [window] = db.admin.metrics.heat_map("t").writes.windows
    assert sorted(row for row, _ in window.rows) == [b"a", b"a", b"a", b"b"]
    assert sum(weight for _, weight in window.rows) == 4


def test_maps_outlive_splits_and_end_with_their_table(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        for number in range(200):
            db.table("t").put(key(number), {"f:q": ""})
        db.admin.regions.split("t", key(100))
        db.table("t").put(key(150), {"f:q": ""})
        assert counts(db) == (0, 201)
        db.drop_table("t", force=True)
        db.create_table("t", ["f"])
        assert counts(db) == (0, 0)
        with pytest.raises(errors.TableNotFound):
            db.admin.metrics.heat_map("absent")


def test_time_is_the_clock_s(tmp_path: Path) -> None:
    clock = ManualClock(5_000)
    with rs.connect(tmp_path / "db", clock=clock) as db:
        db.create_table("t", ["f"])
        for _ in range(3):
            db.table("t").get("a")
            clock.advance(10_000)
        found = db.admin.metrics.heat_map("t").reads
        assert [(window.start_ms - 5_000) // 10_000 for window in found.windows] == [0, 1, 2]
        assert len({window.width_ms for window in found.windows}) == 1


def test_the_last_use_is_kept_when_a_directory_is_closed(tmp_path: Path) -> None:
    place = tmp_path / "db"
    with rs.connect(place) as db:
        db.create_table("t", ["f"])
        db.create_table("unused", ["f"])
        for number in range(300):
            db.table("t").put(key(number), {"f:q": ""})
        now = db.admin.metrics.heat_map("t")
    kept = heat.load(place / "HEAT", "t")
    assert (kept.writes.cells, kept.writes.starts, kept.writes.patterns) == (
        now.writes.cells,
        now.writes.starts,
        now.writes.patterns,
    )
    with pytest.raises(errors.NotFoundError, match="it has: t"):
        heat.load(place / "HEAT", "unused")
    # A read-only opener leaves the file; a directory that contains it is intact.
    with rs.connect(place, read_only=True) as db:
        assert db.table("t").get(key(1))
    assert heat.load(place / "HEAT", "t").reads.total == 0
    assert rs.check(place).is_clean
    with rs.connect(place) as db:
        assert len(list(db.table("t").scan())) == 300
    assert heat.load(place / "HEAT", "t").reads.total == 300


def test_a_database_on_a_failed_disk_can_be_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: checking whether the directory exists raised OSError, and the database stayed open."""
    db = rs.connect(tmp_path / "db")

    def fail(path: Path) -> bool:
        raise OSError(errno.EIO, "Input/output error", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "is_dir", fail)
        db.close()
    with rs.connect(tmp_path / "db") as again:
        assert not again.closed


@pytest.mark.parametrize("text", ["", "[]", '{"tables": 5}', '{"tables": {"t": {"reads": [[1]]}}}'])
def test_other_files_are_no_maps(tmp_path: Path, text: str) -> None:
    (tmp_path / "HEAT").write_text(text)
    with pytest.raises(errors.InvalidArgument, match="no file of heat maps"):
        heat.load(tmp_path / "HEAT", "t")


def test_regions_of_a_server_are_watched_from_outside() -> None:
    with server() as url, rs.connect(url) as worker, rs.connect(url) as watcher:
        worker.create_table("t", ["f"], splits=["m"])
        t, moments = worker.table("t"), iter(range(1_000, 2_000))

        def work(_: float) -> None:
            for number in range(20):
                t.put(f"a{number}", {"f:q": ""})
            t.get("z")

        found = heat.watch(watcher, "t", seconds=5, polls=5, sleep=work, now=lambda: next(moments))
        assert watcher.admin.metrics.heat_map("t").writes.total == 0, "it did nothing itself"
        assert (found.writes.total, found.reads.total) == (100, 5)
        assert [len(window.rows) for window in found.writes.windows] == [1] * 5
        assert {row for window in found.reads.windows for row, _ in window.rows} == {b"m"}
