"""Tables as lazy frames of Polars.

Polars passes a predicate as an expression. What the planner understands of it becomes ranges and filters; the rest is
`Opaque`. Polars' own expression is then applied to the rows read, so a result never depends on the translation.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import import_optional
from rowstone.engines._predicate import And, Compare, In, IsNull, Not, Opaque, Operator, Or, Predicate, StartsWith
from rowstone.engines._schema import RowSchema
from rowstone.engines._source import Source

if TYPE_CHECKING:
    import polars

_OPERATORS: Mapping[str, Operator] = {"Eq": "==", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_MIRRORED: Mapping[Operator, Operator] = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_BOUNDS: Mapping[str, tuple[Operator, Operator]] = {
    "Both": (">=", "<="),
    "Left": (">=", "<"),
    "Right": (">", "<="),
    "None": (">", "<"),
}
_WIDER = {
    "Float64": ("int8", "int16", "int32", "uint8", "uint16", "uint32", "float32"),
    "Int64": ("int8", "int16", "int32", "uint8", "uint16", "uint32"),
}
"""Types to which a column of some other types can be converted without a change of its values."""

_Node = Mapping[str, Any]


def scan_polars(source: Source) -> polars.LazyFrame:
    """Return a table as a lazy frame; each ``collect`` reads it again.

    Predicates, the selected columns and ``head`` are pushed into the scan. Polars checks all predicates again.

    Raises:
        ImportError: It needs Polars and pyarrow.

    Example:
        >>> import polars as pl
        >>> import rowstone as rs
        >>> from rowstone.engines import RowSchema, Source, scan_polars
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("people", ["f"])
        ...     for name, age in [("ann", 41), ("bob", 17)]:
        ...         db.table("people").put(name, {"f:age": age.to_bytes(4, "big")})
        ...     people = scan_polars(Source(db, "people", RowSchema("text", {"age": ("f:age", "int32")})))
        ...     people.filter(pl.col("row") >= "b", pl.col("age") < 18).collect().rows()
        [('bob', 17)]
    """
    library = import_optional("polars", "scan_polars", "polars")
    import_optional("pyarrow", "scan_polars", "arrow")
    schema = library.from_arrow(source.schema.arrow().empty_table()).schema
    about = {"explain_name": "rowstone", "explain_detail": f"table {source.table}"}
    frame: polars.LazyFrame = library.io.plugins.register_io_source(partial(_read, source), schema=schema, **about)
    return frame


def _read(source: Source, names: list[str] | None, predicate: Any, count: int | None, _: int | None) -> Iterator[Any]:
    """The frames of a scan. Polars limits the rows to ``count`` before it filters them."""
    library = import_optional("polars", "scan_polars", "polars")
    known = None if predicate is None or count is not None else translate(predicate, source.schema)
    with source.opened() as opened:
        plan = opened.plan(known, names, count).without_residue()
        for split in opened.splits(plan):
            for batch in opened.read(plan, split):
                frame = library.from_arrow(batch)
                if count is not None:
                    frame = frame.head(count)
                    count -= len(frame)
                yield frame if predicate is None else frame.filter(predicate)
                if count == 0:
                    return


def translate(expression: polars.Expr, schema: RowSchema) -> Predicate:
    """Return an expression of Polars as a predicate for `plan`; what has no equivalent becomes `Opaque`."""
    return _Translator(schema).predicate(json.loads(expression.meta.serialize(format="json")))


class _Unlike(Exception):
    """The expression has no equivalent."""


class _Translator:
    """Translates the nodes of an expression, as Polars serializes them to JSON."""

    def __init__(self, schema: RowSchema) -> None:
        self._schema = schema

    def predicate(self, node: _Node) -> Predicate:
        """Return the predicate of a node."""
        try:
            return self._predicate(node)
        except _Unlike:
            return Opaque(json.dumps(node), tuple(dict.fromkeys(_columns(node))))

    def _predicate(self, node: _Node) -> Predicate:
        match node:
            case {"Column": str(name)}:
                return Compare(name, "==", True)
            case {"Literal": {"Scalar": {"Boolean": bool(value)}}}:
                return And(()) if value else Or(())
            case {"BinaryExpr": {"left": left, "op": "And" | "LogicalAnd", "right": right}}:
                return And((self.predicate(left), self.predicate(right)))
            case {"BinaryExpr": {"left": left, "op": "Or" | "LogicalOr", "right": right}}:
                return Or((self.predicate(left), self.predicate(right)))
            case {"BinaryExpr": {"left": left, "op": str(operator), "right": right}}:
                return self._compare(left, operator, right)
            case {"Function": {"input": [*inputs], "function": function}}:
                return self._function(function, inputs)
        raise _Unlike

    def _compare(self, left: _Node, operator: str, right: _Node) -> Predicate:
        if operator in ("EqValidity", "NotEqValidity"):
            name = self._column(left)
            # A null differs from every value.
            found = And((Not(IsNull(name)), Compare(name, "==", self._value(right))))
            return found if operator == "EqValidity" else Not(found)
        sign = _OPERATORS.get(operator)
        if sign is None:
            raise _Unlike
        if "Literal" in left:
            return Compare(self._column(right), _MIRRORED[sign], self._value(left))
        return Compare(self._column(left), sign, self._value(right))

    def _function(self, function: _Node, inputs: list[_Node]) -> Predicate:
        match function, inputs:
            case {"Boolean": "Not"}, [part]:
                return Not(self.predicate(part))
            case {"Boolean": "IsNull"}, [part]:
                return IsNull(self._column(part))
            case {"Boolean": "IsNotNull"}, [part]:
                return Not(IsNull(self._column(part)))
            case {"Boolean": "IsNan"}, [part]:
                return Compare(self._column(part), "==", math.nan)
            case {"Boolean": "IsNotNan"}, [part]:
                return Compare(self._column(part), "!=", math.nan)
            case {"Boolean": {"IsBetween": {"closed": closed}}}, [part, low, high]:
                first, second = _BOUNDS[closed]
                name = self._column(part)
                return And((Compare(name, first, self._value(low)), Compare(name, second, self._value(high))))
            case {"Boolean": {"IsIn": {"nulls_equal": bool(is_equal)}}}, [part, values]:
                return self._is_in(self._column(part), self._literal(values), is_equal)
            case (({"StringExpr": "StartsWith"} | {"BinaryExpr": "StartsWith"}), [part, prefix]):
                return StartsWith(self._column(part), self._value(prefix))
        raise _Unlike

    def _is_in(self, name: str, values: Any, nulls_equal: bool) -> Predicate:
        options = list(values)
        found = In(name, tuple(value for value in options if value is not None))
        if not nulls_equal:
            return found
        return Or((IsNull(name), found)) if None in options else And((Not(IsNull(name)), found))

    def _column(self, node: _Node) -> str:
        match node:
            case {"Column": str(name)}:
                return name
            case {"Cast": {"expr": {"Column": str(name)}, "dtype": {"Literal": str(kind)}}}:
                if self._schema.field(name).kind in _WIDER.get(kind, ()):
                    return name
        raise _Unlike

    def _value(self, node: _Node) -> Any:
        value = self._literal(node)
        if value is None:
            raise _Unlike
        return value

    def _literal(self, node: _Node) -> Any:
        match node:
            case {"Literal": {"Scalar": {"Float32": None} | {"Float64": None}}}:
                # JSON has neither NaN nor infinity.
                raise _Unlike
            case {"Literal": _}:
                library = import_optional("polars", "scan_polars", "polars")
                try:
                    text = io.StringIO(json.dumps(node))
                    return library.select(library.Expr.deserialize(text, format="json")).item()
                except (ValueError, TypeError, library.exceptions.PolarsError):
                    raise _Unlike from None
        raise _Unlike


def _columns(node: Any) -> Iterator[str]:
    """The columns that a node names."""
    if isinstance(node, Mapping):
        if isinstance(node.get("Column"), str):
            yield node["Column"]
        for part in node.values():
            yield from _columns(part)
    elif isinstance(node, list):
        for part in node:
            yield from _columns(part)
