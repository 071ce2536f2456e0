"""Random tables and predicates, with the rows as plain Python values: the model of what engines must answer."""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

import rowstone as rs
from rowstone import keys
from rowstone.codecs import codec
from rowstone.engines import And, Compare, In, IsNull, Not, Or, Predicate, RowSchema, Source, StartsWith

_FLOAT32 = struct.unpack(">f", struct.pack(">f", 0.1))[0]
_MOMENT = datetime(2024, 5, 1, 12, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)

VALUES: dict[str, list[Any]] = {
    "text": ["", "a", "ab", "abc", "b", "é", "z"],
    "bytes": [b"", b"\0", b"a", b"a\0", b"ab", b"\xfe", b"\xff", b"\xff\xff"],
    "int8": [-128, -1, 0, 1, 5, 127],
    "int32": [-(2**31), -5, -1, 0, 1, 5, 2**31 - 1],
    "int64": [-(2**63), -5, 0, 1, 2**53 + 1, 2**63 - 1],
    "uint16": [0, 1, 5, 2**16 - 1],
    "uint64": [0, 1, 5, 2**63, 2**64 - 1],
    "float32": [-math.inf, -1.5, -0.0, 0.0, _FLOAT32, 1.5, math.inf, math.nan],
    "float64": [-math.inf, -1.5, -0.0, 0.0, 0.1, 1.5, math.inf, math.nan],
    "bool": [False, True],
    "datetime": [_MOMENT - _MILLISECOND, _MOMENT, _MOMENT + _MILLISECOND, datetime(1969, 12, 31, tzinfo=UTC)],
    "decimal(12, 2)": [Decimal("-3.25"), Decimal("0.00"), Decimal("1.5"), Decimal("1.50"), Decimal("1000.00")],
}
"""Values of cells and keys, by type: few, so that predicates meet them, and the ends of the ranges."""

LITERALS: dict[str, list[Any]] = {
    "int": [-(2**70), -(2**31) - 1, -5, -1, -0.5, 0, 0.0, 1, 4.5, 128, 2**53, 2**63, 2**70, math.inf, -math.inf],
    "float": [-1, 0, 0.05, 0.1, _FLOAT32, 1, 2**53 + 1, 10**400, math.nan],
    "datetime": [_MOMENT + _MILLISECOND / 2],
    "decimal": [Decimal("1.499"), 1, -5],
    "text": ["A", "a\0", "abz", "\U0010ffff"],
    "bytes": [b"ab\xff", b"b"],
}
"""Further values that predicates compare with, by the start of the type's name."""

_TIMES = [0, 1_700_000_000_000, 1_700_000_000_001, 2**63 - 1]
_NAMES = ["a", "ab", "b", "é"]

_KEY_CODECS = ("text", "bytes", "int8", "int32", "uint64", "float64", "datetime", "bool")

KEYS: list[tuple[Any, dict[str, list[Any]]]] = [
    *((kind, {"row": VALUES[kind]}) for kind in _KEY_CODECS),
    (keys.Key(keys.text("a"), keys.int64("b")), {"a": ["", *_NAMES], "b": VALUES["int64"]}),
    (keys.Key(keys.salt(3), keys.text("a"), keys.reverse_time("b")), {"a": _NAMES, "b": _TIMES}),
    (keys.Key(keys.salt(2, of="a"), keys.text("a", end="-"), keys.time("b")), {"a": _NAMES, "b": _TIMES}),
    (keys.Key(keys.md5_prefix(2, of="a"), keys.text("a"), keys.int16("b")), {"a": _NAMES, "b": [-1, 0, 7]}),
    (keys.Key(keys.md5_prefix(1, of="b"), keys.text("a"), keys.int8("b")), {"a": _NAMES, "b": VALUES["int8"]}),
    (keys.Key(keys.fixed("a", 2), keys.descending(keys.text("b"))), {"a": ["aa", "ab", "zz"], "b": _NAMES}),
    (keys.Key(keys.uint8("a"), keys.java_int32("b")), {"a": [0, 5, 255], "b": VALUES["int32"]}),
    (
        keys.Key(keys.descending(keys.float64("a")), keys.blob("b")),
        {"a": VALUES["float64"], "b": VALUES["bytes"]},
    ),
    (keys.Key(keys.blob("a"), keys.fixed_bytes("b", 1)), {"a": VALUES["bytes"], "b": [b"\0", b"a", b"\xff"]}),
    (keys.Key(keys.domain("a"), keys.padded("b", 3)), {"a": ["cnn.com", "www.cnn.com", "a.b"], "b": [0, 7, 999]}),
    (
        keys.Key(keys.ordered("a", "text", descending=True), keys.ordered("b", "int32")),
        {"a": [None, *_NAMES], "b": VALUES["int32"]},
    ),
    (keys.Key(keys.round_robin(2), keys.text("a")), {"a": _NAMES}),
    (keys.Key(keys.reversed_fixed(keys.padded("a", 3)), keys.float32("b")), {"a": [0, 7, 999], "b": VALUES["float32"]}),
]
"""Kinds of row keys, with the values of their columns."""

