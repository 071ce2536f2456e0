"""Ranges contain exactly the right rows: random keys, compared with a check of every row."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowstone import errors, keys
from rowstone.keys import Key, startswith
from rowstone.keys.parts import _part

EXAMPLES = int(os.environ.get("ROWSTONE_KEY_EXAMPLES", "150"))

WORDS = st.text("ab\x01\xff", max_size=3)
SMALL = st.integers(-3, 3)
FROM_ZERO = st.integers(0, 5)
Make = Callable[[str], keys.Part]
CHOICES: list[tuple[Make, st.SearchStrategy[Any]]] = [
    (keys.int8, SMALL),
    (keys.int64, SMALL),
    (keys.uint16, FROM_ZERO),
    (keys.float32, SMALL.map(float)),
    (lambda name: keys.padded(name, 2), FROM_ZERO),
    (keys.time, FROM_ZERO),
    (keys.reverse_time, FROM_ZERO),
    (keys.text, WORDS),
    (keys.blob, st.text("\0\1\xff", max_size=3).map(lambda text: text.encode("latin-1"))),
    (lambda name: keys.ordered(name, "number"), SMALL),
    (lambda name: keys.ordered(name, "text", descending=True), WORDS),
    (lambda name: keys.descending(keys.text(name)), WORDS),
    (lambda name: keys.descending(keys.int16(name)), SMALL),
]
FRONTS: list[Callable[[], keys.Part] | None] = [
    None,
    lambda: keys.salt(3),
    lambda: keys.salt(3, of="a"),
    lambda: keys.round_robin(2),
    lambda: keys.md5_prefix(1, of="a"),
]
NAMES = "abc"
EMPTY = ("is not before", "leave it open", "computed from")
"""Refused: a range without values, one before the first value, and one behind a hash that is not known."""


@st.composite
def cases(draw: st.DrawFn) -> tuple[Key, list[dict[str, Any]], dict[str, Any]]:
    """A key, rows, and a query: single values of the first parts, a condition on the next."""
    chosen = draw(st.lists(st.sampled_from(CHOICES), min_size=1, max_size=3))
    front = draw(st.sampled_from(FRONTS))
    names = NAMES[: len(chosen)]
    key = Key(*([front()] if front else []), *(make(name) for name, (make, _) in zip(names, chosen, strict=True)))
    values = {name: strategy for name, (_, strategy) in zip(names, chosen, strict=True)}
    rows = draw(st.lists(st.fixed_dictionaries(values), max_size=12))
    exact = draw(st.integers(0, len(names)))
    query = {name: draw(values[name]) for name in names[:exact]}
    if exact < len(names) and draw(st.booleans()):
        name = names[exact]
        low, high = sorted([draw(values[name]), draw(values[name])])
        kind = draw(st.sampled_from(["both", "low", "high", "start"]))
        if kind == "start" and isinstance(low, (str, bytes)):
            query[name] = startswith(low[:2])
        else:
            query[name] = (low if kind != "high" else None, high if kind != "low" else None)
    return key, rows, query


def fits(row: dict[str, Any], query: dict[str, Any]) -> bool:
    """Whether a row is in the range, by its values alone."""
    for name, wanted in query.items():
        value = row[name]
        if isinstance(wanted, _part.StartsWith):
            ok = value.startswith(wanted.start)
        elif isinstance(wanted, tuple):
            ok = (wanted[0] is None or wanted[0] <= value) and (wanted[1] is None or value < wanted[1])
        else:
            ok = value == wanted
        if not ok:
            return False
    return True


@settings(max_examples=EXAMPLES)
@given(cases())
def test_a_range_holds_the_rows_that_fit_and_no_others(case: tuple[Key, list[dict[str, Any]], dict[str, Any]]) -> None:
    key, rows, query = case
    rows = [row for row in rows if len(key.logical(b"x" * 9)) and _encodes(key, row)]
    try:
        found = key.ranges(query)
    except errors.InvalidArgument as error:
        if not any(reason in str(error) for reason in EMPTY):
            raise
        return
    for row in rows:
        encoded = key.encode(row)
        holding = [one for one in found if one.holds(encoded)]
        assert len(holding) == fits(row, query), (encoded, found)


def _encodes(key: Key, row: dict[str, Any]) -> bool:
    try:
        return bool(key.encode(row))
    except errors.InvalidArgument:
        return False


KEY = Key(keys.text("host"), keys.reverse_time("at"), keys.int64("seq"))


def test_a_prefix_is_of_whole_values() -> None:
    assert KEY.prefix(host="a") == b"a\0"
    assert KEY.prefix() == b""
    assert KEY.prefix("a", 5) == b"a\0" + keys.reverse_timestamp(5)
    salted = Key(keys.salt(4, of="host"), *KEY.parts)
    assert salted.prefix(host="a")[1:] == b"a\0"


def test_ranges_end_before_their_second_value() -> None:
    found = KEY.range(host="a", at=(10, 20))
    inside = [at for at in (9, 10, 19, 20) if found.holds(KEY.encode(host="a", at=at, seq=0))]
    assert inside == [10, 19]
    start, stop = KEY.range()
    assert (start, stop) == (b"", b"")
    whole = KEY.range(host="a", at=5, seq=1)
    assert whole == (KEY.encode("a", 5, 1), KEY.encode("a", 5, 1) + b"\0")


@pytest.mark.parametrize(
    ("key", "given", "message"),
    [
        (KEY, {"at": 5}, "'host' before it has no single value"),
        (KEY, {"host": ("a", "b"), "at": 5}, "'host' before it has no single value"),
        (KEY, {"port": 5}, "'port' is no part"),
        (KEY, {"host": "a", "at": (5, 5)}, "is not before"),
        (KEY, {"host": "a", "at": startswith("5")}, "has no beginnings"),
        (Key(keys.text("dev", end="-"), keys.text("sub")), {"dev": startswith("rack1-")}, "ends the part"),
        (Key(keys.fixed("airport", 3), keys.text("sub")), {"airport": startswith("OSLO")}, "values have 3 bytes"),
        (Key(keys.md5("host"), keys.time("at")), {"host": ("a", "b")}, "does not sort by value"),
        (Key(keys.md5_prefix(4), keys.text("host"), keys.time("at")), {"host": "a"}, "give all values"),
        (Key(keys.salt(4), *KEY.parts), {"host": "a"}, "4 buckets"),
        (Key(keys.descending(keys.uint8("n"))), {"n": (None, 0)}, "leave it open"),
        (Key(keys.text("dev")), {"dev": startswith(b"\xff")}, "the beginning .* is not UTF-8"),
        (Key(keys.ordered("dev", "text")), {"dev": startswith(b"\xff")}, "the beginning .* is not UTF-8"),
        (Key(keys.fixed("dev", 3)), {"dev": startswith("\ud800")}, "has no UTF-8: a surrogate"),
        (Key(keys.blob("dev")), {"dev": startswith(5)}, "takes startswith"),  # type: ignore[arg-type]
    ],
)
def test_invalid_ranges_are_refused(key: Key, given: dict[str, Any], message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        key.range(given)


def test_surplus_values_of_ranges_are_refused() -> None:
    """They were ignored: the range was larger than it looked."""
    with pytest.raises(errors.InvalidArgument, match="has 3 values, not 4"):
        KEY.range("a", 5, 7, 9)
    with pytest.raises(errors.InvalidArgument, match="'host' is given twice"):
        KEY.prefix("a", host="b")


def test_invalid_prefixes_are_refused() -> None:
    for values, message in [
        ({"host": "a", "at": (1, 2)}, "use range"),
        ({"host": "a", "at": 1, "seq": 1}, "use encode"),
    ]:
        with pytest.raises(errors.InvalidArgument, match=message):
            KEY.prefix(**values)
    with pytest.raises(errors.InvalidArgument, match="use ranges"):
        Key(keys.salt(4), *KEY.parts).prefix(host="a")


def test_a_bucketed_key_has_a_range_a_bucket_where_the_bucket_is_not_known() -> None:
    key = Key(keys.bucket(10, of="at"), keys.time("at"), keys.text("host"))
    assert len(key.ranges(at=(5, 100))) == 10
    assert key.ranges(at=57) == [(b"\x07" + (57).to_bytes(8, "big"), b"\x07" + (58).to_bytes(8, "big"))]
    by_host = Key(keys.salt(8, of="host"), keys.text("host"), keys.time("at"))
    assert len(by_host.ranges(host="a", at=(5, 100))) == 1
    assert len(by_host.ranges()) == 8


def test_hosts_of_a_domain_begin_alike() -> None:
    key = Key(keys.domain("host"), keys.time("at"))
    found = key.range(host=startswith(".cnn.com"))
    hosts = ["cnn.com", "www.cnn.com", "a.b.cnn.com", "cnn.org", "wwwcnn.com", "xcnn.com"]
    assert [host for host in hosts if found.holds(key.encode(host=host, at=1))] == ["www.cnn.com", "a.b.cnn.com"]
