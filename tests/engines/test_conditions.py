"""Conditions as text: what they mean, that they come back from their text, and what is said of bad ones."""

from __future__ import annotations

import datetime
import decimal
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowstone as rs
from rowstone.engines import And, Compare, In, IsNull, Not, Opaque, Or, Predicate, StartsWith
from rowstone.engines._condition_text import condition_text
from rowstone.engines._conditions import condition

NOON = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("age >= 18", Compare("age", ">=", 18)),
        ("18 > f:age", Compare("f:age", "<", 18)),
        ("age <> -2.5", Compare("age", "!=", -2.5)),
        ("`first name` = 'it''s'", Compare("first name", "==", "it's")),
        ('"a" == true', Compare("a", "==", True)),
        ("row = x'00ff'", Compare("row", "==", b"\x00\xff")),
        ("x = 1", Compare("x", "==", 1)),
        ("at < timestamp '2026-01-01T12:00:00+00:00'", Compare("at", "<", NOON)),
        ("price <= decimal '1.50'", Compare("price", "<=", decimal.Decimal("1.50"))),
        ("town IN ('Oslo', NULL)", In("town", ("Oslo", None))),
        ("town not in ('Oslo')", Not(In("town", ("Oslo",)))),
        ("name LIKE 'a%' and not name is null", And((StartsWith("name", "a"), Not(IsNull("name"))))),
        ("startswith(row, x'00') or age is not null", Or((StartsWith("row", b"\x00"), Not(IsNull("age"))))),
        ("a = 1 or b = 2 and c = 3", Or((Compare("a", "==", 1), And((Compare("b", "==", 2), Compare("c", "==", 3)))))),
        (
            "(a = 1 or b = 2) and c = 3",
            And((Or((Compare("a", "==", 1), Compare("b", "==", 2))), Compare("c", "==", 3))),
        ),
        ("a > float '-inf' and not false", And((Compare("a", ">", float("-inf")), Not(Or(()))))),
        ("true = a or true", Or((Compare("a", "==", True), And(())))),
        ("age between 1 and 9", And((Compare("age", ">=", 1), Compare("age", "<=", 9)))),
    ],
)
def test_texts_and_their_meaning(text: str, wanted: Predicate) -> None:
    assert condition(text) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs a column at its end"),
        ("age >", "needs a literal at its end"),
        ("age > town", "needs a literal at 'town'"),
        ("age = 1 town", "needs the end at 'town'"),
        ("age ~ 1", "needs a name, a literal or an operator at '~'"),
        ("(age = 1", r"needs '\)' at its end"),
        ("name like '%a'", "pattern '%a' of column 'name' is not a prefix"),
        ("at = timestamp 'noon'", "timestamp 'noon' is not valid"),
        ("not " * 100_000 + "a = 1", "too many parentheses"),
        ("a = -" + "1" * 5_000, "the condition has an integer of 5,000 digits"),
        ("a = 1" + " " * 1_000_000, "the limit is 1000000"),
    ],
)
def test_texts_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(rs.errors.InvalidArgument, match=message):
        condition(text)


VALUES = st.one_of(
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.text(),
    st.binary(),
    st.dates(),
    st.datetimes(timezones=st.just(datetime.UTC)),
    st.decimals(allow_nan=False, allow_infinity=False),
)
COLUMNS = st.text(min_size=1)
LEAVES = st.one_of(
    st.builds(Compare, COLUMNS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), VALUES),
    st.builds(In, COLUMNS, st.lists(st.one_of(st.none(), VALUES), min_size=1).map(tuple)),
    st.builds(StartsWith, COLUMNS, st.one_of(st.text(), st.binary())),
    st.builds(IsNull, COLUMNS),
)


def joined(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Conditions made of others."""
    several = st.one_of(st.just(()), st.lists(parts, min_size=2, max_size=3).map(tuple))
    return st.one_of(st.builds(And, several), st.builds(Or, several), st.builds(Not, parts))


@given(st.recursive(LEAVES, joined, max_leaves=8))
def test_a_predicate_comes_back_from_its_text(predicate: Predicate) -> None:
    assert condition(condition_text(predicate)) == predicate


def test_numbers_of_a_text_equal_decimals() -> None:
    """1.1 was a float, which no decimal equals."""
    price = {"p": decimal.Decimal("1.10")}
    for text in ("p = 1.1", "p >= 1.10", "p <= 110e-2", "p in (0.5, 1.1)", "p between 1.1 and 1.10", "not p <> 1.1"):
        found = condition(text)
        assert found is not None
        assert found.matches(price), text
        assert condition_text(pickle.loads(pickle.dumps(found))) == condition_text(found)
    exact = condition("p > 1.00000000000000000000001")
    assert exact is not None
    assert "1.00000000000000000000001" in condition_text(exact)
    assert exact.matches({"p": decimal.Decimal(1)}) is False
    assert Compare("p", "==", 1.1).matches(price) is False


def test_infinities_have_texts() -> None:
    """Regression: Spark's option ``where`` refused them."""
    assert condition_text(Compare("a", "<", float("inf"))) == "`a` < float 'inf'"


def test_conditions_without_parts_have_texts() -> None:
    """Regression: Spark's option ``where`` refused them."""
    assert (condition_text(And(())), condition_text(Not(Or(())))) == ("true", "not (false)")


def test_an_empty_list_is_false() -> None:
    found = condition(condition_text(In("a", ())))
    assert found is not None
    assert [found.matches({"a": value}) for value in (None, 1)] == [False, False]


def test_a_condition_of_an_engine_has_no_text() -> None:
    with pytest.raises(rs.errors.InvalidArgument, match="has no text"):
        condition_text(Not(Opaque("f(x)")))
