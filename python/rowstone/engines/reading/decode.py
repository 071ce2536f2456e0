"""Rows decoded in Python: for values that may not decode, and for timestamps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal, DecimalException, Inexact, InvalidOperation
from itertools import islice
from typing import TYPE_CHECKING, Any

from rowstone._base.lazy import import_optional
from rowstone._base.printable import printable
from rowstone.codecs import codec
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone.engines._schema import Field, RowSchema
    from rowstone.engines.planner.plan import Plan

BATCH_ROWS = 8192
_SHOWN_BYTES = 40
_SHOWN_DIGITS = 100


class _Dropped(Exception):
    """A value of the row does not decode, and the row is left out."""


def decoded_batches(rows: Iterable[_native.Row], plan: Plan, on_error: str) -> Iterator[Any]:
    """Iterate over record batches of the rows, with the columns that the plan needs."""
    pyarrow = import_optional("pyarrow", "reading a Source", "arrow")
    decoder = _Decoder(plan, on_error)
    schema = plan.schema.arrow(decoder.names)
    source = iter(rows)
    while chunk := list(islice(source, BATCH_ROWS)):
        lines = [line for row in chunk if (line := decoder.line(row)) is not None]
        values = list(zip(*lines, strict=True)) or [()] * len(decoder.names)
        arrays = [pyarrow.array(list(column), kind) for column, kind in zip(values, schema.types, strict=True)]
        if lines:
            yield pyarrow.record_batch(arrays, schema=schema)


class _Decoder:
    """Decodes the columns ``names`` of rows."""

    def __init__(self, plan: Plan, on_error: str) -> None:
        self._schema: RowSchema = plan.schema
        self._on_error = on_error
        self._has_stamp = plan.needs_timestamp
        stamp = [plan.schema.timestamp] if self._has_stamp else []
        self._fields = [plan.schema.field(name) for name in plan.reads]
        self._codecs = [codec(_codec_name(field)) for field in self._fields]
        self.names: list[str] = [*plan.schema.key_names, *filter(None, stamp), *plan.reads]

    def line(self, row: _native.Row) -> list[Any] | None:
        """The values of a row; None if it is dropped."""
        try:
            key = self._key(row.key)
            stamp = [max(cell.timestamp for cell in row.cells)] if self._has_stamp else []
            return [*key, *stamp, *(self._value(row, *pair) for pair in zip(self._fields, self._codecs, strict=True))]
        except _Dropped:
            return None

    def _key(self, data: bytes) -> list[Any]:
        key = self._schema.key
        try:
            if isinstance(key, str):
                return [_plain(self._schema.key_fields[0], codec(key).decode(data))]
            return [_plain(*pair) for pair in zip(self._schema.key_fields, key.decode(data), strict=True)]
        except InvalidArgument as error:
            self._fail(f"row '{printable(data)}': its key cannot be decoded", error)
            return [None] * len(self._schema.key_fields)

    def _value(self, row: _native.Row, field: Field, kind: Any) -> Any:
        data = row.get(field.pair)
        if data is None:
            return None
        try:
            return _plain(field, fitting(field, kind.decode(data)))
        except InvalidArgument as error:
            place = f"row '{printable(row.key)}', column '{printable(field.column or b'')}'"
            self._fail(f"{place}: '{printable(data, _SHOWN_BYTES)}' cannot be decoded", error)
            return None

    def _fail(self, what: str, error: InvalidArgument) -> None:
        if self._on_error == "raise":
            raise type(error)(f"{what}: {error}") from None
        if self._on_error == "drop":
            raise _Dropped


def fitting(field: Field, value: Any) -> Any:
    """Return a value as the column's type has it. Raises `InvalidArgument` if a decimal does not fit its digits."""
    if field.codec != "decimal" or field.kind == "decimal":
        return value
    precision, scale = map(int, field.kind.removeprefix("decimal(").removesuffix(")").split(","))
    context = Context(prec=precision, traps=[Inexact, InvalidOperation])
    try:
        return context.quantize(value, Decimal(1).scaleb(-scale))
    except DecimalException:
        raise InvalidArgument(f"{str(value)[:_SHOWN_DIGITS]} does not fit {field.kind}") from None


def cast(batch: Any, schema: RowSchema) -> Any:
    """Return a record batch of texts and numbers with the types of its fields.

    Raises:
        InvalidArgument: A decimal does not fit its column; the message names both.
    """
    pyarrow = import_optional("pyarrow", "reading a Source", "arrow")
    wanted = schema.arrow(batch.schema.names)
    try:
        return batch.cast(wanted)
    except pyarrow.ArrowInvalid:
        # Arrow does not say which row.
        arrays = [
            pyarrow.array(_decimals(batch, schema, name), kind) if pyarrow.types.is_decimal(kind) else column.cast(kind)
            for column, name, kind in zip(batch.columns, wanted.names, wanted.types, strict=True)
        ]
        return pyarrow.record_batch(arrays, schema=wanted)


def check_fit(batch: Any, schema: RowSchema, field: Field) -> None:
    """Raise `InvalidArgument` if a decimal that is to be written does not fit its column: it could not be read."""
    if field.codec != "decimal" or field.kind == "decimal":
        return
    if not _can_cast(batch.column(field.name), field):
        # Arrow lacks some conversions, and its errors do not name the row: this raises for the first that does not fit.
        deque(_decimals(batch, schema, field.name), maxlen=0)


def _can_cast(column: Any, field: Field) -> bool:
    pyarrow = import_optional("pyarrow", "writing to a Sink", "arrow")
    try:
        column.cast(field.arrow_type())
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
        return False
    return True


def _decimals(batch: Any, schema: RowSchema, name: str) -> Iterator[Decimal | None]:
    field = schema.field(name)
    for place, value in enumerate(batch.column(name).to_pylist()):
        try:
            yield None if value is None else fitting(field, Decimal(value))
        except (InvalidArgument, DecimalException, TypeError) as error:
            key = ", ".join(repr(batch.column(part)[place].as_py()) for part in schema.key_names)
            reason = error if isinstance(error, InvalidArgument) else f"{value!r} is no decimal"
            raise InvalidArgument(f"row {key}, column '{printable(field.column or b'')}': {reason}") from None


def _plain(field: Field, value: Any) -> Any:
    """Convert a decoded value to one that Arrow has a type for."""
    is_shown = field.kind in ("string", "decimal") and not isinstance(value, str | None)
    return str(value) if is_shown else value


def _codec_name(field: Field) -> str:
    """The codec that decodes a cell to what Arrow gets: documents stay as they are stored."""
    if field.codec == "json":
        return "text"
    return "bytes" if field.codec in ("avro", "msgpack", "blobref") else field.codec
