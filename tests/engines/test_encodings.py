"""The bytes of conditions: a value's bytes are in the ranges exactly if the condition holds for it, for every type."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from rowstone import keys
from rowstone.codecs import codec
from rowstone.engines import Compare, In, Not, RowSchema, StartsWith, plan
from rowstone.engines.planner.byte_ranges import EVERYTHING, complement, intersection, union
from rowstone.engines.planner.encodings import Encoding, Unknown, bytes_of, encoding_of
from rowstone.engines.planner.key_parts import PartEncoding
from rowstone.engines.planner.normal import Condition
from rowstone.keys import Key, KeyRange
from tests.engines.random_tables import KEYS, LITERALS, VALUES

OPERATORS: Any = ("==", "!=", "<", "<=", ">", ">=")
KINDS = sorted(kind for kind in VALUES if not kind.startswith("decimal"))
NEGATIVE_NAN = {"float32": struct.pack(">I", 0xFFC00001), "float64": struct.pack(">Q", 0xFFF8000000000001)}


def conditions(values: list[Any], kind: str) -> Iterator[Condition]:
    """Every comparison with one of the values or of others of that type, some lists, and prefixes."""
    start = kind.replace("uint", "int").replace("string", "text").replace("binary", "bytes")
    further = next((found for name, found in LITERALS.items() if start.startswith(name)), [])
    for value in (one for one in [*values, *further] if one is not None):
        yield from (Condition(Compare("c", operator, value), False) for operator in OPERATORS)
        yield from (Condition(In("c", (value, values[0])), is_negated) for is_negated in (False, True))
    for value in values:
        if isinstance(value, str | bytes):
            yield from (Condition(StartsWith("c", value[:1]), is_negated) for is_negated in (False, True))


def check(encoding: Encoding, condition: Condition, pairs: list[tuple[Any, bytes]]) -> int:
    """Check all values, with their bytes, against a condition; return how many were checked."""
    try:
        ranges = bytes_of(encoding, condition)
    except Unknown:
        return 0
    for value, data in pairs:
        holds = condition.source.matches({"c": value}) is True
        assert any(one.holds(data) for one in ranges) is holds, (condition, value, ranges)
    return len(pairs)


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_of_codecs(kind: str) -> None:
    pairs = [(value, codec(kind).encode(value)) for value in VALUES[kind]]
    if kind in NEGATIVE_NAN:
        pairs.append((math.nan, NEGATIVE_NAN[kind]))
    checked = [check(encoding_of(kind), condition, pairs) for condition in conditions(VALUES[kind], kind)]
    assert all(checked), "a condition is not pushed down"


PARTS = [
    (part, values[part.name], part is key.parts[-1])
    for key, values in KEYS
    if isinstance(key, Key)
    for part in key.parts
    if part.name
]


@pytest.mark.parametrize("place", range(len(PARTS)), ids=lambda place: repr(PARTS[place][0]))
def test_bytes_of_parts_of_keys(place: int) -> None:
    part, values, is_last = PARTS[place]
    encoding = PartEncoding(part)
    known = [value for value in values if value is not None]
    endings = [b""] if is_last else [b"", b"\0", b"a", b"\xff\xff"]
    pairs = [(value, part.encode(value) + ending) for value in known for ending in endings]
    checked = [check(encoding, condition, pairs) for condition in conditions(known, part.arrow_type)]
    assert any(checked)
    sorts = part.order != "none" and "domain" not in repr(part)
    assert all(checked) or not sorts or isinstance(known[0], str), "a condition is not pushed down"


def test_sets_of_bytes() -> None:
    some = union([KeyRange(b"c", b"d"), KeyRange(b"a", b"b"), KeyRange(b"b", b"bb"), KeyRange(b"x", b"x")])
    assert some == (KeyRange(b"a", b"bb"), KeyRange(b"c", b"d"))
    assert complement(some) == (KeyRange(b"", b"a"), KeyRange(b"bb", b"c"), KeyRange(b"d", b""))
    assert complement(complement(some)) == some
    assert intersection(some, complement(some)) == ()
    assert union([*some, *complement(some)]) == EVERYTHING
    assert complement(EVERYTHING) == () == intersection((), EVERYTHING)


def test_a_hash_does_not_determine_what_it_is_made_from() -> None:
    """Two values may have one hash, so the value is checked on the rows."""
    schema = RowSchema(Key(keys.md5_prefix(1, of="b"), keys.text("a"), keys.int16("b")), {"c": ("f:c", "text")})
    wanted = Compare("b", "==", 1)
    found = plan(wanted, schema)
    assert found.residue == wanted
    assert found.ranges != EVERYTHING
    assert plan(wanted & Compare("a", "==", "x"), schema).residue is None


def test_salted_keys_have_a_range_for_each_bucket() -> None:
    schema = RowSchema(Key(keys.salt(4), keys.text("a"), keys.time("b")), {"c": ("f:c", "text")})
    found = plan(Compare("a", "==", "x") & Compare("b", ">=", 5), schema)
    assert (len(found.ranges), found.residue) == (4, None)
    assert len(plan(Compare("a", "==", "x") & Compare("b", "==", 5), schema).ranges) == 1


def test_long_lists_are_checked_on_the_rows() -> None:
    schema = RowSchema("text", {"c": ("f:c", "int32")})
    many = In("row", tuple(f"r{number:05}" for number in range(3000)))
    found = plan(many, schema)
    assert (found.ranges, found.residue) == ((KeyRange(b"r00000", b"r02999\0"),), many)
    assert len(plan(In("row", many.values[:1000]), schema).ranges) == 1000
    numbers = In("c", tuple(range(0, 1000, 2)))
    assert plan(numbers, schema).residue == numbers


def test_a_condition_that_always_holds_is_not_pushed() -> None:
    """The first rows, which are read without the filter, were checked for it, although its columns were not read."""
    schema = RowSchema("text", {"c": ("f:c", "int32"), "d": ("f:d", "int32")})
    always = Not(In("row", ()) & In("d", (None,)))
    found = plan(Compare("c", "==", 1) & always, schema, ["row"])
    assert (found.pushed, found.residue) == (Compare("c", "==", 1), None)
    assert found.without_filter().reads == ("c",)
