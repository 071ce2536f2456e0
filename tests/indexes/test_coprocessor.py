"""The index that every write keeps: right after any mix of writes, never silently stale (checklist 210)."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.indexes import Index, KeyPart, _after
from tests.checklist import checklist

_deciding_cells = _after.deciding_cells
VALUES = ["", "a", "b", "b\x00", "b\x00\x01", "c\xff", "d"]


def agrees(db: rs.Database, index: Index) -> None:
    """The index answers what looking at all rows does, and a check finds nothing."""
    on = index.definition.on
    found = []
    for row in db.table("t").scan():
        value = on.of(row.key) if isinstance(on, KeyPart) else row.get(on)
        if value is not None:
            found.append((value, row.key))
    entries = list(index._entries.scan(prefix="v"))
    assert [row.key for row in index.query()] == [key for _, key in sorted(found)]
    assert len(entries) == len(found)
    assert not index.verify()


def one_write(table: rs.Table, dice: random.Random) -> None:
    """A write of any kind, at the clock's time or another."""
    row, timestamp = f"r{dice.randrange(6)}", dice.choice([None, None, 5, 1_000, 1_003])
    column, value = dice.choice(["f:q", "f:q", "f:other", "g:q"]), dice.choice(VALUES)
    kind = dice.randrange(11)
    if kind < 4:
        table.put(row, {column: value}, timestamp=timestamp)
    elif kind == 4:
        table.delete(row, [column], timestamp=timestamp)
    elif kind == 5:
        table.delete(row, [column], version=timestamp or "latest")
    elif kind == 6:
        table.delete(row, dice.choice([None, ["f"], ["g"]]), timestamp=timestamp)
    elif kind == 7:
        table.append(row, column, value)
    elif kind == 8:
        table.mutate_row(row, [rs.Delete(row, ["f:other"]), rs.Put(row, {column: value})])
    elif kind == 9:
        table.check_and_mutate(row, "f:q", "EQUAL", dice.choice([None, "a", "b"]), rs.Put(row, {"f:q": value}))
    else:
        others = [rs.Put(f"r{number}", {"f:q": dice.choice(VALUES)}) for number in range(3)]
        table.multi([*others, rs.Delete(row, ["f:q"]), rs.Put(row, {"g:q": value})])


@checklist("210", clause="every write keeps it, whatever its kind and timestamp")
@pytest.mark.parametrize("few_cells", [0, 8])
@pytest.mark.parametrize("seed", range(6))
def test_indexes_agree_after_any_writes(seed: int, few_cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_after, "_FEW_CELLS", few_cells)
    dice = random.Random(seed)
    clock = rs.testing.ManualClock(1_000)
    with rs.connect(":memory:", clock=clock) as db:
        family = rs.Family(max_versions=dice.choice([1, 3]), new_version_behavior=seed % 3 == 2)
        db.create_table("t", {"f": family, "g": rs.Family()}, splits=["r3"] if seed % 2 else None)
        table = db.table("t")
        for _ in range(20):
            one_write(table, dice)
        indexes = [
            db.create_index("t", "by_q", "f:q", strategy="coprocessor"),
            db.create_index("t", "by_end", KeyPart(-1), strategy="coprocessor"),
        ]
        for step in range(250):
            one_write(table, dice)
            if dice.random() < 0.3:
                clock.advance(dice.choice([0, 1, 1, 5]))
            if dice.random() < 0.02:
                db.admin.flush(dice.choice(["t", "t_by_q", "t_by_end"]))
            if dice.random() < 0.01:
                db.admin.major_compact(dice.choice(["t", "t_by_q"]))
            if step % 10 == 0:
                for index in indexes:
                    agrees(db, index)
        for index in indexes:
            index.rebuild()
            agrees(db, index)


