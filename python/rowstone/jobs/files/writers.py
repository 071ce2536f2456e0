"""Parts of an export: files of rows, synced when they are closed."""

import csv
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, Protocol, get_args

from rowstone.errors import InvalidArgument
from rowstone.jobs.files.json_lines import json_value
from rowstone.jobs.files.parquet_part import ParquetPart, Values, parquet_schema, value_text

ExportFormat = Literal["parquet", "csv", "jsonl"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)


class Part(Protocol):
    """A file that is written row by row."""

    def write(self, rows: Sequence[Values]) -> None:
        """Write rows: values in the order of the fields, None for missing values."""

    def close(self) -> None:
        """Sync everything to disk."""


def open_part(path: Path, form: str, fields: Sequence[str], types: Mapping[str, str], *, header: bool) -> Part:
    """A new part; ``types`` are Arrow's names of the fields' types, ``header`` is for CSV."""
    if form == "parquet":
        return ParquetPart(path, fields, types)
    return _CsvPart(path, fields, header) if form == "csv" else _JsonLinesPart(path, fields)


class _CsvPart:
    """Bytes go through `csv` as Latin-1, in which every byte is a character."""

    def __init__(self, path: Path, fields: Sequence[str], header: bool) -> None:
        self._file = path.open("w", encoding="latin-1", newline="")
        self._fields = fields
        # `csv` quotes a field that has a character of the line ending: with this one, also a carriage return.
        self._csv = csv.writer(_LineFeeds(self._file), lineterminator="\r\n")
        if header:
            self.write([fields])

    def write(self, rows: Sequence[Values]) -> None:
        for row in rows:
            try:
                values = [_character_per_byte(value) for value in row]
            except UnicodeEncodeError as error:
                raise _refusal("CSV", self._fields, row, _character_per_byte, error) from None
            self._csv.writerow(values)

    def close(self) -> None:
        _sync_and_close(self._file)


class _LineFeeds:
    """Removes the carriage returns of line endings."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, line: str) -> None:
        self._file.write(line.removesuffix("\r\n") + "\n")


def _character_per_byte(value: Any) -> Any:
    if isinstance(value, str):
        value = value.encode()
    return str(value, "latin-1") if isinstance(value, (bytes, bytearray, memoryview)) else value


class _JsonLinesPart:
    def __init__(self, path: Path, fields: Sequence[str]) -> None:
        self._file = path.open("w", encoding="utf-8")
        self._fields = fields

    def write(self, rows: Sequence[Values]) -> None:
        for row in rows:
            line = {
                name: json_value(value) if isinstance(value, bytes) else value
                for name, value in zip(self._fields, row, strict=True)
                if value is not None
            }
            try:
                self._file.write(_json(line) + "\n")
            except (TypeError, ValueError) as error:
                raise _refusal("JSON", self._fields, row, lambda value: _json(value).encode(), error) from None

    def close(self) -> None:
        _sync_and_close(self._file)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    """Return a JSON value for an object of another type: bytes within lists and dicts, dates, decimals."""
    return json_value(bytes(value)) if isinstance(value, (bytes, bytearray, memoryview)) else str(value)


def _refusal(
    form: str, fields: Sequence[str], row: Values, write: Callable[[Any], Any], error: Exception
) -> InvalidArgument:
    """Describe the first value of a row that cannot be written; ``error`` is of the whole row."""
    for name, value in zip(fields, row, strict=True):
        try:
            if not isinstance(value, bytes):
                write(value)
        except (TypeError, ValueError) as refused:
            where = f"row {value_text(row[0])}, field '{name}': {value_text(value)}"
            return InvalidArgument(f"{where} cannot be written as {form}: {refused}")
    return InvalidArgument(f"row {value_text(row[0])} cannot be written as {form}: {error}")


def check_types(form: str, fields: Sequence[str], types: Mapping[str, str]) -> None:
    """Raise `InvalidArgument` for unknown types, if the format has types."""
    if form == "parquet":
        parquet_schema(fields, types)


def _sync_and_close(file: Any) -> None:
    with file:
        file.flush()
        os.fsync(file.fileno())


def join(parts: Sequence[Path], out: Path, form: str, fields: Sequence[str], types: Mapping[str, str]) -> None:
    """Join parts without headers into one file, piece by piece."""
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
    joined = ParquetPart(out, fields, types)
    for part in parts:
        joined.append(part)
    joined.close()
