"""Schemas of tables for engines: named, typed columns over row keys and cells.

A row exists if it has a cell in any column of the schema. Cells of other columns are never read. So the choice of
columns by a query does not change which rows there are.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from rowstone._base.lazy import import_optional
from rowstone._base.options.checks import as_list
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.codecs import codec, declared
from rowstone.codecs._codec import CodecArgument
from rowstone.engines._infer import Inferred, infer
from rowstone.errors import InvalidArgument, InvalidType, NotFoundError
from rowstone.keys import Key

if TYPE_CHECKING:
    from rowstone._core.table import Table

ColumnArgument = str | tuple[str, CodecArgument] | CodecArgument

_DECIMAL = re.compile(r"decimal\((\d+), ?(\d+)\)")
_MOST_DIGITS = 38
_TYPES = {"text": "string", "json": "string", "decimal": "string", "bool": "bool"}
_BINARY = ("bytes", "msgpack", "blobref", "avro")


class SchemaOptions(TypedDict, total=False):
    """Keywords of `RowSchema`."""

    key_name: str
    timestamp: str | None
    required: Iterable[str]


@dataclass(frozen=True)
class Field:
    """A column as an engine sees it.

    Attributes:
        name: Its name in the engine.
        kind: The codec of its values, such as ``"int32"``; ``"avro"``; ``"decimal(12, 2)"``; for a part of a key,
            Arrow's type of the part.
        column: The cell's column, ``family:qualifier``; None for the row key, its parts and the timestamp.
    """

    name: str
    kind: str
    column: bytes | None = None

    @property
    def codec(self) -> str:
        """The codec's name: ``"decimal"`` for a decimal of any precision."""
        return self.kind.partition("(")[0]

    @property
    def pair(self) -> tuple[bytes, bytes]:
        """The cell's family and qualifier. Raises `InvalidArgument` for the row key, its parts and the timestamp."""
        if self.column is None:
            raise InvalidArgument(f"column '{self.name}' is no cell")
        family, _, qualifier = self.column.partition(b":")
        return family, qualifier

    def arrow_type(self) -> Any:
        """Return the `pyarrow.DataType` of the values."""
        pyarrow = import_optional("pyarrow", "a schema of Arrow", "arrow")
        if found := _DECIMAL.fullmatch(self.kind):
            return pyarrow.decimal128(int(found[1]), int(found[2]))
        if self.kind == "datetime":
            return pyarrow.timestamp("ms", "UTC")
        if self.kind in _BINARY:
            return pyarrow.binary()
        return pyarrow.type_for_alias(_TYPES.get(self.kind, self.kind))


