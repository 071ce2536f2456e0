"""Filters in Python: classes and their fields, the filter language, supported operations, and errors.

The results of filters are compared with HBase in `tests/cases` (s06, s20 to s24) and by random scripts; expressions
have `test_filter_expressions.py`.
"""

from __future__ import annotations

import copy
import dataclasses
import operator
import pickle
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

import rowstone as rs
from rowstone import _native, errors, filters
from tests.script.recorded import load_cases

COMPARATORS = [
    filters.BigDecimalComparator(Decimal("-1.50")),
    filters.BinaryComparator(b"it's\0"),
    filters.BinaryComponentComparator("ab", 2),
    filters.BinaryPrefixComparator("a"),
    filters.BitComparator(b"\1", "XOR"),
    filters.LongComparator(-5),
    filters.NullComparator(),
    filters.RegexStringComparator("a.b", 34, "ISO-8859-1", "JONI"),
    filters.SubstringComparator("ABC"),
]
FILTERS = [
    filters.ColumnCountGetFilter(3),
    filters.ColumnPaginationFilter(3, 1),
    filters.ColumnPaginationFilter(3, "q"),
    filters.ColumnPrefixFilter("p"),
    filters.ColumnRangeFilter("a", True, None, False),
    filters.ColumnValueFilter("f", "q", "<", "v"),
    filters.DependentColumnFilter("f", "q", True, "EQUAL", "v"),
    filters.DependentColumnFilter("f", "q"),
    filters.FamilyFilter("!=", "f"),
    filters.FirstKeyOnlyFilter(),
    filters.FirstKeyValueMatchingQualifiersFilter({"a", "b"}),
    filters.FuzzyRowFilter([("a?", b"\0\1")]),
    filters.InclusiveStopFilter("r"),
    filters.KeyOnlyFilter(True),
    filters.MultiRowRangeFilter([("b", "d"), ("c", True, None, False)]),
    filters.MultipleColumnPrefixFilter(["b", "a"]),
    filters.PageFilter(5),
    filters.PrefixFilter("p"),
    filters.QualifierFilter("EQUAL", filters.SubstringComparator("x")),
    filters.RandomRowFilter(0.5),
    filters.RowFilter(">=", "r"),
    filters.SingleColumnValueFilter("f", "q", "=", "v", filter_if_missing=True),
    filters.SingleColumnValueExcludeFilter("f", "q", "=", "v", latest_version_only=False),
    filters.SkipFilter("ValueFilter(=,'binary:v')"),
    filters.TimestampsFilter([3, 1, 3], can_hint=True),
    filters.ValueFilter("LESS", "v"),
    filters.WhileMatchFilter(filters.PageFilter(1)),
    filters.FilterList("MUST_PASS_ONE", [filters.PageFilter(1), "PrefixFilter('a')"]),
]


@pytest.fixture
def people() -> Iterator[rs.Table]:
    """Three persons in two families and two regions."""
    with rs.connect(":memory:") as db:
        db.create_table("people", {"f": rs.Family(max_versions=3), "g": {}}, splits=["bob"])
        table = db.table("people")
        table.put("ann", {"f:age": (31).to_bytes(8, "big"), "f:town": "Oslo", "g:n": "1"}, timestamp=1)
        table.put("bob", {"f:age": (19).to_bytes(8, "big"), "f:town": "Bergen"}, timestamp=2)
        table.put("eve", {"f:town": "Oslo"}, timestamp=3)
        yield table


def keys(table: rs.Table, **options: Any) -> list[bytes]:
    with table.scan(**options) as rows:
        return [row.key for row in rows]


# ---- classes


def test_every_class_has_the_fields_of_its_description() -> None:
    described = _native.filter_classes()
    classes = {name: getattr(filters, name) for name in described}
    assert {name: [field.name for field in dataclasses.fields(cls)] for name, cls in classes.items()} == described
    assert sum(issubclass(cls, filters.Filter) for cls in classes.values()) == 26
    assert sum(issubclass(cls, filters.Comparator) for cls in classes.values()) == 9
    assert set(described) <= set(filters.__all__)


def test_every_class_is_tried_here_and_has_recorded_cases() -> None:
    assert {type(made).__name__ for made in [*FILTERS, *COMPARATORS]} == set(_native.filter_classes())
    text = "\n".join(line for case in load_cases() for line in case.lines)
    words = {"FilterList": " AND ", "SkipFilter": "SKIP ", "WhileMatchFilter": "WHILE "}
    comparators = ["binary:", "binaryprefix:", "component:", "bit:", "long:", "decimal:", "null:", "regexstring:",
                   "substring:"]  # fmt: skip
    names = [words.get(name, f"{name}(") for name in _native.filter_classes() if name.endswith("Filter")]
    assert not [word for word in [*names, *comparators] if word not in text]


@pytest.mark.parametrize("made", [*FILTERS, *COMPARATORS], ids=lambda made: type(made).__name__)
def test_they_are_values(made: Any) -> None:
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert hash(made) == hash(copy.copy(made))
    assert eval(repr(made), {**vars(filters), "Decimal": Decimal}) == made
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.new = 1


