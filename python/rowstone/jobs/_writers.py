"""Parts of an export: files of rows, synced when they are closed."""

import base64
import csv
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from rowstone.errors import InvalidArgument
from rowstone.jobs._arrow import arrow
from rowstone.jobs._json_lines import BYTES_KEY

Values = Sequence[Any]
EXPORT_FORMATS = ("parquet", "csv", "jsonl")


class Part(Protocol):
    """A file that is written row by row."""

    def write(self, rows: Sequence[Values]) -> None:
        """Writes rows: values in the order of the fields, None where there is none."""

    def close(self) -> None:
        """Brings everything to the disk."""


def open_part(path: Path, form: str, fields: Sequence[str], types: Mapping[str, str], *, header: bool) -> Part:
    """A new part; ``types`` are Arrow's names of the fields' types, ``header`` is for CSV."""
    if form == "parquet":
        return _ParquetPart(path, fields, types)
    return _CsvPart(path, fields, header) if form == "csv" else _JsonLinesPart(path, fields)


class _CsvPart:
    """Bytes go through `csv` as Latin-1, in which every byte is a character."""

    def __init__(self, path: Path, fields: Sequence[str], header: bool) -> None:
        self._file = path.open("w", encoding="latin-1", newline="")
        self._csv = csv.writer(self._file, lineterminator="\n")
        if header:
            self.write([fields])

    def write(self, rows: Sequence[Values]) -> None:
        self._csv.writerows([_character_per_byte(value) for value in row] for row in rows)

    def close(self) -> None:
        _sync_and_close(self._file)


def _character_per_byte(value: Any) -> Any:
    if isinstance(value, str):
        value = value.encode()
    return value.decode("latin-1") if isinstance(value, bytes) else value


class _JsonLinesPart:
    def __init__(self, path: Path, fields: Sequence[str]) -> None:
        self._file = path.open("w", encoding="utf-8")
        self._fields = fields

    def write(self, rows: Sequence[Values]) -> None:
        for row in rows:
            line = {
                name: _json_value(value) for name, value in zip(self._fields, row, strict=True) if value is not None
            }
            self._file.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")

    def close(self) -> None:
        _sync_and_close(self._file)


def _json_value(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {BYTES_KEY: base64.b64encode(value).decode()}


class _ParquetPart:
    """Each piece of rows becomes a row group."""

    def __init__(self, path: Path, fields: Sequence[str], types: Mapping[str, str]) -> None:
        self._arrow = arrow()
        self._path = path
        self._schema = self._arrow.schema([(name, self._type(name, types)) for name in fields])
        self._writer = self._arrow.parquet.ParquetWriter(path, self._schema, compression="zstd")

    def _type(self, field: str, types: Mapping[str, str]) -> Any:
        try:
            return self._arrow.type_for_alias(types.get(field, "binary"))
        except ValueError:
            raise InvalidArgument(f"field '{field}' has type '{types[field]}', which Arrow does not know") from None

    def write(self, rows: Sequence[Values]) -> None:
        arrays = []
        for place, field in enumerate(self._schema):
            values = [row[place] for row in rows]
            try:
                arrays.append(self._arrow.array(values, field.type))
            except (self._arrow.ArrowException, TypeError, ValueError, OverflowError) as error:
                raise InvalidArgument(f"field '{field.name}' cannot be {field.type}: {error}") from None
        self._writer.write_batch(self._arrow.record_batch(arrays, schema=self._schema))

    def close(self) -> None:
        self._writer.close()
        with self._path.open("rb") as file:
            os.fsync(file.fileno())


def _sync_and_close(file: Any) -> None:
    with file:
        file.flush()
        os.fsync(file.fileno())


def join(parts: Sequence[Path], out: Path, form: str, fields: Sequence[str], types: Mapping[str, str]) -> None:
    """One file of many parts that have no headers, a piece after the other."""
    if form != "parquet":
        open_part(out, form, fields, types, header=True).close()
        with out.open("ab") as file:
            for part in parts:
                with part.open("rb") as source:
                    while piece := source.read(1 << 20):
                        file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        return
    joined = _ParquetPart(out, fields, types)
    for part in parts:
        with joined._arrow.parquet.ParquetFile(part) as source:
            for group in range(source.metadata.num_row_groups):
                joined._writer.write_table(source.read_row_group(group))
    joined.close()
