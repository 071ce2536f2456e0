"""The checker accepts histories that have an explanation and rejects those without, also with unknown outcomes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import rowstone as rs
from tests.linearizability.checker import Undecided, Violation, check
from tests.linearizability.faults import FAULTS, CorrectTable
from tests.linearizability.history import Operation, Outage, with_lost_attempts
from tests.linearizability.model import EMPTY, LOST, State
from tests.linearizability.simulation import Simulation

A, B = State(b"a", b"a"), State(b"b", b"b")


def history(*operations: tuple[Any, ...]) -> list[Operation]:
    """Operations given as kind, argument, invoked, returned, result and lost attempts."""
    return [Operation(number, 0, *operation) for number, operation in enumerate(operations)]


@pytest.fixture(scope="module")
def tables() -> Iterator[Any]:
    """A function that creates another table."""
    with rs.connect(":memory:") as db:

        def create() -> rs.Table:
            name = f"t{len(db.tables())}"
            db.create_table(name, ["f", "g"], configuration={"rowstone.unique.timestamps": True})
            return db.table(name)

        yield create


ACCEPTED = {
    "reads in the interval of a put see either value": history(
        ("put", b"a", 1, 9, None), ("get", None, 2, 3, EMPTY), ("get", None, 4, 5, A), ("get", None, 6, 7, A)
    ),
    "concurrent increments return in any order": history(
        ("increment", 1, 1, 9, 3), ("increment", 2, 2, 8, 2), ("get", None, 10, 11, State(counter=3))
    ),
    "a put of unknown outcome takes effect long after": history(
        ("put", b"a", 1, None), ("get", None, 2, 3, EMPTY), ("put", b"b", 4, 5, None),
        ("get", None, 6, 7, B), ("get", None, 8, 9, A)
    ),
    "a put of unknown outcome never takes effect": history(
        ("put", b"a", 1, None), ("get", None, 2, 3, EMPTY), ("put", b"b", 4, 5, None),
        ("get", None, 6, 7, B), ("get", None, 8, 9, B)
    ),
    "a repeated put takes effect twice in its interval": history(
        ("put", b"a", 1, 9, None, 1), ("get", None, 2, 3, A), ("put", b"b", 4, 5, None),
        ("get", None, 6, 7, B), ("get", None, 8, 9, A)
    ),
    "a repeated check sees its own change": history(
        ("check_and_put", (None, b"a"), 1, 4, False, 1), ("get", None, 5, 6, A)
    ),
}  # fmt: skip

REJECTED = {
    "a read returns the old value after the new one": history(
        ("put", b"a", 1, 9, None), ("get", None, 2, 3, A), ("get", None, 4, 5, EMPTY)
    ),
    "a read returns a value after its put was overwritten": history(
        ("put", b"a", 1, 2, None), ("put", b"b", 3, 4, None), ("get", None, 5, 6, A)
    ),
    "two checks of the same value succeed": history(
        ("check_and_put", (None, b"a"), 1, 5, True), ("check_and_put", (None, b"b"), 2, 6, True)
    ),
    "a put of unknown outcome takes effect twice": history(
        ("put", b"a", 1, None), ("get", None, 2, 3, A), ("put", b"b", 4, 5, None),
        ("get", None, 6, 7, B), ("get", None, 8, 9, A)
    ),
    "a put of unknown outcome takes effect before it was invoked": history(
        ("get", None, 1, 2, A), ("put", b"a", 3, None)
    ),
    "a put of unknown outcome is seen, and then no longer": history(
        ("put", b"a", 1, None), ("get", None, 2, 3, A), ("get", None, 4, 5, EMPTY)
    ),
    "a repeated put takes effect after it returned": history(
        ("put", b"a", 1, 3, None, 1), ("put", b"b", 4, 5, None), ("get", None, 6, 7, A)
    ),
    "an increment without a lost attempt is applied twice": history(
        ("increment", 1, 1, 2, 1), ("get", None, 3, 4, State(counter=2))
    ),
    "a row has half of a put": history(
        ("put", b"a", 1, 4, None), ("get", None, 2, 3, State(b"a", None))
    ),
}  # fmt: skip


def test_a_row_beyond_the_limit_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any of these increments may have taken effect, and no order of them explains the last read."""
    lost = [("increment", 2**number, 1, None) for number in range(12)]
    impossible = history(*lost, ("get", None, 2, 3, State(counter=2**12)))
    assert isinstance(check(impossible), Violation)
    monkeypatch.setattr("tests.linearizability.checker.MOST_WORK", 10_000)
    with pytest.raises(Undecided, match=r"row 0: .* nodes, 13 pending"):
        check(impossible)


