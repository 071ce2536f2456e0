"""Observers that fail, are slow, write to other tables, or are missing."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from tests.coprocessors.recorder import Vetoing


class Broken(rs.coprocessors.RegionObserver):
    def pre_put(self, context: Any, put: rs.Put, durability: str) -> None:
        if put.row == b"before":
            raise ZeroDivisionError("oh")

    def post_put(self, context: Any, put: rs.Put, durability: str) -> None:
        if put.row == b"after":
            raise ZeroDivisionError("oh")


def test_errors_name_observer_hook_and_table() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.coprocessors.attach("t", Broken())
        with pytest.raises(
            errors.CoprocessorError, match=r"observer Broken in pre_put of table 't' failed: Zero"
        ) as one:
            db.table("t").put("before", {"f:q": "v"})
        assert isinstance(one.value.__cause__, ZeroDivisionError)
        # The put itself succeeded.
        with pytest.raises(errors.CoprocessorError, match="observer Broken in post_put of table 't' failed"):
            db.table("t").put("after", {"f:q": "v"})
        assert list(db.table("t")) == [b"after"]
        [pre, post] = db.coprocessors.stats("t")
        assert (pre.hook, pre.calls, pre.failures) == ("pre_put", 1, 1)
        assert (post.hook, post.calls, post.failures) == ("post_put", 0, 1)


def test_observers_attached_and_detached_at_the_same_time_do_not_replace_each_other() -> None:
    with rs.connect(":memory:") as db, ThreadPoolExecutor(4) as threads:
        db.create_table("t", ["f"])
        for _ in range(100):
            observers = [Broken() for _ in range(4)]
            list(threads.map(lambda one: db.coprocessors.attach("t", one), observers))
            assert len(db.coprocessors.attached("t")) == 4
            list(threads.map(lambda one: db.coprocessors.detach("t", one), observers))
            assert db.coprocessors.attached("t") == []


def test_an_observer_may_be_detached_by_a_finalizer_while_another_is_attached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Garbage collection can run it in the thread that attaches the other."""
    db, observer = rs.connect(":memory:"), Broken()

    class Owner:
        def __del__(self) -> None:
            db.coprocessors.detach("u", observer)

    db.coprocessors.attach("u", observer)
    owners, install = [Owner()], db.coprocessors._install

    def collecting(name: str, entries: list[Any]) -> None:
        owners.clear()
        install(name, entries)

    monkeypatch.setattr(db.coprocessors, "_install", collecting)
    attaching = threading.Thread(target=db.coprocessors.attach, args=("t", Broken()), daemon=True)
    attaching.start()
    attaching.join(10)
    assert not attaching.is_alive()
    assert (len(db.coprocessors.attached("t")), db.coprocessors.attached("u")) == (1, [])
    db.close()


def test_a_constraint_stays_when_observers_are_attached_while_it_is_added() -> None:
    with rs.connect(":memory:") as db, ThreadPoolExecutor(1) as threads:
        for number in range(30):
            name = f"t{number}"
            db.create_table(name, ["f"])
            adding = threads.submit(db.constraints(name).add, rs.coprocessors.constraints.Regex("f:q", "a+"))
            while not adding.done():
                observer = Broken()
                db.coprocessors.attach(name, observer)
                db.coprocessors.detach(name, observer)
            adding.result()
            with pytest.raises(errors.ConstraintViolation):
                db.table(name).put("row", {"f:q": "b"})


