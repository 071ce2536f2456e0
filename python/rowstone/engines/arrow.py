"""Tables as datasets of pyarrow, which DuckDB and others query: filters and projections are pushed into the scan.

A filter arrives as an expression of pyarrow. What the planner understands of it becomes ranges and filters; the rest is
`Opaque`. pyarrow then applies the expression to the rows that were read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cache, partialmethod
from typing import Any, NoReturn

from rowstone._base.lazy import import_optional
from rowstone.engines._arrow_tree import Call, Literal, Node, Reference, columns_of, parse
from rowstone.engines._predicate import And, Compare, In, IsNull, Not, Opaque, Operator, Or, Predicate, StartsWith
from rowstone.engines._schema import RowSchema
from rowstone.engines._source import Source
from rowstone.errors import UnsupportedOperation

_OPERATORS: Mapping[str, tuple[Operator, Operator]] = {
    "equal": ("==", "=="),
    "not_equal": ("!=", "!="),
    "less": ("<", ">"),
    "less_equal": ("<=", ">="),
    "greater": (">", "<"),
    "greater_equal": (">=", "<="),
}
"""The operator of each function, and the one for the operands in the other order."""

_VALUES: Mapping[str, type] = {
    "int": int,
    "uint": int,
    "string": str,
    "binary": bytes,
    "bool": bool,
    "timestamp": datetime,
    "decimal": Decimal,
}
"""The Python type of values, by Arrow's type without its width."""

_OPTIONS = ("batch_size", "batch_readahead", "fragment_readahead", "use_threads", "memory_pool")
"""Options of a scanner that apply to batches of any origin."""


_UNSUPPORTED = ("filter", "get_fragments", "join", "join_asof", "replace_schema", "sort_by", "take")


def arrow_dataset(source: Source) -> Any:
    """Return a table as a `pyarrow.dataset.Dataset`; each query reads it again.

    It supports ``scanner``, ``to_table``, ``to_batches``, ``count_rows`` and ``head``, not the methods for files.
    The others, such as ``filter`` and ``sort_by``, raise `rowstone.errors.UnsupportedOperation`.
    """
    import_optional("pyarrow.dataset", "arrow_dataset", "arrow")
    return _dataset_class()(source)


@cache
def _dataset_class() -> Any:
    """The class of datasets, which exists once pyarrow is imported."""
    library = import_optional("pyarrow.dataset", "arrow_dataset", "arrow")

    class SourceDataset(library.Dataset):  # type: ignore[misc, name-defined]
        """A table as a dataset. Created by `arrow_dataset`."""

        def __init__(self, source: Source) -> None:
            self._source = source

        def __reduce__(self) -> tuple[Any, ...]:
            return arrow_dataset, (self._source,)

        @property
        def schema(self) -> Any:
            """The table's columns."""
            return self._source.schema.arrow()

        def scanner(self, columns: Any = None, filter: Any = None, **options: Any) -> Any:
            """Return a scanner of the rows that pass ``filter``, with columns by name or with expressions by name."""
            schema = self._source.schema
            predicate = None if filter is None else translate(filter, schema)
            wanted = _names(columns, schema)
            names = tuple(dict.fromkeys((*wanted, *(() if predicate is None else predicate.columns()))))
            batches = _batches(self._source, predicate, names or schema.key_names)
            known = {name: options[name] for name in _OPTIONS if name in options}
            known |= {"schema": schema.arrow(names or schema.key_names), "filter": filter}
            return library.Scanner.from_batches(batches, columns=columns or list(wanted), **known)

    for name in _UNSUPPORTED:
        setattr(SourceDataset, name, partialmethod(_refuse, name))
    return SourceDataset


def _refuse(_dataset: Any, name: str, *_arguments: Any, **_options: Any) -> NoReturn:
    """The methods of a dataset that read files, or do not pass by `scanner`. pyarrow's would end the process."""
    raise UnsupportedOperation(
        f"datasets of tables have no {name}: use to_table(columns=…, filter=…), and {name} on that"
    )


