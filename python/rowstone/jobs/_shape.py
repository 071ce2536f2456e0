"""Layouts of exported rows: a line with a field for each column, or a line for each cell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rowstone import filters
from rowstone._base.printable import printable
from rowstone._core.database import Database
from rowstone._native import Row
from rowstone.errors import InvalidArgument
from rowstone.jobs.files.parquet_part import has_only_bytes
from rowstone.jobs.files.text import Decoder, number_decoder
from rowstone.jobs.splits.state import bytes_of_setting

MOST_COLUMNS = 1000
_MOST_SHOWN_BYTES = 80
_CELL_FIELDS = ("row", "family", "qualifier", "timestamp", "value")
_CELL_TYPES = {"timestamp": "int64"}


@dataclass(frozen=True)
class Shape:
    """Lines of ``fields``. ``columns`` are the exported columns; None for a line per cell."""

    fields: tuple[str, ...]
    columns: tuple[bytes, ...] | None
    types: Mapping[str, str]
    decode: Mapping[bytes, Decoder] = field(default_factory=dict)
    decode_key: Decoder | None = None
    versions: int | None = 1

    def selected(self) -> list[tuple[bytes, bytes]] | None:
        """Return the columns of the scan, as pairs: ``"f:"`` would be the whole family. None if it reads all."""
        pairs = [column.partition(b":") for column in self.columns or ()]
        return [(family, qualifier) for family, _, qualifier in pairs] or None

    def is_as_stored(self) -> bool:
        """Whether a Parquet file has a line for each row with the stored bytes, as bytes or as text."""
        if self.columns is None or self.decode or self.decode_key is not None:
            return False
        # Batches name the columns.
        try:
            b"".join(self.columns).decode()
        except UnicodeDecodeError:
            return False
        return has_only_bytes(self.fields, self.types)

    def lines(self, row: Row) -> Iterator[Sequence[Any]]:
        """The lines of a row; none for one without any of the columns."""
        key = row.key if self.decode_key is None else self._decoded(self.decode_key, row.key, row, None)
        if self.columns is None:
            for cell in row.cells:
                decoder = self.decode.get(cell.column)
                value = cell.value if decoder is None else self._decoded(decoder, cell.value, row, cell.column)
                yield key, cell.family, cell.qualifier, cell.timestamp, value
            return
        values: list[Any] = [row.get(column) for column in self.columns]
        for place, column in enumerate(self.columns):
            decoder = self.decode.get(column)
            if decoder is not None and values[place] is not None:
                values[place] = self._decoded(decoder, values[place], row, column)
        yield [key, *values]

    def _decoded(self, decoder: Decoder, value: bytes, row: Row, column: bytes | None) -> Any:
        try:
            return decoder(value)
        except Exception as error:
            place = "the row key" if column is None else f"column '{printable(column)}'"
            what = f"row '{printable(row.key)}', {place}: '{printable(value, _MOST_SHOWN_BYTES)}'"
            raise InvalidArgument(f"{what} cannot be decoded: {error}") from error


def cells_shape(decode: Mapping[bytes, Decoder], decode_key: Decoder | None, versions: int | None, text: bool) -> Shape:
    """A line for each cell; with ``text`` all but the timestamp is text."""
    types = {**(dict.fromkeys(_CELL_FIELDS, "string") if text else {}), **_CELL_TYPES}
    return Shape(_CELL_FIELDS, None, types, decode, decode_key, versions)


def rows_shape(
    columns: Mapping[str, str],
    key: str,
    types: Mapping[str, str],
    decode: Mapping[bytes, Decoder],
    decode_key: Decoder | None,
    text: bool,
) -> Shape:
    """A line for each row: ``columns`` are pairs of column and field. With ``text`` numbers are decimal text."""
    fields = (key, *columns.values())
    if len(set(fields)) != len(fields):
        raise InvalidArgument(f"a field is named twice: {', '.join(fields)}")
    if unknown := sorted(set(types) - set(fields)):
        raise InvalidArgument(f"types names field '{unknown[0]}'; there are {', '.join(fields)}")
    if text:
        types = {**dict.fromkeys(fields, "string"), **types}
        found = {bytes_of_setting(column): number_decoder(types[name], name) for column, name in columns.items()}
        decode = {**{column: decoder for column, decoder in found.items() if decoder is not None}, **decode}
        decode_key = decode_key or number_decoder(types[key], key)
    return Shape(fields, tuple(map(bytes_of_setting, columns)), types, decode, decode_key)


def find_columns(db: Database, table: str, start: str | bytes | None, stop: str | bytes | None) -> dict[str, str]:
    """Every column that a row has, as its own field: reads all keys. Raises `InvalidArgument` beyond 1000."""
    found: set[bytes] = set()
    with db.table(table).scan(start, stop, filter=filters.KeyOnlyFilter(), cache_blocks=False) as rows:
        for row in rows:
            found.update(row)
            if len(found) > MOST_COLUMNS:
                raise InvalidArgument(
                    f"table '{table}' has more than {MOST_COLUMNS} columns: name those to export, or export cells"
                )
    try:
        return {name: name for name in sorted(column.decode() for column in found)}
    except UnicodeDecodeError as error:
        raise InvalidArgument(
            f"column {error.object!r} is no text: name columns and their fields, or export cells"
        ) from None