def test_observers_over_their_budget_are_named(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0]
    monkeypatch.setattr("rowstone.coprocessors._calls.perf_counter_ns", lambda: now[0])

    class Slow(rs.coprocessors.RegionObserver):
        def pre_put(self, context: Any, put: rs.Put, durability: str) -> None:
            now[0] += 30_000_000 if put.row == b"slow" else 1_000

        def post_put(self, context: Any, put: rs.Put, durability: str) -> None:
            now[0] += 40_000_000 if put.row == b"slow afterwards" else 1_000

    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.coprocessors.attach("t", Slow(), budget_ms=20)
        db.table("t").put("quick", {"f:q": "v"})
        with pytest.raises(
            errors.CoprocessorError, match=r"Slow in pre_put of table 't' took 30.0 ms, its budget is 20 ms"
        ):
            db.table("t").put("slow", {"f:q": "v"})
        with caplog.at_level(logging.WARNING, "rowstone"):
            db.table("t").put("slow afterwards", {"f:q": "v"})
        assert "Slow in post_put of table 't' took 40.0 ms" in caplog.text
        assert list(db.table("t")) == [b"quick", b"slow afterwards"]
        assert [one.late for one in db.coprocessors.stats("t")] == [1, 1]
        with pytest.raises(errors.InvalidArgument, match="budget"):
            db.coprocessors.attach("t", Slow(), budget_ms=0)


def test_invalid_calls_are_refused() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        observer = Vetoing()
        db.coprocessors.attach("t", observer)
        with pytest.raises(errors.InvalidArgument, match="already"):
            db.coprocessors.attach("t", observer)
        with pytest.raises(errors.InvalidArgument, match="not attached"):
            db.coprocessors.detach("t", Vetoing())
        with pytest.raises(errors.InvalidType):
            db.coprocessors.attach("t", object())  # type: ignore[arg-type]
        with pytest.raises(errors.InvalidArgument, match="names no class"):
            rs.coprocessors.allow("*")


def test_changes_of_other_tables_come_along() -> None:
    class Log(rs.coprocessors.RegionObserver):
        target = "log"

        def pre_batch_mutate(self, context: Any, rows: Any, cells: Any) -> None:
            for cell in cells:
                context.also(self.target, rs.Put(cell.row, {"f:what": cell.value}))

    with rs.connect(":memory:") as db:
        for name in ("t", "log"):
            db.create_table(name, ["f"], splits=["m"])
        observer = Log()
        db.coprocessors.attach("t", observer)
        table = db.table("t")
        table.put("a", {"f:q": "1"})
        table.multi([rs.Put("b", {"f:q": "2"}), rs.Put("z", {"f:q": "3"})])
        table.increment("n", "f:n", 5)
        assert [(row.key, row["f:what"]) for row in db.table("log").scan()] == [
            (b"a", b"1"),
            (b"b", b"2"),
            (b"n", (5).to_bytes(8, "big")),
            (b"z", b"3"),
        ]
        before = dict(table.items())
        for target, error in (("missing", errors.TableNotFound), ("t", errors.InvalidArgument)):
            observer.target = target
            with pytest.raises(error):
                table.put("a", {"f:q": "other"})
        observer.target = "log"
        db.admin.disable_table("log")
        with pytest.raises(errors.TableNotEnabled):
            table.put("a", {"f:q": "other"})
        assert dict(table.items()) == before


def test_threads_write_and_are_observed_each_once() -> None:
    import threading

    class Count(rs.coprocessors.RegionObserver):
        def __init__(self) -> None:
            self.rows: list[bytes] = []

        def pre_batch_mutate(self, context: Any, rows: Any, cells: Any) -> None:
            self.rows.extend(rows)
            context.also("log", rs.Put(rows[0], {"f:q": "v"}))

    with rs.connect(":memory:") as db:
        for name in ("t", "log"):
            db.create_table(name, ["f"])
        count = Count()
        db.coprocessors.attach("t", count)
        rows = [[f"{thread}-{number}" for number in range(50)] for thread in range(4)]

        def write(keys: list[str]) -> None:
            for key in keys:
                db.table("t").put(key, {"f:q": "v"})
                db.table("t").increment("shared", "f:n")

        threads = [threading.Thread(target=write, args=(keys,)) for keys in rows]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert int.from_bytes(db.table("t")["shared"]["f:n"], "big") == 200
        assert len(count.rows) == 400
        assert set(db.table("log")) == set(db.table("t"))


