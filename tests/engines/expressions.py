"""Predicates in the languages of engines: expressions of Polars and of pyarrow, and SQL of DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

from rowstone.engines import And, Compare, In, IsNull, Not, Or, Predicate, RowSchema, StartsWith
from rowstone.keys.parts._part import behind

METHODS = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
_SQL_TYPES = {
    "string": "VARCHAR",
    "binary": "BLOB",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint8": "UTINYINT",
    "uint16": "USMALLINT",
    "uint64": "UBIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "bool": "BOOLEAN",
    "timestamp[ms, tz=UTC]": "TIMESTAMPTZ",
    "decimal128(12, 2)": "DECIMAL(12, 2)",
}


def to_polars(predicate: Predicate, schema: RowSchema) -> Any:
    """Return the predicate as an expression of Polars, with constants of the columns' types."""
    import polars as pl

    types = pl.from_arrow(schema.arrow().empty_table()).schema  # type: ignore[union-attr]

    def of(one: Predicate) -> Any:
        match one:
            case Compare(column, operator, value):
                return getattr(pl.col(column), METHODS[operator])(pl.lit(value, types[column]))
            case In(column, values):
                return pl.col(column).is_in(pl.Series(values, dtype=types[column]).implode())
            case StartsWith(column, str(prefix)):
                return pl.col(column).str.starts_with(prefix)
            case StartsWith(column, prefix):
                return pl.col(column).bin.starts_with(prefix)
            case IsNull(column):
                return pl.col(column).is_null()
            case Not(part):
                return ~of(part)
            case And(parts):
                return reduce(and_, map(of, parts), pl.lit(True))
            case Or(parts):
                return reduce(or_, map(of, parts), pl.lit(False))
        raise TypeError(predicate)

    return of(predicate)


def to_arrow(predicate: Predicate, schema: RowSchema) -> Any:
    """Return the predicate as an expression of pyarrow."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def of(one: Predicate) -> Any:
        match one:
            case Compare(column, operator, value):
                kind = schema.field(column).arrow_type()
                return getattr(pc.field(column), METHODS[operator])(pa.scalar(value, kind))
            case In(column, values):
                return pc.field(column).isin(pa.array(values, schema.field(column).arrow_type()))
            case StartsWith(column, prefix):
                return pc.starts_with(pc.field(column), prefix)
            case IsNull(column):
                return pc.field(column).is_null()
            case Not(part):
                return ~of(part)
            case And(parts):
                return reduce(and_, map(of, parts), pc.scalar(True))
            case Or(parts):
                return reduce(or_, map(of, parts), pc.scalar(False))
        raise TypeError(predicate)

    return of(predicate)


def to_sql(predicate: Predicate, schema: RowSchema) -> tuple[str, list[Any]]:
    """Return the predicate as a condition of DuckDB with parameters."""
    values: list[Any] = []

    def constant(column: str, value: Any) -> str:
        kind = _SQL_TYPES[str(schema.field(column).arrow_type())]
        if kind == "TIMESTAMPTZ":
            return f"TIMESTAMPTZ '{value.isoformat()}'"
        values.append(value)
        return f"CAST(? AS {kind})"

    def of(one: Predicate) -> str:
        match one:
            case Compare(column, operator, value):
                return f'"{column}" {operator} {constant(column, value)}'
            case In(column, options):
                listed = ", ".join(constant(column, value) for value in options if value is not None)
                return f'"{column}" IN ({listed})' if listed else "FALSE"
            case StartsWith(column, str(prefix)):
                return f'starts_with("{column}", {constant(column, prefix)})'
            case StartsWith(column, prefix):
                # DuckDB's function is for text only.
                start = f'"{column}" >= {constant(column, prefix)}'
                stop = behind(prefix)
                return start if stop is None else f'{start} AND "{column}" < {constant(column, stop)}'
            case IsNull(column):
                return f'"{column}" IS NULL'
            case Not(part):
                return f"NOT ({of(part)})"
            case And(parts):
                return joined(parts, " AND ", "TRUE")
            case Or(parts):
                return joined(parts, " OR ", "FALSE")
        raise TypeError(predicate)

    def joined(parts: Sequence[Predicate], word: str, neutral: str) -> str:
        return word.join(f"({of(part)})" for part in parts) or neutral

    return of(predicate), values
