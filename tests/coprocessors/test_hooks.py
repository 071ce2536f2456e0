"""Every hook is called when its operation happens, can veto it, and rewrite it where HBase's can (checklist 214)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from tests.checklist import checklist
from tests.coprocessors.recorder import Recorder, Upper, Vetoing


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        database.create_table("t", ["f"])
        yield database


OPERATIONS: dict[str, tuple[Callable[[rs.Table, str], Any], list[str]]] = {
    "put": (lambda t, row: t.put(row, {"f:q": "v"}), ["pre_put", "pre_batch_mutate", "post_batch_mutate", "post_put"]),
    "delete": (lambda t, row: t.delete(row), ["pre_delete", "pre_batch_mutate", "post_batch_mutate", "post_delete"]),
    "increment": (
        lambda t, row: t.increment(row, "f:n"),
        ["pre_increment", "pre_batch_mutate", "post_batch_mutate", "post_increment"],
    ),
    "append": (
        lambda t, row: t.append(row, "f:a", "x"),
        ["pre_append", "pre_batch_mutate", "post_batch_mutate", "post_append"],
    ),
    "get": (lambda t, row: t.get(row), ["pre_get_op", "post_get_op"]),
    "exists": (lambda t, row: t.exists(row), ["pre_get_op", "post_get_op"]),
    "get_many": (lambda t, row: t.get_many([row]), ["pre_get_op", "post_get_op"]),
    "scan": (lambda t, row: list(t.scan(row)), ["pre_scanner_open", "post_scanner_open"]),
    "check_and_mutate": (
        lambda t, row: t.check_and_mutate(row, "f:none", "EQUAL", None, rs.Put(row, {"f:q": "v"})),
        [
            "pre_check_and_mutate",
            "pre_put",
            "pre_batch_mutate",
            "post_batch_mutate",
            "post_put",
            "post_check_and_mutate",
        ],
    ),
    "mutate_row": (
        lambda t, row: t.mutate_row(row, [rs.Put(row, {"f:q": "v"}), rs.Delete(row, ["f:a"])]),
        ["pre_put", "pre_delete", "pre_batch_mutate", "post_batch_mutate", "post_put", "post_delete"],
    ),
    "batch": (
        lambda t, row: _batch(t, row),
        ["pre_put", "pre_delete", "pre_batch_mutate", "post_batch_mutate", "post_put", "post_delete"],
    ),
}


def _batch(table: rs.Table, row: str) -> None:
    with table.batch() as batch:
        batch.put(row, {"f:q": "v"})
        batch.delete(row, ["f:a"])


@checklist("214", clause="hooks before and after get, put, delete, append, increment, scan, flush and compact")
@pytest.mark.parametrize("name", OPERATIONS)
def test_hooks_are_called_in_their_order(db: rs.Database, name: str) -> None:
    operation, hooks = OPERATIONS[name]
    recorder = Recorder()
    db.coprocessors.attach("t", recorder)
    operation(db.table("t"), "row")
    assert [heard[0] for heard in recorder.heard] == hooks
    db.coprocessors.detach("t", recorder)
    operation(db.table("t"), "row")
    assert len(recorder.heard) == len(hooks)


@checklist("214", clause="hooks before and after get, put, delete, append, increment, scan, flush and compact")
def test_flush_and_compaction() -> None:
    with rs.connect(":memory:", configuration={"rowstone.compaction.background": False}) as db:
        db.create_table("t", ["f"])
        check_flush_and_compaction(db)


def check_flush_and_compaction(db: rs.Database) -> None:
    recorder = Recorder()
    for value in "abcd":
        db.table("t").put("row", {"f:q": value})
        db.admin.flush("t")
    db.table("t").put("row", {"f:q": "e"})
    db.coprocessors.attach("t", recorder)
    db.admin.flush("t")
    db.admin.major_compact("t", "f")
    [region] = db.admin.regions.list("t")
    name = region.encoded_name
    assert recorder.heard == [
        ("pre_flush", name),
        ("post_flush", name),
        ("pre_compact", name, b"f", True),
        ("post_compact", name, b"f", True),
    ]


@checklist("214", clause="a hook before can veto: nothing is changed")
@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "batch"])
def test_a_veto_changes_nothing(db: rs.Database, name: str) -> None:
    db.table("t").put("!row", {"f:q": "before"})
    before = dict(db.table("t").items())
    vetoing = Vetoing()
    db.coprocessors.attach("t", vetoing)
    with pytest.raises(errors.ConstraintViolation, match="no marks") as caught:
        OPERATIONS[name][0](db.table("t"), "!row")
    assert any("observer Vetoing in pre_" in note and "of table 't'" in note for note in caught.value.__notes__)
    db.coprocessors.detach("t", vetoing)
    assert dict(db.table("t").items()) == before


def test_in_a_batch_a_veto_is_its_own_mutations(db: rs.Database) -> None:
    db.coprocessors.attach("t", Vetoing())
    results = db.table("t").multi(
        [rs.Put("!a", {"f:q": "v"}), rs.Put("b", {"f:q": "v"}), rs.Increment("!c", {"f:n": 1})]
    )
    assert [type(result) for result in results] == [errors.ConstraintViolation, type(None), errors.ConstraintViolation]
    batch = db.table("t").batch()
    batch.put("!d", {"f:q": "v"})
    batch.put("e", {"f:q": "v"})
    with pytest.raises(errors.ConstraintViolation) as caught:
        batch.close()
    assert [row for row, _ in caught.value.failures] == [b"!d"]  # type: ignore[attr-defined]
    with pytest.raises(errors.ConstraintViolation):
        db.table("t").mutate_row("!f", [rs.Put("!f", {"f:q": "v"}), rs.Put("!f", {"f:r": "v"})])
    with pytest.raises(errors.ConstraintViolation):
        db.mutate_together([("t", rs.Put("g", {"f:q": "v"})), ("t", rs.Put("!h", {"f:q": "v"}))])
    assert list(db.table("t")) == [b"b", b"e"]


@checklist("214", clause="a hook before can rewrite")
def test_every_kind_of_put_is_rewritten(db: rs.Database) -> None:
    db.coprocessors.attach("t", Upper())
    table = db.table("t")
    table.put("a", {"f:q": "v"})
    table.multi([rs.Put("b", {"f:q": "v"})])
    with table.batch() as batch:
        batch.put("c", {"f:q": "v"})
    table.mutate_row("d", [rs.Put("d", {"f:q": "v"})])
    assert table.check_and_mutate("e", "f:q", "EQUAL", None, rs.Put("e", {"f:q": "v"}))
    db.mutate_together([("t", rs.Put("g", {"f:q": "v"}))])
    assert {row["f:q"] for row in table.scan()} == {b"V"}
    assert len(list(table)) == 6


@checklist("214", clause="a hook before can rewrite")
def test_reads_are_rewritten(db: rs.Database) -> None:
    class Narrow(rs.coprocessors.RegionObserver):
        def pre_get_op(self, context: Any, get: rs.Get) -> rs.Get:
            return rs.Get(get.row, ["f:a"])

        def post_get_op(self, context: Any, get: rs.Get, row: rs.Row) -> list[rs.Cell]:
            return [cell for cell in row.cells if cell.value != b"secret"]

        def pre_scanner_open(self, context: Any, scan: rs.Scan) -> rs.Scan:
            return rs.Scan("b", scan.stop)

    table = db.table("t")
    for row, value in [("a", "1"), ("b", "2"), ("c", "secret")]:
        table.put(row, {"f:a": value, "f:b": value})
    db.coprocessors.attach("t", Narrow())
    assert [row.key for row in table.scan()] == [b"b", b"c"]
    assert table.get("b").to_dict() == {b"f:a": b"2"}
    assert not table.get("c")
    assert not table.exists("c")
    assert [bool(row) for row in table.get_many(["a", "c", "none"])] == [True, False, False]


def test_bypassed_operations_are_not_performed(db: rs.Database) -> None:
    class Bypass(rs.coprocessors.RegionObserver):
        def pre_put(self, context: Any, put: rs.Put, durability: str) -> None:
            context.bypass()

        def pre_increment(self, context: Any, increment: rs.Increment) -> None:
            context.bypass(increment.cells)

        def pre_get_op(self, context: Any, get: rs.Get) -> None:
            if get.row == b"made up":
                context.bypass(db.table("other").get("row").cells)

        def pre_check_and_mutate(self, context: Any, mutations: rs.RowMutations) -> None:
            context.bypass(True)

    db.create_table("other", ["f"])
    db.table("other").put("row", {"f:q": "v"})
    recorder = Recorder()
    db.coprocessors.attach("t", recorder, priority=2)
    db.coprocessors.attach("t", Bypass(), priority=1)
    table = db.table("t")
    table.put("a", {"f:q": "v"})
    assert table.increment("a", "f:n", 7) == 7
    assert table.check_and_mutate("a", "f:q", "EQUAL", "no", rs.Put("a", {"f:q": "v"}))
    assert table.get("made up").to_dict() == {b"f:q": b"v"}
    assert not table.get("a")
    # Later observers are only called for operations that were not bypassed.
    assert [heard[0] for heard in recorder.heard] == ["post_get_op", "pre_get_op", "post_get_op"][1:]


def test_observers_are_asked_by_priority_and_see_what_the_ones_before_made(db: rs.Database) -> None:
    seen: list[bytes] = []

    class See(rs.coprocessors.RegionObserver):
        def pre_put(self, context: Any, put: rs.Put, durability: str) -> None:
            seen.append(put.cells[0].value)
            assert durability == put.durability == "SKIP_WAL"

    class Add(rs.coprocessors.RegionObserver):
        def __init__(self, text: bytes) -> None:
            self.text = text

        def pre_put(self, context: Any, put: rs.Put, durability: str) -> rs.Put:
            return rs.Put(put.row, {"f:q": put.cells[0].value + self.text}, durability=durability)

    db.coprocessors.attach("t", See(), priority=3)
    db.coprocessors.attach("t", Add(b"2"), priority=2)
    db.coprocessors.attach("t", Add(b"1"), priority=1)
    db.table("t").put("row", {"f:q": "0"}, durability="SKIP_WAL")
    assert seen == [b"012"]
    assert [one.observer for one in db.coprocessors.attached("t")] == ["Add", "Add", "See"]


def test_rewriting_keeps_kind_and_row(db: rs.Database) -> None:
    class Wrong(rs.coprocessors.RegionObserver):
        answer: Any = None

        def pre_put(self, context: Any, put: rs.Put, durability: str) -> Any:
            return self.answer

    observer = Wrong()
    db.coprocessors.attach("t", observer)
    for answer in (rs.Put("other", {"f:q": "v"}), rs.Delete("row"), "text"):
        observer.answer = answer
        with pytest.raises(errors.InvalidArgument):
            db.table("t").put("row", {"f:q": "v"})
    assert not list(db.table("t"))


def test_cells_of_a_batch_are_final(db: rs.Database) -> None:
    clock = rs.testing.ManualClock(1_000)
    with rs.connect(":memory:", clock=clock) as own:
        own.create_table("t", ["f", "g"])
        recorder = Recorder()
        table = own.table("t")
        table.put("row", {"f:q": "v"})
        table.increment("row", "f:n", 4)
        own.coprocessors.attach("t", recorder)
        table.put("row", {"f:q": "w"})
        table.increment("row", "f:n", 1)
        table.delete("row")
        batches = [heard[2] for heard in recorder.heard if heard[0] == "pre_batch_mutate"]
        assert [[(cell.column, cell.timestamp, cell.type, cell.value) for cell in cells] for cells in batches] == [
            [(b"f:q", 1_000, "Put", b"w")],
            [(b"f:n", 1_001, "Put", (5).to_bytes(8, "big"))],
            [(b"f:", 1_000, "DeleteFamily", b""), (b"g:", 1_000, "DeleteFamily", b"")],
        ]