NAMED = """
import rowstone as rs
class Shout(rs.coprocessors.RegionObserver):
    def __init__(self, end="!"):
        self.end = end.encode()
    def pre_put(self, context, put, durability):
        return rs.Put(put.row, [(cell.column, cell.value + self.end) for cell in put.cells])
"""


@pytest.mark.parametrize(
    ("key", "value"),
    [("coprocessor$1", "python|x\nforged|1|"), ("coprocessor$1\nforged", "python|x|1|"), ("constraint$1", "\nforged")],
)
def test_attributes_of_a_table_start_no_line_of_the_log(caplog: pytest.LogCaptureFixture, key: str, value: str) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], attributes={key: value})
        with pytest.raises(errors.CoprocessorError):
            db.table("t").put("a", {"f:q": "v"})
    messages = [record.getMessage() for record in caplog.records]
    assert messages
    assert all("\n" not in message for message in messages)


class Odd(rs.coprocessors.RegionObserver):
    def pre_get_op(self, context: Any, get: rs.Get) -> None:
        if get.row == b"skipped":
            context.bypass({"f:q": b"v"})

    def post_get_op(self, context: Any, get: rs.Get, row: rs.Row) -> Any:
        return 5 if get.row == b"read" else (cell for cell in row.cells)


@pytest.mark.parametrize(("row", "hook"), [("skipped", "pre_get_op"), ("read", "post_get_op")])
def test_a_result_that_is_no_cells_names_the_observer(row: str, hook: str) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put("iterated", {"f:q": "v"})
        db.coprocessors.attach("t", Odd())
        assert db.table("t").get("iterated").to_dict() == {b"f:q": b"v"}
        with pytest.raises(errors.InvalidType, match=f"observer Odd gave .* as the result of {hook}; a result is a"):
            db.table("t").get(row)


class Asynchronous(rs.coprocessors.RegionObserver):
    async def pre_batch_mutate(self, context: Any, rows: Any, cells: Any) -> None:  # type: ignore[override]
        raise errors.ConstraintViolation("never raised")


class AsynchronousRule(rs.coprocessors.constraints.Constraint):
    async def check(self, put: rs.Put, context: Any) -> None:  # type: ignore[override]
        raise self.broken("never raised")


def test_async_hooks_and_rules_are_refused_because_nothing_awaits_them() -> None:
    with rs.connect(":memory:", allow_coprocessors=[AsynchronousRule]) as db:
        db.create_table("t", ["f"])
        with pytest.raises(errors.CoprocessorError, match=r"AsynchronousRule.check is an async function"):
            db.constraints("t").add(AsynchronousRule())
        db.coprocessors.attach("t", Asynchronous())
        with pytest.raises(errors.InvalidType, match="Asynchronous in pre_batch_mutate of table 't' is an async"):
            db.table("t").put("a", {"f:q": "v"})
        assert list(db.table("t")) == []


def _constraint(**parts: Any) -> str:
    return json.dumps({"class": f"{__name__}.BrokenRule", "arguments": {}, "enabled": True, **parts})