@pytest.mark.parametrize("on", ["f:q", KeyPart(-1)])
def test_a_write_reads_few_cells_of_a_large_row(on: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: each write read all columns, versions and markers of the row's family."""
    counts: list[int] = []

    def counted(*args: Any, **options: Any) -> Any:
        cells = _deciding_cells(*args, **options)
        counts.append(len(cells))
        return cells

    clock = rs.testing.ManualClock(1_000)
    with rs.connect(":memory:", clock=clock) as db:
        db.create_table("t", ["f"])
        table = db.table("t")
        index = db.create_index("t", "by_q", on, strategy="coprocessor")
        table.put("r", {f"f:c{number}": "x" for number in range(500)})
        for number in range(100):
            table.put("r", {"f:q": str(number)})
            clock.advance(1)
            table.delete("r", ["f:q"] if number % 2 else ["f:c1"])
            clock.advance(1)
        monkeypatch.setattr("rowstone.indexes._maintenance.deciding_cells", counted)
        for write in (lambda: table.put("r", {"f:q": "1"}), lambda: table.delete("r", ["f:q"])):
            clock.advance(1)
            write()
        assert len(counts) == 2
        assert max(counts) <= 3
        agrees(db, index)


@checklist("210", clause="it is kept in the record of the log that has the write")
def test_it_is_there_after_reopening(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        db.table("t").put("a", {"f:q": "1"})
    with rs.connect(tmp_path / "db") as db:
        index = db.index("t", "by_q")
        db.table("t").put("b", {"f:q": "0"})
        db.table("t").put("a", {"f:q": "2"}, durability="SKIP_WAL")
        assert [row.key for row in index.query()] == [b"b", b"a"]
        agrees(db, index)
    with rs.connect(tmp_path / "db", read_only=True) as db:
        assert [row.key for row in db.index("t", "by_q").query(equals="2")] == [b"a"]


def test_threads_of_writers_and_a_build_beside_them() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=["r5"])
        ends = threading.Event()
        failures: list[BaseException] = []

        def write(seed: int) -> None:
            dice = random.Random(seed)
            try:
                while not ends.is_set():
                    db.table("t").put(f"r{dice.randrange(10)}", {"f:q": dice.choice("abcde")})
                    db.table("t").delete(f"r{dice.randrange(10)}", ["f:q"])
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=write, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        index = db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        for _ in range(20):
            list(index.query("b", "d"))
        ends.set()
        for thread in threads:
            thread.join(60)
        assert not failures
        agrees(db, index)


@checklist("210", clause="nothing goes past it unseen")
def test_changes_that_would_detach_the_index_are_refused(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", {"f": {}, "g": {}})
        db.table("t").put("a", {"f:q": "1"})
        index = db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        db.admin.snapshot("s", "t")
        for change in (
            lambda: db.drop_table("t", force=True),
            lambda: db.drop_table("t_by_q", force=True),
            lambda: db.admin.tables.delete_family("t", "f"),
        ):
            with pytest.raises(errors.ConstraintViolation, match="drop"):
                change()
        db.admin.disable_table("t")
        with pytest.raises(errors.ConstraintViolation, match="drop them first"):
            db.admin.truncate_table("t")
        with pytest.raises(errors.UnsupportedOperation, match="would bypass the indexes or constraints"):
            db.admin.snapshots.restore("s")
        db.admin.enable_table("t")
        # Without the index's observer, nothing is written to it.
        db._native.observe_table("t", None)
        with pytest.raises(errors.UnsupportedOperation, match="are not loaded in this process"):
            db.table("t").put("b", {"f:q": "2"})
        db.coprocessors._reload("t")
        db.table("t").put("b", {"f:q": "2"})
        agrees(db, index)
        # A clone is not the index's table.
        db.admin.snapshots.clone("s", "u")
        with pytest.raises(errors.CoprocessorError, match=r"db.index\('u', 'by_q'\).rebuild\(\) creates them"):
            db.table("u").put("c", {"f:q": "3"})
        [of_clone] = db.indexes("u")
        assert [row.key for row in of_clone.query()] == [b"a"]
        of_clone.drop()
        db.table("u").put("c", {"f:q": "3"})
        agrees(db, index)
        db.admin.disable_table("t_by_q")
        with pytest.raises(errors.TableNotEnabled):
            db.table("t").put("d", {"f:q": "4"})
        db.table("t").put("d", {"g:q": "4"})
        db.admin.enable_table("t_by_q")
        agrees(db, index)
        index.drop()
        db.drop_table("t", force=True)
        assert db.tables() == ["u"]


def test_a_region_of_an_indexed_table_is_not_truncated(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", {"f": {}}, splits=["m"])
        db.table("t").put("a", {"f:q": "1"})
        index = db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        region = db.admin.regions.list("t")[0]
        for name in (region, region.name, region.encoded_name):
            with pytest.raises(errors.ConstraintViolation, match="drop them first"):
                db.admin.regions.truncate(name)
        agrees(db, index)
        index.drop()
        db.admin.regions.truncate(region.encoded_name)
        assert list(db.table("t")) == []
        with pytest.raises(errors.RegionNotFound):
            db.admin.regions.truncate("0" * 32)


def test_expired_cells_leave_the_index() -> None:
    clock = rs.testing.ManualClock(1_000_000)
    with rs.connect(":memory:", clock=clock) as db:
        db.create_table("t", {"f": rs.Family(ttl_seconds=10)})
        index = db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        db.table("t").put("a", {"f:q": "1"})
        clock.advance(5_000)
        db.table("t").put("b", {"f:q": "2"})
        agrees(db, index)
        clock.advance(6_000)
        assert [row.key for row in index.query()] == [b"b"]
        agrees(db, index)


def test_reads_of_the_index_pass_other_observers() -> None:
    class Blind(rs.coprocessors.RegionObserver):
        def pre_scanner_open(self, context: Any, scan: rs.Scan) -> Any:
            raise errors.ConstraintViolation("no scans")

        def pre_get_op(self, context: Any, get: rs.Get) -> Any:
            context.bypass()

    for by_order in (False, True):
        with rs.connect(":memory:") as db:
            db.create_table("t", {"f": rs.Family(new_version_behavior=by_order)})
            index = db.create_index("t", "by_q", "f:q", strategy="coprocessor")
            blind = Blind()
            db.coprocessors.attach("t", blind)
            for value in ("1", "2", "1"):
                db.table("t").put("a", {"f:q": value})
            db.coprocessors.detach("t", blind)
            agrees(db, index)


def test_a_row_that_a_major_compaction_makes_visible_again_is_missing_until_a_rebuild() -> None:
    """docs/how-to/indexes.md, "Consistency": the marker is dropped, and the put after it has no entry."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        table = db.table("t")
        index = db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        table.delete("a", timestamp=10)
        db.admin.flush("t")
        table.put("a", {"f:q": "1"}, timestamp=5)
        assert not table.get("a")
        agrees(db, index)
        db.admin.major_compact("t")
        assert table.get("a")
        assert index.verify().missing == (b"a",)
        assert index.rebuild() == 1
        agrees(db, index)