def test_attempts_of_one_operation_are_alike() -> None:
    """Each of five deletes may have been sent ten times: their order does not matter."""
    deletes = [("delete", None, 1, 90, None, 10) for _ in range(5)]
    puts = [("put", b"a", time, time + 1, None) for time in range(2, 80, 4)]
    reads = [("get", None, time, time + 1, A if time % 8 else EMPTY) for time in range(4, 80, 4)]
    assert check(history(*deletes, *puts, *reads)) is None


@pytest.mark.parametrize("name", ACCEPTED)
def test_explained_histories_are_accepted(name: str) -> None:
    assert check(ACCEPTED[name]) is None


@pytest.mark.parametrize("name", REJECTED)
def test_unexplained_histories_are_rejected(name: str) -> None:
    assert isinstance(check(REJECTED[name]), Violation)


def test_a_violation_names_the_operation_and_the_possible_states() -> None:
    violation = check(REJECTED["a read returns a value after its put was overwritten"])
    assert violation is not None
    assert violation.operation.kind == "get"
    assert violation.states == {B}
    assert "nothing explains Operation(client=2" in str(violation)


def test_an_outage_in_the_interval_is_a_lost_attempt() -> None:
    operations = history(("put", b"a", 1, 4, None), ("put", b"b", 2, 30, None), ("increment", 1, 15, None))
    outages = [Outage(5, 10), Outage(20, 25)]
    kept = with_lost_attempts(operations, outages, nonces_survive=True)
    assert [operation.lost_attempts for operation in kept] == [0, 2, 0]
    forgotten = with_lost_attempts(operations, outages, nonces_survive=False)
    assert [operation.lost_attempts for operation in forgotten] == [0, 2, 1]


def test_a_repeated_increment_takes_effect_once_and_returns_the_present_count() -> None:
    """Its first attempt made the count 1, another client made it 3, and the repetition was answered with that."""
    operations = history(("increment", 1, 1, 30, 3), ("increment", 2, 2, 3, 3), ("get", None, 40, 41, State(counter=3)))
    assert check(with_lost_attempts(operations, [], nonces_survive=True)) is not None
    assert check(with_lost_attempts(operations, [Outage(5, 10)], nonces_survive=True)) is None
    twice = [*operations[:2], operations[2]._replace(result=State(counter=4))]
    assert check(with_lost_attempts(twice, [Outage(5, 10)], nonces_survive=True)) is not None
    assert check(with_lost_attempts(twice, [Outage(5, 10)], nonces_survive=False)) is None


def test_a_lost_result_from_hbase_says_nothing() -> None:
    operations = history(("increment", 1, 1, 30, LOST), ("get", None, 40, 41, State(counter=1)))
    outages = [Outage(5, 10)]
    assert check(with_lost_attempts(operations, outages, nonces_survive=False)) is None
    unknown = history(("increment", 4, 0, 1, 4), *[tuple(one[2:]) for one in operations])
    assert check(with_lost_attempts(unknown, outages, nonces_survive=True)) is not None


def test_a_living_server_loses_no_result() -> None:
    for result in (LOST, 3):
        operations = history(("increment", 1, 1, 30, result), ("increment", 2, 2, 3, 3))
        assert check(with_lost_attempts(operations, [], nonces_survive=True)) is not None


@pytest.mark.parametrize("seed", range(8))
def test_a_correct_table_passes(tables: Any, seed: int) -> None:
    assert (
        check(Simulation(CorrectTable(tables(), seed), seed, clients=random.Random(seed).randint(2, 6)).run(400))
        is None
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(tables: Any, fault: Any) -> None:
    """With every seed, soon after the first time that it happens."""
    for seed in range(5):
        table = fault(tables(), seed)
        assert isinstance(check(Simulation(table, seed).run(400)), Violation), seed
        assert table.fault_count > 0