class BrokenRule(rs.coprocessors.constraints.Constraint):
    def __init__(self) -> None:
        raise ZeroDivisionError("oh")

    def check(self, put: rs.Put, context: Any) -> None: ...


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("coprocessor$" + "9" * 5000, "python|not.allowed|1|"),
        ("coprocessor$1", "python|broken_when_imported.Audit|1|"),
        ("constraint$1", "[" * 100_000),
        ("constraint$1", _constraint()),
        ("constraint$1", _constraint(**{"class": 5})),
        ("constraint$1", _constraint(arguments=[])),
        ("index$1", "[" * 100_000),
    ],
)
def test_no_attribute_of_a_table_prevents_opening_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, value: str
) -> None:
    (tmp_path / "broken_when_imported.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    allowed = ["broken_when_imported.*", BrokenRule]
    with rs.connect(tmp_path / "db", allow_coprocessors=allowed) as db:
        db.create_table("t", ["f"], attributes={key: value})
        with pytest.raises(errors.CoprocessorError):
            db.table("t").put("a", {"f:q": "v"})
    with rs.connect(tmp_path / "db", allow_coprocessors=allowed) as db:
        assert list(db.table("t")) == []
        with pytest.raises(errors.CoprocessorError):
            db.table("t").put("a", {"f:q": "v"})


def test_a_number_that_is_not_decimal_orders_no_attribute(tmp_path: Path) -> None:
    with rs.connect(tmp_path) as db:
        db.create_table("t", ["f"], attributes={"note$²": "1"})
    with rs.connect(tmp_path) as db:
        db.table("t").put("a", {"f:q": "v"})


def test_a_class_that_a_table_names_runs_only_where_it_is_allowed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "shouting.py").write_text(NAMED)
    place = tmp_path / "db"
    with rs.connect(place) as db:
        db.create_table("t", ["f"], attributes={"coprocessor$1": "python|shouting.Shout|1001|end=?"})
        with pytest.raises(errors.CoprocessorError, match=r"class shouting.Shout is not allowed here"):
            db.table("t").put("a", {"f:q": "v"})
        assert not db.table("t").get("a")
    assert "shouting" not in sys.modules
    assert "shouting.Shout is not allowed" in caplog.text
    program = (
        "import rowstone as rs, sys\n"
        "with rs.connect(sys.argv[1], allow_coprocessors=['shouting.*']) as db:\n"
        "    db.table('t').put('a', {'f:q': 'v'})\n"
        "    print(db.table('t')['a']['f:q'], db.coprocessors.attached('t'))\n"
    )
    path = f"{tmp_path}:{Path(rs.__file__).parents[1]}"
    command = [sys.executable, "-c", program, str(place)]
    said = subprocess.run(
        command, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=True, env={"PYTHONPATH": path}
    )
    assert said.stdout == "b'v?' [Attached(observer='Shout', priority=1001, source='table')]\n"
    with rs.connect(place) as db:
        # A Java class is meant for HBase: it is stored and not run here.
        db.admin.alter_table("t", attributes={"coprocessor$1": "|org.example.Audit|1001|"})
        db.table("t").put("b", {"f:q": "v"})
        assert db.table("t")["b"]["f:q"] == b"v"


def test_a_flush_that_asks_python_does_not_hold_up_closing() -> None:
    class Wait(rs.coprocessors.RegionObserver):
        def pre_flush(self, context: Any, region: str) -> None:
            time.sleep(0)

    db = rs.connect(":memory:", configuration={"hbase.hregion.memstore.flush.size": 8192})
    db.create_table("t", ["f"])
    db.coprocessors.attach("t", Wait())
    for number in range(200):
        db.table("t").put(f"r{number}", {"f:q": b"x" * 500})
    del db
    import gc

    gc.collect()
    # It stays referenced, so that none of its threads waits for the interpreter during garbage collection.
    from rowstone.coprocessors import _registry

    [kept] = _registry._kept
    kept.close()
    assert not _registry._kept


AUDITED = """
import rowstone as rs

database = None


class Audited(rs.coprocessors.RegionObserver):
    def __init__(self):
        if not database.admin.tables.exists("audit"):
            database.create_table("audit", ["a"])
"""


def test_the_constructor_of_an_observer_may_create_a_table(tmp_path: Path) -> None:
    """One lock for all loads of observers stopped both threads for ever."""
    (tmp_path / "audited.py").write_text(AUDITED)
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import audited, rowstone as rs\n"
        "with rs.connect(':memory:', allow_coprocessors=['audited.*']) as db:\n"
        "    audited.database = db\n"
        "    db.create_table('t', ['f'], attributes={'coprocessor$1': 'python|audited.Audited|1001|'})\n"
        "    print(db.admin.tables.list(), db.coprocessors.attached('t')[0].observer)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "['audit', 't'] Audited\n", done.stderr
