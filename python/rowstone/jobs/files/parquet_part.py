"""Parts of an export in Parquet, from rows of values or from Arrow batches."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rowstone._base.printable import printable, printable_text
from rowstone._core.parquet import ParquetWriter
from rowstone.errors import InvalidArgument
from rowstone.jobs.files.parquet import arrow, arrow_type

Values = Sequence[Any]
_MOST_SHOWN = 120


def parquet_schema(fields: Sequence[str], types: Mapping[str, str]) -> Any:
    """Return Arrow's schema of a file. Raises `InvalidArgument` if Arrow does not know the type of a field."""
    return arrow().schema([(name, arrow_type(types.get(name, "binary"), name)) for name in fields])


def has_only_bytes(fields: Sequence[str], types: Mapping[str, str]) -> bool:
    """Whether all fields are bytes or text: a scan returns such Arrow batches without a Python object per value."""
    kinds = arrow().types
    return all(kinds.is_binary(one.type) or kinds.is_string(one.type) for one in parquet_schema(fields, types))


class ParquetPart:
    """A part in Parquet; each call of a ``write`` method adds a row group."""

    def __init__(self, path: Path, fields: Sequence[str], types: Mapping[str, str]) -> None:
        self._arrow = arrow()
        self._schema = parquet_schema(fields, types)
        self._writer = ParquetWriter(path, self._schema)

    def write(self, rows: Sequence[Values]) -> None:
        """Write rows: values in the order of the fields, None for a missing value."""
        self._add(lambda place, kind: self._arrow.array([row[place] for row in rows], kind), lambda: rows)

    def write_batch(self, batch: Any) -> None:
        """Write a `pyarrow.RecordBatch` of bytes, with a column for each field."""
        self._add(
            lambda place, kind: batch.column(place).cast(kind),
            lambda: list(zip(*(column.to_pylist() for column in batch.columns), strict=True)),
        )

    def _add(self, column: Any, rows: Any) -> None:
        arrays = []
        for place, field in enumerate(self._schema):
            try:
                arrays.append(column(place, field.type))
            except (self._arrow.ArrowException, TypeError, ValueError, OverflowError) as error:
                raise InvalidArgument(self._refusal(field, place, rows(), error)) from None
        self._writer.write(self._arrow.record_batch(arrays, schema=self._schema))

    def _refusal(self, field: Any, place: int, rows: Sequence[Values], error: Exception) -> str:
        """Describe the first row whose value does not fit the field."""
        for row in rows:
            try:
                self._arrow.array([row[place]], field.type)
            except (self._arrow.ArrowException, TypeError, ValueError, OverflowError) as refused:
                where = f"row {value_text(row[0])}, field '{field.name}': {value_text(row[place])}"
                return f"{where} cannot be converted to {field.type}: {str(refused)[:_MOST_SHOWN]}"
        return f"field '{field.name}' cannot be converted to {field.type}: {error}"

    def append(self, part: Path) -> None:
        """Append the rows of a complete part, one row group at a time."""
        with self._arrow.parquet.ParquetFile(part) as source:
            for group in range(source.metadata.num_row_groups):
                for batch in source.read_row_group(group).combine_chunks().to_batches():
                    self._writer.write(batch)

    def close(self) -> None:
        """Sync everything to disk."""
        self._writer.close()


def value_text(value: Any) -> str:
    """Show a key or value in an error message."""
    if isinstance(value, bytes):
        return f"'{printable(value, _MOST_SHOWN)}'"
    return printable_text(str(value)[:_MOST_SHOWN])