def _names(columns: Any, schema: RowSchema) -> tuple[str, ...]:
    """The columns of the table that a projection needs."""
    if columns is None:
        return schema.names
    if isinstance(columns, dict):
        return tuple(dict.fromkeys(name for one in columns.values() for name in columns_of(parse(one))))
    return tuple(columns)


def _batches(source: Source, predicate: Predicate | None, names: Sequence[str]) -> Iterator[Any]:
    """The rows that can meet the predicate; pyarrow checks them."""
    with source.opened() as opened:
        plan = opened.plan(predicate, names).without_residue()
        for split in opened.splits(plan):
            yield from opened.read(plan, split)


def translate(expression: Any, schema: RowSchema) -> Predicate:
    """Return an expression of pyarrow as a predicate for `plan`; what has no equivalent becomes `Opaque`."""
    return _Translator(schema).predicate(parse(expression))


class _Unlike(Exception):
    """The expression has no equivalent."""


class _Translator:
    """Translates nodes."""

    def __init__(self, schema: RowSchema) -> None:
        self._schema = schema

    def predicate(self, node: Node) -> Predicate:
        """Return the predicate of a node."""
        try:
            return self._predicate(node)
        except _Unlike:
            return Opaque(str(node), tuple(dict.fromkeys(columns_of(node))))

    def _predicate(self, node: Node) -> Predicate:
        match node:
            case Literal(bool(value)):
                return And(()) if value else Or(())
            case Reference(name):
                return Compare(name, "==", True)
            case Call("and" | "and_kleene", parts):
                return And(tuple(map(self.predicate, parts)))
            case Call("or" | "or_kleene", parts):
                return Or(tuple(map(self.predicate, parts)))
            case Call("invert", (part,)) if not self._has_floats(part):
                return Not(self.predicate(part))
            case Call("is_valid", (Reference(name),)):
                return Not(IsNull(name))
            case Call("is_null", (Reference(name),), {"nan_is_null": False}):
                return IsNull(name)
            case Call("starts_with", (Reference(name),), {"pattern": prefix, "ignore_case": False}):
                is_text = str(self._schema.field(name).arrow_type()) == "string"
                return StartsWith(name, prefix.encode() if isinstance(prefix, str) and not is_text else prefix)
            case Call("is_in", (Reference(name),)):
                # False for a null.
                return And((Not(IsNull(name)), self._is_in(node)))
            case Call("if_else", (Call("is_valid", (Reference(name),)), Call("is_in") as inner, Literal(None))):
                # Null for a null: so does DuckDB write `IN`.
                found = self._is_in(inner)
                if found.column == name:
                    return found
            case Call(function, (left, right)) if function in _OPERATORS:
                return self._compare(function, left, right)
        raise _Unlike

    def _has_floats(self, node: Node) -> bool:
        """Whether columns may be NaN. For pyarrow both a comparison with NaN and its opposite may hold."""
        return any(self._schema.field(name).kind.startswith("float") for name in columns_of(node))

    def _has_type(self, name: str, values: Sequence[Any]) -> bool:
        """Whether pyarrow need not convert values to the type of a column, which may round them."""
        kind = str(self._schema.field(name).arrow_type()).partition("[")[0].partition("(")[0].rstrip("0123456789")
        return kind in _VALUES and all(type(one) is _VALUES[kind] for one in values)

    def _compare(self, function: str, left: Node, right: Node) -> Predicate:
        match left, right:
            case Reference(name), Literal(value):
                operator = _OPERATORS[function][0]
            case Literal(value), Reference(name):
                operator = _OPERATORS[function][1]
            case _:
                raise _Unlike
        if value is None or value != value:
            raise _Unlike
        return Compare(name, operator, value)

    def _is_in(self, call: Call) -> In:
        match call:
            case Call(_, (Reference(name),), {"value_set": [*values]}) if self._has_type(name, values):
                return In(name, tuple(values))
        raise _Unlike