def test_fields_become_normal() -> None:
    assert filters.TimestampsFilter([3, 1, 3]).timestamps == (1, 3)
    assert filters.MultipleColumnPrefixFilter(["b", "a"]).prefixes == (b"a", b"b")
    assert filters.RowFilter(">=", "r").operator == "GREATER_OR_EQUAL"
    assert filters.RowFilter(">=", "r").comparator == filters.BinaryComparator(b"r")
    assert filters.SubstringComparator("ABC").substring == "abc"
    merged = filters.MultiRowRangeFilter([("c", "e"), ("a", "b"), ("b", True, "c", False)])
    assert merged.ranges == ((b"a", True, b"e", False),)
    assert filters.RegexStringComparator("a", charset="latin1").charset == "ISO-8859-1"


WRONG: list[tuple[Any, str]] = [
    (lambda: filters.PageFilter(-1), "page_size is -1"),
    (lambda: filters.ColumnCountGetFilter(2**31), "32 bits"),
    (lambda: filters.ColumnPaginationFilter(1, -1), "offset is -1"),
    (lambda: filters.TimestampsFilter([-1]), "-1"),
    (lambda: filters.MultipleColumnPrefixFilter(["a", "a"]), "'a' is there twice"),
    (lambda: filters.MultiRowRangeFilter([]), "at least one range"),
    (lambda: filters.MultiRowRangeFilter([("b", "a")]), "from 'b' to 'a'"),
    (lambda: filters.FuzzyRowFilter([]), "at least one key"),
    (lambda: filters.FuzzyRowFilter([("ab", b"\0")]), "2 bytes and its mask 1"),
    (lambda: filters.FuzzyRowFilter([("a", b"\5")]), "holds 5"),
    (lambda: filters.RowFilter("~", "a"), "operator '~'"),
    (lambda: filters.RowFilter("=", 5), "comparator: must be a comparator, bytes or str, not int"),  # type: ignore[arg-type]
    (lambda: filters.SingleColumnValueFilter("f", "q", "NO_OP", "v"), "NO_OP"),
    (lambda: filters.FilterList("SOME", []), "list operator 'SOME'"),
    (lambda: filters.BinaryComponentComparator("a", -1), "offset is -1"),
    (lambda: filters.BitComparator("a", "NAND"), "NAND"),  # type: ignore[arg-type]
    (lambda: filters.RegexStringComparator("a", charset="EBCDIC"), "EBCDIC"),
    (lambda: filters.RandomRowFilter(float("nan")), "NaN"),
    (lambda: filters.BigDecimalComparator(Decimal("NaN")), "NaN"),
    (lambda: filters.parse("PageFilter(1) AND "), "AND needs a filter on both sides"),
    (lambda: filters.PageFilter(1) and None, "join filters with &"),
]


@pytest.mark.parametrize(("make", "says"), WRONG, ids=[says for _, says in WRONG])
def test_arguments_that_hbase_refuses_are_refused(make: Any, says: str) -> None:
    with pytest.raises(errors.UsageError, match=says.replace("(", r"\(")):
        make()


def test_wrong_types_are_type_errors(people: rs.Table) -> None:
    for wrong in (5, ["PageFilter(1)"], rs.Family()):
        with pytest.raises(TypeError, match="filter must be"):
            people.scan(filter=wrong)  # type: ignore[arg-type]


def test_deep_nesting_is_refused() -> None:
    nested: filters.Filter = filters.PageFilter(1)
    for _ in range(199):
        nested = filters.SkipFilter(nested)
    with pytest.raises(errors.InvalidArgument, match="200 deep"):
        filters.SkipFilter(nested)


# ---- operators and language


def test_filters_are_joined() -> None:
    a, b, c = filters.PrefixFilter("a"), filters.PageFilter(1), filters.KeyOnlyFilter()
    assert a & b & c == filters.FilterList("MUST_PASS_ALL", [a, b, c])
    assert a | b | "KeyOnlyFilter()" == filters.FilterList("MUST_PASS_ONE", [a, b, c])
    assert str((a | b) & c) == "(PrefixFilter('a') OR PageFilter(1)) AND KeyOnlyFilter()"
    assert ~filters.ValueFilter("<", "v") == filters.ValueFilter(">=", "v")
    flipped = ~filters.SingleColumnValueFilter("f", "q", "=", "v")
    assert flipped == filters.SingleColumnValueFilter("f", "q", "!=", "v", filter_if_missing=True)
    for hopeless in (a, b, a & b, filters.SingleColumnValueFilter("f", "q", "=", "v", False, False)):
        with pytest.raises(errors.UnsupportedOperation):
            operator.invert(hopeless)


def test_the_language_is_printed_where_it_can_be() -> None:
    text = "SKIP (PrefixFilter('it''s') OR SingleColumnValueFilter('f','q',>=,'binary:v',true,false))"
    assert str(filters.parse(text)) == text
    assert filters.parse(text.encode()) == filters.parse(text)
    assert filters.PrefixFilter(b"\xff'\0").language() == b"PrefixFilter('\xff''\0')"
    assert str(filters.PrefixFilter(b"\xff")) == r"PrefixFilter('\xFF')"
    for beyond in (filters.RandomRowFilter(0.5), filters.FilterList("AND", []), filters.RowFilter("NO_OP", "a")):
        with pytest.raises(errors.UnsupportedOperation, match="cannot express"):
            beyond.language()
        assert str(beyond) == repr(beyond)


