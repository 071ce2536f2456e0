"""Each part alone: what is encoded comes back, and bytes sort as values do, or the other way round."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowstone import errors, keys
from rowstone.keys import Key

EXAMPLES = int(os.environ.get("ROWSTONE_KEY_EXAMPLES", "25"))
"""Cases drawn for each part."""

CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(CHARACTERS, max_size=12)
NONZERO = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
BLOBS = st.binary(max_size=12) | st.text("\0\1\xff", max_size=6).map(lambda text: text.encode("latin-1"))
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=None).filter(
    lambda number: len(number.as_tuple().digits) <= 31 and abs(number.adjusted()) < 600
) | st.integers(-(10**30), 10**30).map(Decimal)


def integers(bits: int, *, signed: bool = True) -> st.SearchStrategy[int]:
    low = -(1 << bits - 1) if signed else 0
    return st.integers(low, low + (1 << bits) - 1)


FLOATS = st.floats(allow_nan=False)
FLOATS32 = st.floats(allow_nan=False, width=32)
SORTED: dict[str, tuple[Callable[[str], keys.Part], st.SearchStrategy[Any]]] = {
    **{f"int{bits}": (getattr(keys, f"int{bits}"), integers(bits)) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (getattr(keys, f"uint{bits}"), integers(bits, signed=False)) for bits in (8, 16, 32, 64)},
    "float32": (keys.float32, FLOATS32),
    "float64": (keys.float64, FLOATS),
    "padded": (lambda name: keys.padded(name, 6), st.integers(0, 999_999)),
    "time": (keys.time, st.integers(0, 2**63 - 1)),
    "reverse_time": (keys.reverse_time, st.integers(0, 2**63 - 1)),
    "text": (keys.text, NONZERO),
    "text with an end": (lambda name: keys.text(name, end=":"), st.text("abcäz", max_size=6)),
    "blob": (keys.blob, BLOBS),
    "fixed": (lambda name: keys.fixed(name, 3), st.text("abz", min_size=3, max_size=3)),
    "fixed_bytes": (lambda name: keys.fixed_bytes(name, 3), st.binary(min_size=3, max_size=3)),
    **{
        f"ordered {kind}": (lambda name, kind=kind: keys.ordered(name, kind), values)  # type: ignore[misc]
        for kind, values in {
            "int8": integers(8),
            "int16": integers(16),
            "int32": integers(32),
            "int64": integers(64),
            "float32": FLOATS32,
            "float64": FLOATS,
            "number": NUMBERS,
            "text": NONZERO,
        }.items()
    },
}


def order_of(value: Any) -> Any:
    """The sort key of the bytes: floats have two zeros."""
    return (value, math.copysign(1, value)) if isinstance(value, float) else value


@pytest.mark.parametrize("name", SORTED)
@pytest.mark.parametrize("turned", [False, True])
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_encoded_parts_round_trip_and_keep_their_order(name: str, turned: bool, data: st.DataObject) -> None:
    make, values = SORTED[name]
    part = keys.descending(make("x")) if turned else make("x")
    one, other = data.draw(values), data.draw(values)
    encoded = part.encode(one)
    assert part.decode(b"before" + encoded + b"\0behind", 6) == (one, 6 + len(encoded))
    assert part.width in (None, len(encoded))
    if part.order == "ascending":
        assert (encoded < part.encode(other)) == (order_of(one) < order_of(other))
    else:
        assert part.order == "descending"
        assert (encoded < part.encode(other)) == (order_of(one) > order_of(other))
    # Later parts do not change the order: no encoding is a prefix of another.
    if encoded != part.encode(other):
        assert not part.encode(other).startswith(encoded)


@given(BLOBS, BLOBS)
def test_blobs_of_hbase_come_back_and_do_not_sort(one: bytes, other: bytes) -> None:
    """HBase's own bytes sort 01 before 00 00: so there are no ranges, while each value is found."""
    part = keys.ordered("x", "blob")
    assert part.decode(part.encode(one) + b"behind", 0) == (one, len(part.encode(one)))
    assert one == other or not part.encode(other).startswith(part.encode(one))
    assert part.encode(b"\x01") < part.encode(b"\0\0")
    with pytest.raises(errors.InvalidArgument, match="does not sort by value"):
        Key(part).range(x=(b"a", b"b"))