Record = dict[str, Any]
"""A row by the names of its columns."""

_numbers = itertools.count()


@dataclass(frozen=True)
class RandomTable:
    """A schema, and the rows of a table: those that exist, in no particular order."""

    schema: RowSchema
    values: dict[str, list[Any]]
    rows: list[dict[str, Any]]

    @contextmanager
    def create(self, db: rs.Database, splits: list[bytes] | None = None) -> Iterator[Source]:
        """Write the rows to a table of its own."""
        name = f"t{next(_numbers)}"
        db.create_table(name, ["f", "g"], splits=splits)
        with db.table(name).batch() as writer:
            for row in self.rows:
                writer.put(self.encode(row), self.cells(row))
        yield Source(db, name, self.schema)
        db.admin.drop_table(name, force=True)

    def encode(self, row: dict[str, Any]) -> bytes:
        """The row key of a record."""
        key = self.schema.key
        values = [row[name] for name in self.schema.key_names]
        return key.encode(*values) if isinstance(key, keys.Key) else codec(key).encode(*values)

    def cells(self, row: dict[str, Any]) -> dict[tuple[bytes, bytes], bytes]:
        """The cells of a record."""
        present = [field for field in self.schema.cells if row[field.name] is not None]
        return {field.pair: codec(field.codec).encode(row[field.name]) for field in present}

    def matching(self, predicate: Predicate | None) -> list[dict[str, Any]]:
        """The records for which the predicate holds."""
        return [row for row in self.rows if predicate is None or predicate.matches(row) is True]


@st.composite
def tables(draw: st.DrawFn, least: int = 0) -> RandomTable:
    """A table of ``least`` to 20 rows, with one to four columns of any types."""
    key, key_values = draw(st.sampled_from(KEYS))
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4))
    columns = {f"c{index}": (f"{'fg'[index % 2]}:{index}", kind) for index, kind in enumerate(kinds)}
    schema = RowSchema(key, columns)
    values = {**key_values, **{name: [None, None, *VALUES[kind]] for name, (_, kind) in columns.items()}}
    row = st.fixed_dictionaries({name: st.sampled_from(options) for name, options in values.items()})
    table = RandomTable(schema, values, [])
    found: dict[bytes, dict[str, Any]] = {}
    for one in draw(st.lists(row, min_size=least, max_size=20)):
        data = key.encode(**{name: one[name] for name in schema.key_names}) if isinstance(key, keys.Key) else None
        data = table.encode(one) if data is None else data
        if data and table.cells(one):
            # Rows of round_robin would get another key each time they are encoded.
            found[data if "round_robin" not in repr(key) else one["a"].encode()] = one
    table.rows.extend(found.values())
    return table


def literals(table: RandomTable, name: str, *, has_other_types: bool) -> st.SearchStrategy[Any]:
    """Values to compare a column with: its own, and others of comparable types."""
    own = [value for value in table.values[name] if value is not None]
    if not has_other_types:
        return st.sampled_from(own)
    kind = table.schema.field(name).kind.replace("uint", "int").replace("string", "text").replace("binary", "bytes")
    further = next((found for start, found in LITERALS.items() if kind.startswith(start)), [])
    return st.sampled_from([*own, *further])


def conditions(table: RandomTable, *, has_other_types: bool) -> st.SearchStrategy[Predicate]:
    """A condition on one column."""

    def of(name: str) -> st.SearchStrategy[Predicate]:
        values = literals(table, name, has_other_types=has_other_types)
        options = st.one_of(values, values, st.none()) if has_other_types else values
        found: list[st.SearchStrategy[Predicate]] = [
            st.builds(Compare, st.just(name), st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), values),
            st.builds(In, st.just(name), st.lists(options, min_size=0 if has_other_types else 1, max_size=4)),
            st.just(IsNull(name)),
        ]
        prefixes = [one[:2] for one in table.values[name] if isinstance(one, str | bytes)]
        if prefixes:
            found.append(st.builds(StartsWith, st.just(name), st.sampled_from(prefixes)))
        return st.one_of(found)

    return st.sampled_from(table.schema.names).flatmap(of)


def predicates(table: RandomTable, *, has_other_types: bool = True) -> st.SearchStrategy[Predicate]:
    """A condition, or several joined."""
    return st.recursive(
        conditions(table, has_other_types=has_other_types),
        lambda parts: st.one_of(
            st.builds(Not, parts),
            st.builds(And, st.lists(parts, max_size=3)),
            st.builds(Or, st.lists(parts, max_size=3)),
        ),
        max_leaves=6,
    )


def comparable(rows: Iterable[Record]) -> list[str]:
    """Records in a form that can be compared: NaN equals itself, the order of rows does not count."""
    return sorted(repr({name: _plain(value) for name, value in sorted(row.items())}) for row in rows)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return str(value.normalize())
    return value.timestamp() if isinstance(value, datetime) else value