# ---- reads


def test_all_reads_take_filters(people: rs.Table) -> None:
    oslo = filters.SingleColumnValueFilter("f", "town", "=", "Oslo", filter_if_missing=True)
    assert keys(people, filter=oslo) == [b"ann", b"eve"]
    assert people.get("ann", filter=oslo)
    assert not people.get("bob", filter=oslo)
    assert people.exists("ann", filter=oslo)
    assert not people.exists("bob", filter=oslo)
    assert [bool(row) for row in people.get_many(["ann", "bob", "eve"], filter=oslo)] == [True, False, True]
    assert people.exists_many(["ann", "bob", "nobody"], filter=oslo) == [True, False, False]
    gets = [rs.Get(row, filter=oslo) for row in ("ann", "bob")]
    assert [bool(row) for row in people.multi(gets)] == [True, False]
    assert [row.key for row in people.as_of(2).scan(filter=oslo)] == [b"ann"]
    assert keys(people, filter=None) == [b"ann", b"bob", b"eve"]


def test_a_value_with_quotes_and_zero_bytes_survives(people: rs.Table) -> None:
    value = b"it's\0'\xff''"
    people.put("odd", {"f:town": value})
    test = filters.SingleColumnValueFilter("f", "town", "=", value, filter_if_missing=True)
    for form in (test, test.language(), rs.column("f:town") == value):
        assert keys(people, filter=form) == [b"odd"]


def test_conditions_by_filter(people: rs.Table) -> None:
    seen = rs.Put("ann", {"f:seen": "yes"})
    old = rs.column("f:age", "int64") > 30
    assert people.check_and_mutate("ann", mutation=seen, filter=old)
    assert people.get("ann")["f:seen"] == b"yes"
    assert not people.check_and_mutate("bob", mutation=rs.Delete("bob"), filter=old)
    assert not people.check_and_mutate("nobody", mutation=rs.Put("nobody", {"f:a": "1"}), filter="KeyOnlyFilter()")
    assert not people.check_and_mutate("ann", mutation=seen, filter=old, time_range=(5, 9))
    assert people.exists("bob")
    for wrong in ({"filter": old}, {"mutation": seen}, {"filter": old, "mutation": seen, "column": "f:a"}):
        with pytest.raises(TypeError, match="a check needs"):
            people.check_and_mutate("ann", **wrong)  # type: ignore[arg-type]


def test_pages_are_of_regions(people: rs.Table) -> None:
    assert keys(people, filter=filters.PageFilter(1)) == [b"ann", b"bob"]
    assert keys(people, filter=filters.PageFilter(1), limit=1) == [b"ann"]
    # A region that returns nothing and is done ends the scan.
    assert keys(people, filter=filters.PageFilter(0)) == []
    assert keys(people, filter=filters.InclusiveStopFilter("a")) == []
    assert keys(people, filter=filters.PrefixFilter("e")) == [b"eve"]


def test_filters_that_cannot_run_are_refused_before_the_scan(people: rs.Table) -> None:
    with pytest.raises(errors.InvalidArgument, match="pieces"):
        people.scan(batch=1, filter=filters.PageFilter(1))
    pattern = filters.ValueFilter("=", filters.RegexStringComparator(r"\X"))
    with pytest.raises(errors.InvalidArgument, match="cannot be run"):
        people.scan(filter=pattern)
    with pytest.raises(errors.InvalidArgument, match="cannot be run"):
        people.get("ann", filter=pattern)
    people.put("odd", {"f:age": "12"})
    with pytest.raises(errors.InvalidArgument, match="2 bytes"):
        keys(people, filter=rs.column("f:age", "int64") < 3)


def test_a_pattern_that_never_ends_is_an_error(people: rs.Table) -> None:
    people.put("long", {"f:town": "a" * 40})
    endless = filters.ValueFilter("=", filters.RegexStringComparator(r"^(?:(a|aa)+)\1b"))
    with pytest.raises(errors.InvalidArgument, match="regular expression"):
        keys(people, start="long", filter=endless)


def test_families_are_read_on_demand_where_that_is_asked_for(db: rs.Database) -> None:
    db.create_table("t", ["big", "state"])
    t = db.table("t")
    for row, state in (("a", "on"), ("b", "off"), ("c", None)):
        t.put(row, {"big:q": row, **({} if state is None else {"state:is": state})})
    wanted = filters.SingleColumnValueFilter("state", "is", "EQUAL", "on", filter_if_missing=True)
    together, on_demand = (
        [row.to_dict() for row in t.scan(filter=wanted, load_families_on_demand=on)] for on in (0, 1)
    )
    assert together == on_demand == [{b"big:q": b"a", b"state:is": b"on"}]
    with pytest.raises(errors.RowstoneError, match="on demand is not supported"):
        list(t.scan(filter=wanted, load_families_on_demand=True, reverse=True))