def test_a_number_is_rounded_to_31_digits_and_still_sorts() -> None:
    part = keys.ordered("x", "number")
    nearly, one = Decimal("0." + 40 * "9"), Decimal(1)
    assert part.decode(part.encode(nearly), 0)[0] == 1
    assert part.encode(Decimal("0.99")) < part.encode(nearly) == part.encode(one)
    assert part.encode(-one) == part.encode(-nearly) < part.encode(Decimal("-0.99"))
    assert part.decode(part.encode(Decimal("1." + 40 * "3")), 0)[0] == Decimal("1." + 30 * "3")


@pytest.mark.parametrize("kind", ["number", "text", "blob", "blob_copy"])
@pytest.mark.parametrize("descending", [False, True])
def test_null_sorts_first_or_last(kind: str, descending: bool) -> None:
    part = keys.ordered("x", kind, descending=descending)
    value = {"number": Decimal("-1E+100"), "text": ""}.get(kind, b"")
    assert (part.encode(None) < part.encode(value)) is not descending
    assert part.decode(part.encode(None), 0) == (None, len(part.encode(None)))


@given(TEXTS)
def test_a_last_text_is_stored_as_it_is(value: str) -> None:
    key = Key(keys.int8("n"), keys.text("s"))
    assert key.encode(n=0, s=value) == b"\x80" + value.encode()
    assert key.decode(key.encode(n=0, s=value)).s == value


@pytest.mark.parametrize("value", [0, 1, -1, 2**63 - 1, -(2**63)])
def test_java_integers_are_those_of_bytes(value: int) -> None:
    assert keys.java_int64("n").encode(value) == struct.pack(">q", value)
    assert keys.java_int64("n").decode(struct.pack(">q", value), 0) == (value, 8)


def test_java_integers_have_ranges_from_zero_up() -> None:
    key = Key(keys.java_int32("n"))
    rows = {value: key.encode(n=value) for value in (-5, -1, 0, 1, 7, 2**31 - 1)}
    found = key.range(n=(1, None))
    assert [value for value, row in rows.items() if found.holds(row)] == [1, 7, 2**31 - 1]
    for low in (None, -1):
        with pytest.raises(errors.InvalidArgument, match="int64 sorts all"):
            key.range(n=(low, 5))


@pytest.mark.parametrize("part", [keys.java_int32("n"), keys.descending(keys.java_int32("n"))])
def test_ranges_of_java_integers_have_no_numbers_below_zero(part: keys.Part) -> None:
    key = Key(part, keys.text("s"))
    rows = {value: key.encode(n=value, s="x") for value in (-5, -1, 0, 1, 7, 2**31 - 1)}
    for low, high in [(0, 7), (0, None), (1, None), (1, 2**31 - 1), (2**31 - 1, None)]:
        found = key.range(n=(low, high))
        wanted = [value for value in rows if value >= low and (high is None or value < high)]
        assert [value for value, row in rows.items() if found.holds(row)] == wanted, (low, high)
    for low, high in [(None, 5), (-1, 5), (-5, None), (5, -1)]:
        with pytest.raises(errors.InvalidArgument, match=r"int64 sorts all|is not before"):
            key.range(n=(low, high))


def test_a_descending_range_may_begin_at_the_smallest_value() -> None:
    key = Key(keys.text("host"), keys.descending(keys.uint8("n")), keys.text("s"))
    rows = {value: key.encode(host="a", n=value, s="x") for value in (0, 1, 5, 255)}
    found = key.range(host="a", n=(0, 5))
    assert [value for value, row in rows.items() if found.holds(row)] == [0, 1]
    assert not found.holds(key.encode(host="b", n=0, s="x"))


def test_times_are_milliseconds_or_aware_datetimes() -> None:
    moment = datetime(2013, 1, 1, 5, 15, 0, 123_000, tzinfo=UTC)
    for part in (keys.time("at"), keys.reverse_time("at")):
        assert part.decode(part.encode(moment), 0)[0] == 1_357_017_300_123
        with pytest.raises(errors.InvalidArgument, match="time zone"):
            part.encode(moment.replace(tzinfo=None))


