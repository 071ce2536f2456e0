"""Filter expressions over rows, compared with the same condition in plain Python.

Random expressions are judged cell by cell on random tables. An expression that HBase cannot represent is refused with
a reason.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from decimal import Decimal
from random import Random
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors, filters
from rowstone.filters import Expression

Data = dict[bytes, dict[bytes, bytes]]
Truth = Callable[[bytes, bytes, dict[bytes, bytes]], bool]
"""Whether a cell (row, column) of a row with these columns is returned."""

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
COLUMNS = [b"f:a", b"f:b", b"f:c", b"g:a"]
VALUES = [b"", b"1", b"12", b"2", b"\xff"]


@pytest.fixture
def table() -> Iterator[rs.Table]:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"])
        yield db.table("t")


def fill(table: rs.Table, random: Random) -> Data:
    """Write random rows."""
    data: Data = {}
    for number in range(12):
        row = b"row%d" % number
        columns = {column: random.choice(VALUES) for column in COLUMNS if random.random() < 0.6}
        if columns:
            data[row] = columns
            table.put(row, columns)
    return data


class Maker:
    """Random expressions, each with its expected result. The kind "row" decides on rows, "cell" on cells."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def make(self, kinds: list[str], depth: int) -> tuple[Expression, Truth]:
        chance = self.random.random()
        if depth and chance < 0.3:
            return self._joined("&", kinds, depth)
        if depth and chance < 0.6:
            # MUST_PASS_ONE: conditions on rows and conditions on cells do not mix.
            others = [kind for kind in kinds if kind != "key"]
            return self._joined("|", ["key", *others[:1]], depth)
        if depth and chance < 0.75:
            expression, truth = self.make(self.random.choice([["key", kind] for kind in kinds]), depth - 1)
            return ~expression, lambda row, column, columns: not truth(row, column, columns)
        return self._test(self.random.choice(kinds))

    def _joined(self, sign: str, kinds: list[str], depth: int) -> tuple[Expression, Truth]:
        parts = [self.make(kinds, depth - 1) for _ in range(2)]
        (left, first), (right, second) = parts
        if sign == "&":
            return left & right, lambda *cell: first(*cell) and second(*cell)
        return left | right, lambda *cell: first(*cell) or second(*cell)

    def _test(self, kind: str) -> tuple[Expression, Truth]:
        sign = self.random.choice(list(SIGNS))
        compare = SIGNS[sign]
        if kind == "key":
            bound = b"row%d" % self.random.randint(0, 12)
            if self.random.random() < 0.3:
                return rs.row.startswith(bound), lambda row, column, columns: row.startswith(bound)
            return _compared(sign, rs.row, bound), lambda row, column, columns: compare(row, bound)
        wanted = self.random.choice(VALUES)
        if kind == "cell":
            if self.random.random() < 0.3:
                name = self.random.choice([b"a", b"b"])
                test = _compared(sign, rs.qualifier, name)
                return test, lambda row, column, columns: compare(column.split(b":")[1], name)
            return _compared(sign, rs.value, wanted), lambda row, column, columns: compare(columns[column], wanted)
        tested = self.random.choice(COLUMNS)
        if self.random.random() < 0.2:
            return rs.column(tested).exists(), lambda row, column, columns: tested in columns
        test = _compared(sign, rs.column(tested), wanted)
        return test, lambda row, column, columns: tested in columns and compare(columns[tested], wanted)


def _compared(sign: str, part: Any, wanted: bytes) -> Expression:
    return SIGNS[sign](part, wanted)  # type: ignore[return-value]


@pytest.mark.parametrize("seed", range(150))
def test_expressions_select_the_same_rows_as_a_model(table: rs.Table, seed: int) -> None:
    random = Random(seed)
    data = fill(table, random)
    for _ in range(4):
        kinds = random.choice([["key", "row"], ["key", "cell"], ["key", "row"]])
        expression, truth = Maker(random).make(kinds, 3)
        asked = random.choice([None, None, [b"f:a"], [b"f", b"g:a"], [b"g"]])
        is_asked = lambda column: asked is None or column in asked or column.split(b":")[0] in asked  # noqa: B023, E731
        expected = {
            row: kept
            for row, columns in data.items()
            if (kept := {c: v for c, v in columns.items() if is_asked(c) and truth(row, c, columns)})
        }
        reverse = random.random() < 0.3
        with table.scan(columns=asked, filter=expression, reverse=reverse) as rows:
            found = {row.key: row.to_dict() for row in rows}
        assert found == expected, f"{expression!r} of {asked}"
        assert list(found) == sorted(expected, reverse=reverse)
        row = random.choice(sorted(data))
        assert table.get(row, asked, filter=expression).to_dict() == expected.get(row, {}), repr(expression)
        assert table.exists(row, asked, filter=expression) == (row in expected)


@pytest.mark.parametrize("seed", range(40))
def test_tests_of_columns_and_cells_are_both_meant(table: rs.Table, seed: int) -> None:
    random = Random(seed)
    data = fill(table, random)
    rows_test, row_truth = Maker(random).make(["row"], 1)
    cells_test, cell_truth = Maker(random).make(["cell"], 1)
    expression = cells_test & rows_test if seed % 2 else rows_test & cells_test
    expected = {
        row: kept
        for row, columns in data.items()
        if (kept := {c: v for c, v in columns.items() if row_truth(row, c, columns) and cell_truth(row, c, columns)})
    }
    with table.scan(filter=expression) as rows:
        assert {row.key: row.to_dict() for row in rows} == expected, repr(expression)


