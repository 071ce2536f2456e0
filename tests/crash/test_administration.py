"""Random administration of one table under writes and scans, and kill -9: contents equal the model throughout.

`ROWSTONE_ADMINISTRATION_SECONDS` and `ROWSTONE_ADMINISTRATION_KILLS` say how much; `ROWSTONE_SEED` chooses others.
`make administration` is for half an hour.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.crash.administration.model import Model, Operation, Table
from tests.crash.administration.run import Judge, Lost, run
from tests.crash.administration.scanning import Watch, compare

SECONDS = float(os.environ.get("ROWSTONE_ADMINISTRATION_SECONDS", "60"))
KILLS = int(os.environ.get("ROWSTONE_ADMINISTRATION_KILLS", "5"))
SEED = int(os.environ.get("ROWSTONE_SEED", "20"))


def test_contents_equal_the_model_under_administration_and_kill_9(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = run(tmp_path / "db", SECONDS, KILLS, SEED)
    with capsys.disabled():
        print(f"\nseed {SEED}: {report}")
    assert report.operations.total() > 10 * KILLS
    assert report.scans > 0


CREATED = b'E null\nI [1, "create", {"table": "t"}]\nA 1\n'
PUT = b'I [2, "put", {"table": "t", "rows": ["r1"], "columns": ["a:p"]}]\n'
SNAPSHOT = b'I [3, "snapshot", {"table": "t", "snapshot": "s"}]\n'
DROPPED = b'I [3, "drop family", {"table": "t", "family": "a"}]\n'
BATCH = b'I [2, "batch", {"table": "t", "rows": ["r1", "r2"], "columns": ["a:p"]}]\n'
NOTHING: dict[str, int] = {}


def model_of(rows: dict[str, int], families: str = "ab", snapshots: tuple[str, ...] = ()) -> Model:
    contents = {row: (("a:p", number),) for row, number in rows.items()}
    return Model({"t": Table(frozenset(families), contents)}, {name: Table() for name in snapshots})


@pytest.mark.parametrize(
    ("journal", "model", "is_kept"),
    [
        (PUT + b"A 2\n", model_of({"r1": 2}), True),
        (PUT + b"A 2\n", model_of({}), False),
        (PUT, model_of({}), True),
        (PUT, model_of({"r1": 2}), True),
        (PUT, model_of({"r1": 3}), False),
        (PUT, model_of({"r1": 2, "r2": 2}), False),
        (BATCH, model_of({"r2": 2}), True),
        (BATCH, model_of({"r2": 2, "r3": 2}), False),
        (PUT + b"A 2\n" + DROPPED, model_of({"r1": 2}), True),
        (PUT + b"A 2\n" + DROPPED, model_of({}, "b"), True),
        (PUT + b"A 2\n" + DROPPED, model_of({}, "ab"), False),
        (PUT + b"A 2\n" + SNAPSHOT + b"A 3\n", model_of({"r1": 2}, snapshots=("s",)), True),
        (PUT + b"A 2\n" + SNAPSHOT + b"A 3\n", model_of({"r1": 2}), False),
        (PUT + b"A 2\n" + SNAPSHOT, Model(), False),
    ],
)
def test_the_judge_knows_a_loss(journal: bytes, model: Model, is_kept: bool) -> None:
    judge = Judge()
    assert judge.read(CREATED + journal)
    if is_kept:
        judge.compare(model)
        assert not judge.model.differs(model)
    else:
        with pytest.raises(Lost):
            judge.compare(model)


def test_an_interrupted_check_may_leave_tables_enabled() -> None:
    judge = Judge()
    assert judge.read(CREATED + b'I [2, "disable", {"table": "t"}]\nA 2\n')
    with pytest.raises(Lost, match="True is not"):
        judge.compare(model_of({}))
    assert not judge.read(b"S null\n")
    judge.compare(model_of({}))
    assert judge.model.tables["t"].is_enabled


def operation(number: int, kind: str, **arguments: object) -> Operation:
    return Operation(number, kind, {"table": "t", **arguments})


def test_the_model_knows_what_operations_make_of_it() -> None:
    model = Model()
    put = {"rows": ["r1"], "columns": ["a:p", "b:p"]}
    for step in (
        operation(1, "create"),
        operation(2, "put", **put),
        operation(3, "snapshot", snapshot="s"),
        operation(4, "change", rows=["r1"], columns=["b:q"], remove=["a:p"]),
    ):
        model.apply(step)
    assert model.tables["t"].rows == {"r1": (("b:p", 2), ("b:q", 4))}
    model.apply(operation(5, "drop family", family="b"))
    assert (model.tables["t"].rows, model.tables["t"].families) == ({}, {"a"})
    model.apply(Operation(6, "clone", {"table": "c", "snapshot": "s"}))
    model.apply(operation(7, "restore", snapshot="s"))
    assert model.tables["c"].rows == model.tables["t"].rows == {"r1": (("a:p", 2), ("b:p", 2))}
    assert (model.tables["c"].is_enabled, model.tables["t"].is_enabled) == (True, False)


def test_a_scan_may_show_what_was_written_meanwhile_and_nothing_else() -> None:
    watch = Watch(Model({"t": Table(rows={"r001": (("a:p", 1),), "r002": (("a:p", 2),)})}))
    begin = watch.start_scan()
    delete = operation(3, "delete", rows=["r001"])
    watch.begin(delete)
    possible = watch.possible(begin)
    assert possible
    both = [("r001", (("a:p", 1),)), ("r002", (("a:p", 2),))]
    for rows in (both, both[1:]):
        compare(possible, rows, range(10), reverse=False)
    for wrong in (both[:1], both[::-1], [*both, ("r003", (("a:p", 3),))], [("r001", (("a:p", 9),)), both[1]]):
        with pytest.raises(AssertionError):
            compare(possible, wrong, range(10), reverse=False)
    watch.end(delete)
    later = watch.possible(watch.start_scan())
    assert later
    with pytest.raises(AssertionError):
        compare(later, both, range(10), reverse=False)
    watch.begin(operation(4, "truncate"))
    assert watch.possible(begin) is None
    assert not watch.start_scan().is_steady
