"""Types of columns: Spark's, Arrow's, and the codecs of cells."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import signature
from typing import Any

from rowstone._base.lazy import SPARK, import_optional
from rowstone.engines._schema import RowSchema
from rowstone.errors import InvalidArgument

ZONE = "UTC"
"""Spark expects the timestamps of a data source in this time zone."""

_SIGNED = {"uint8": "int16", "uint16": "int32", "uint32": "int64"}
_CODECS = {
    "bool": "bool",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "float": "float32",
    "double": "float64",
    "string": "text",
    "binary": "bytes",
    "timestamp[us, tz=UTC]": "datetime",
}


def arrow_schema(struct: Any) -> Any:
    """The `pyarrow.Schema` in which Spark expects rows of a ``StructType``."""
    convert = SPARK.module("pyspark.sql.pandas.types").to_arrow_schema
    # Spark 4.1 has no choice: it is UTC.
    return convert(struct, **{name: ZONE for name in signature(convert).parameters if name == "timezone"})


def struct_of(schema: RowSchema, names: Iterable[str] | None = None) -> Any:
    """The ``StructType`` of columns of a schema. Unsigned integers, which Spark lacks, become wider types."""
    pyarrow = import_optional("pyarrow", "the format 'rowstone' of Spark", "spark")
    fields = [field.with_type(_signed(pyarrow, field.type)) for field in schema.arrow(names)]
    return SPARK.module("pyspark.sql.pandas.types").from_arrow_schema(pyarrow.schema(fields))


def _signed(pyarrow: Any, kind: Any) -> Any:
    if kind == pyarrow.uint64():
        return pyarrow.decimal128(20, 0)
    name = _SIGNED.get(str(kind))
    return kind if name is None else pyarrow.type_for_alias(name)


def codecs_of(struct: Any, known: Iterable[str]) -> dict[str, str]:
    """The codecs of the columns of a ``StructType`` that are not ``known``, by their types.

    Raises:
        InvalidArgument: A type has no codec.
    """
    found = {}
    for field in arrow_schema(struct):
        if field.name in known:
            continue
        kind = str(field.type)
        if kind.startswith("decimal128("):
            found[field.name] = kind.replace("decimal128", "decimal")
        elif kind in _CODECS:
            found[field.name] = _CODECS[kind]
        else:
            raise InvalidArgument(f"column '{field.name}' has type {kind}, for which there is no codec")
    return found