# ---- numbers and texts


def test_numbers_are_compared_as_they_are_stored(table: rs.Table) -> None:
    for number in (-300, -1, 0, 5, 70000):
        key = f"n{number:+07}"
        table.increment(key, "f:signed", number)
        table.put(key, {"f:unsigned": abs(number).to_bytes(4, "big")})
        scale, unscaled = (2).to_bytes(4, "big"), (number * 100).to_bytes(4, "big", signed=True)
        table.put(key, {"f:decimal": scale + unscaled})

    def matching(expression: Expression) -> set[int]:
        with table.scan(filter=expression) as rows:
            return {int(row.key[1:]) for row in rows}

    assert matching(rs.column("f:signed", "int64") < 0) == {-300, -1}
    assert matching(rs.column("f:signed", "int64") == -1) == {-1}
    assert matching(~(rs.column("f:signed", "int64") >= 5)) == {-300, -1, 0}
    assert matching(rs.column("f:unsigned", "uint32") > 5) == {-300, 70000}
    assert matching(rs.column("f:decimal", "decimal") <= Decimal("-0.5")) == {-300, -1}
    assert matching(rs.column("f:decimal", "decimal") == Decimal("5.000")) == {5}
    assert matching(rs.column("f:signed", "int64").isin([0, 5])) == {0, 5}


def test_texts_are_looked_into(table: rs.Table) -> None:
    for town in ("Oslo", "Bergen", "oslofjord"):
        table.put(town, {"f:town": town})
    table.put("raw", {"f:town": b"\xff\0.lo"})

    def matching(expression: Expression) -> list[bytes]:
        with table.scan(filter=expression) as rows:
            return [row.key for row in rows]

    town = rs.column("f:town")
    assert matching(town.contains("lo")) == [b"Oslo", b"oslofjord", b"raw"]
    assert matching(town.contains(".lo")) == [b"raw"]
    assert matching(town.contains(b"\xff\0")) == [b"raw"]
    assert matching(town.contains("OS", ignore_case=True)) == [b"Oslo", b"oslofjord"]
    assert matching(town.search("^[A-Z].*[no]$")) == [b"Bergen", b"Oslo"]
    assert matching(town.search("FJORD", ignore_case=True)) == [b"oslofjord"]
    assert matching(~town.startswith("o")) == [b"Bergen", b"Oslo", b"raw"]
    assert matching(rs.row.search("^.e") & town.exists()) == [b"Bergen"]
    assert matching(rs.value == b"\xff\0.lo") == [b"raw"]
    assert matching(rs.family == "g") == []


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: rs.column("f:age") >= 25, errors.InvalidArgument, "say how numbers are stored"),
    (lambda: rs.row == 5, errors.InvalidArgument, "is a number"),
    (lambda: rs.value == None, errors.InvalidArgument, "NoneType"),  # noqa: E711
    (lambda: rs.column("age"), errors.InvalidArgument, "no colon"),
    (lambda: rs.column("f:age", "varint"), errors.InvalidArgument, "codec 'varint'"),
    (lambda: rs.column("f:age", "int64") == "5", errors.InvalidArgument, "not with str"),
    (lambda: rs.column("f:age", "uint8") == 256, errors.InvalidArgument, "does not fit"),
    (lambda: rs.column("f:age", "int32") < 5, errors.UnsupportedOperation, "cannot order int32"),
    (lambda: 1 < rs.column("f:age", "int64") < 5, errors.InvalidArgument, "neither true nor false"),
    (lambda: (rs.row > "a") and (rs.row < "b"), errors.InvalidArgument, "neither true nor false"),
    (lambda: (rs.row > "a") & filters.PageFilter(1), errors.InvalidArgument, "expression only"),
    (lambda: rs.row.isin([]), errors.InvalidArgument, "nothing would pass"),
    (
        lambda: ((rs.column("f:a") == "1") | (rs.value == "2")).to_filter(),
        errors.UnsupportedOperation,
        "test of a column and one of cells",
    ),
    (
        lambda: (~((rs.column("f:a") == "1") & (rs.value == "2"))).to_filter(),
        errors.UnsupportedOperation,
        "test of a column and one of cells",
    ),
    (
        lambda: ((rs.column("f:a") == "1") & (rs.family == "f")).to_filter(),
        errors.UnsupportedOperation,
        "test of the family",
    ),
]


@pytest.mark.parametrize(("make", "error", "says"), WRONG, ids=[says for _, _, says in WRONG])
def test_invalid_expressions_are_refused(make: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        make()


def test_expressions_become_filters() -> None:
    both = (rs.column("f:age", "int64") >= 25) & (rs.row < "m")
    made = both.to_filter()
    assert made == filters.FilterList(
        "MUST_PASS_ALL",
        [
            filters.RowFilter("<", "m"),
            filters.SingleColumnValueFilter("f", "age", ">=", filters.LongComparator(25), filter_if_missing=True),
        ],
    )
    assert repr(both) == "(column(b'f:age', 'int64') >= 25) & (row < 'm')"
    assert filters.SkipFilter(rs.value == "x").filter == filters.ValueFilter("=", "x")  # type: ignore[arg-type]