WRONG: list[tuple[keys.Part, Any, str]] = [
    (keys.int8("x"), 128, "128 does not fit: -128 to 127"),
    (keys.uint16("x"), -1, "0 to 65535"),
    (keys.int64("x"), 2**63, "does not fit"),
    (keys.int64("x"), "1", "takes int, not str"),
    (keys.int64("x"), True, "takes int, not bool"),
    (keys.float64("x"), "1", "takes float"),
    (keys.float32("x"), 1e300, "does not fit 32 bits"),
    (keys.padded("x", 3), 1000, "1000 does not fit: 0 to 999"),
    (keys.padded("x", 3), -1, "does not fit"),
    (keys.text("x"), "a\0b", "use blob"),
    (keys.text("x", end="-"), "a-b", "text without end="),
    (keys.text("x", end="-"), "a!", "text without end="),
    (keys.text("x"), b"a", "takes str, not bytes"),
    (keys.text("x"), "\ud800", "surrogate"),
    (keys.blob("x"), "a", "takes bytes, not str"),
    (keys.fixed("x", 3), "ab", "has 2 bytes, not 3"),
    (keys.fixed_bytes("x", 3), b"abcd", "has 4 bytes, not 3"),
    (keys.time("x"), -1, "is not between"),
    (keys.time("x"), "now", "not str"),
    (keys.ordered("x", "int8"), 200, "-128 to 127"),
    (keys.ordered("x", "text"), "a\0", "use blob"),
    (keys.ordered("x", "number"), Decimal("1E+700"), "below 1E\\+700"),
    (keys.ordered("x", "number"), "1", "takes int or float or Decimal"),
    (keys.ordered("x", "int8"), None, "has no null"),
    (keys.ordered("x", "blob_copy", descending=True), b"\0", "use blob"),
    (keys.random_bytes("x", 4), b"abc", "has 3 bytes, not 4"),
    (keys.md5("x"), 5, "takes str or bytes"),
]


@pytest.mark.parametrize(("part", "value", "message"), WRONG, ids=lambda value: repr(value))
def test_values_that_do_not_fit_are_refused(part: keys.Part, value: Any, message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message) as refused:
        part.encode(value)
    assert repr(part) in str(refused.value)


ALL = [make("x") for make, _ in SORTED.values()]


@pytest.mark.parametrize("part", [*ALL, *map(keys.descending, ALL)], ids=repr)
@settings(max_examples=EXAMPLES)
@given(data=st.binary(max_size=20))
def test_any_bytes_are_read_or_refused(part: keys.Part, data: bytes) -> None:
    try:
        value, end = part.decode(data, 0)
    except errors.InvalidArgument:
        return
    assert 0 < end <= len(data)
    assert value is None or part.encode(value) is not None


def test_invalid_parts_are_refused() -> None:
    with pytest.raises(errors.InvalidArgument, match="cannot sort descending"):
        keys.descending(keys.md5("x"))
    with pytest.raises(errors.InvalidArgument, match="use padded or fixed"):
        keys.reversed_fixed(keys.text("x"))
    for make in (lambda: keys.padded("x", 0), lambda: keys.fixed("x", 0), lambda: keys.random_bytes("x", 0)):
        with pytest.raises(errors.InvalidArgument, match="at least 1"):
            make()
    for count in (0, 65537):
        with pytest.raises(errors.InvalidArgument, match="1 to 65536"):
            keys.salt(count)
    with pytest.raises(errors.InvalidArgument, match="1 to 16"):
        keys.md5_prefix(17)
    with pytest.raises(errors.InvalidArgument, match="one ASCII character"):
        keys.text("x", end="--")


@pytest.mark.parametrize(
    "part", [keys.text("a"), keys.fixed("a", 3), keys.md5("a"), keys.ordered("a", "text"), keys.domain("a")], ids=repr
)
def test_text_without_utf8_is_refused_by_every_part(part: keys.Part) -> None:
    with pytest.raises(errors.InvalidArgument, match=r"'\\ud800' has no UTF-8: a surrogate"):
        keys.Key(part).encode("\ud800")