class RowSchema:
    """Named, typed columns of a table, the same for every engine. It is a value: it compares, and can be pickled.

    Args:
        key: The row key: the name of a codec, for a single column ``row``; or a `rowstone.keys.Key`, for a column per
            part.
        columns: The cells: ``{"age": ("f:age", "int32")}``, or ``{"f:age": "int32"}`` for a column of that name.
            A type is a codec (`rowstone.codecs.codec`), or ``"decimal(12, 2)"``: decimals that engines compare and add
            as numbers. Plain ``"decimal"`` is text.
        key_name: The name of the row key's column, if ``key`` is a codec.
        timestamp: The name of a column with the timestamp of the newest cell in the schema's columns, in milliseconds;
            by default there is none.
        required: Names of columns that every row has. A query that reads one of them reads no other column to learn
            which rows exist. Rows without it may then be missing from results.

    Raises:
        InvalidArgument: A name or a cell is used twice, a column has no family, or a codec is unknown.

    Example:
        >>> from rowstone.engines import RowSchema
        >>> schema = RowSchema("text", {"age": ("f:age", "int32"), "f:town": "text"})
        >>> schema.names
        ('row', 'age', 'f:town')
    """

    def __init__(
        self,
        key: str | Key = "text",
        columns: Mapping[str, ColumnArgument] | Iterable[tuple[str, ColumnArgument]] = (),
        *,
        key_name: str = "row",
        timestamp: str | None = None,
        required: Iterable[str] = (),
    ) -> None:
        self.key = key
        self.key_fields = _key_fields(key, key_name)
        if isinstance(columns, (str, bytes)) or not isinstance(columns, Iterable):
            kind = type(columns).__name__
            raise InvalidType(f"columns must be a mapping {{name: (cell, codec)}} or pairs of the two, not {kind}")
        self.cells = tuple(_cell_field(name, given) for name, given in dict(columns).items())
        self.timestamp = timestamp
        self.required = tuple(as_list("required", required))
        stamp = () if timestamp is None else (Field(timestamp, "int64"),)
        self.fields = (*self.key_fields, *stamp, *self.cells)
        self._by_name: dict[str, Field] = {field.name: field for field in self.fields}
        self._check()

    def _check(self) -> None:
        if not self.cells:
            raise InvalidArgument("a schema needs at least one column: {'age': ('f:age', 'int32')}")
        for field in self.fields:
            if self.names.count(field.name) > 1:
                raise InvalidArgument(f"two columns are called '{field.name}'")
        names: dict[bytes | None, str] = {}
        for field in self.cells:
            if (other := names.setdefault(field.column, field.name)) != field.name:
                cell = printable(field.column or b"")
                raise InvalidArgument(f"columns '{other}' and '{field.name}' are one cell '{cell}': keep one of them")
        for name in self.required:
            if self.field(name).column is None:
                raise InvalidArgument(f"required column '{name}' is part of the row, which always exists")

    @classmethod
    def declared(cls, table: Table, key: str | Key = "text", **options: Unpack[SchemaOptions]) -> RowSchema:
        """Return the schema of the codecs declared for a table (`rowstone.codecs.declare`); options as for the class.

        Raises:
            InvalidArgument: No codecs are declared, or one is declared for a whole family, whose columns are unknown.
        """
        found = declared(table.schema.attributes)
        for name in found:
            if b":" not in name:
                raise InvalidArgument(
                    f"table '{table.name}' declares a codec for the family '{name.decode()}', not for its columns: "
                    "name the columns, or use RowSchema.infer(table)"
                )
        if not found:
            raise InvalidArgument(
                f"table '{table.name}' declares no codecs: name the columns, or RowSchema.infer(table)"
            )
        return cls(key, {name.decode(): one.name for name, one in found.items()}, **options)

    @classmethod
    def infer(
        cls, table: Table, rows: int = 1000, key: str | Key = "text", **options: Unpack[SchemaOptions]
    ) -> Inferred[RowSchema]:
        """Guess the types of a table's columns from a sample; options as for the class.

        A column whose sampled values have several types becomes ``bytes``. Declared codecs take precedence.

        Returns:
            The schema, and a report: a line per column.
        """
        kinds, report = infer(table, rows)
        return Inferred(cls(key, kinds, **options), report)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns: of the row key, the timestamp, and the cells."""
        return tuple(field.name for field in self.fields)

    @property
    def key_names(self) -> tuple[str, ...]:
        """The names of the columns from the row key."""
        return tuple(field.name for field in self.key_fields)

    def field(self, name: str) -> Field:
        """Return a column by its name. Raises `NotFoundError` with the most similar names."""
        if name in self._by_name:
            return self._by_name[name]
        near: Sequence[str] = difflib.get_close_matches(name, self.names, 3, 0.5) or self.names[:10]
        raise NotFoundError(f"there is no column '{name}'; did you mean {' or '.join(map(repr, near))}?")

    def arrow(self, names: Iterable[str] | None = None) -> Any:
        """Return the `pyarrow.Schema` of these columns, by default of all."""
        pyarrow = import_optional("pyarrow", "a schema of Arrow", "arrow")
        fields = self.fields if names is None else map(self.field, as_list("names", names))
        return pyarrow.schema([pyarrow.field(field.name, field.arrow_type()) for field in fields])

    def _state(self) -> tuple[Any, ...]:
        return self.key, self.cells, self.key_names, self.timestamp, self.required

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowSchema) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        return f"RowSchema({', '.join(f'{field.name}: {field.kind}' for field in self.fields)})"


def _key_fields(key: str | Key, name: str) -> tuple[Field, ...]:
    if isinstance(key, Key):
        return tuple(Field(part.name, part.arrow_type) for part in key.parts if part.name)
    return (Field(name, _kind(key)),)


def _cell_field(name: str, given: ColumnArgument) -> Field:
    column, kind = given if isinstance(given, tuple) else (name, given)
    data = as_bytes(column)
    if b":" not in data or data.startswith(b":"):
        raise InvalidArgument(f"column '{name}' needs a cell: {{{name!r}: ('family:qualifier', 'int32')}}")
    return Field(name, _kind(kind), data)


def _kind(given: CodecArgument) -> str:
    if isinstance(given, str) and (found := _DECIMAL.fullmatch(given)):
        precision, scale = int(found[1]), int(found[2])
        if not 0 <= scale <= precision <= _MOST_DIGITS or not precision:
            raise InvalidArgument(
                f"{given} needs 1 to {_MOST_DIGITS} digits, and 0 to as many of them after the point; "
                "plain 'decimal' has any number, as text"
            )
        return f"decimal({precision}, {scale})"
    name = codec(given).name
    return name if isinstance(name, str) else "avro"
