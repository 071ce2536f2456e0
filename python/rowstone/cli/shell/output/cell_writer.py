"""Cells as HBase's shell prints them: converters of columns (``'f:q:toInt'``), FORMATTER, MAXLENGTH, ``hbase:meta``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rowstone import errors
from rowstone._base.printable import printable
from rowstone.cli.shell.checks import whole
from rowstone.cli.shell.output.converters import Converter, converter, show
from rowstone.cli.shell.output.meta_cells import meta_text
from rowstone.cli.shell.output.times import local_time
from rowstone.cli.shell.table_reference import META, TableReference

if TYPE_CHECKING:
    from rowstone import Cell
    from rowstone.codecs import Codec


@dataclass(frozen=True)
class CellWriter:
    """Formats the cells of one read: FORMATTER, FORMATTER_CLASS, MAXLENGTH and the converters of columns."""

    table: TableReference
    plain: Converter
    max_length: int = -1
    codecs: Mapping[bytes, Codec] = field(default_factory=dict)
    """Codecs declared for the table, used if no FORMATTER is given."""

    @staticmethod
    def of(table: TableReference, method: Any, class_name: Any, max_length: Any) -> CellWriter:
        """The writer for a read's options."""
        length = -1 if max_length is None else whole("MAXLENGTH", max_length)
        if method or class_name:
            return CellWriter(table, converter(method, class_name), length)
        return CellWriter(table, printable, length, _codecs(table))

    def row(self, cell: Cell) -> str:
        """Format the row key."""
        return show(self.plain, cell.row)

    def column(self, cell: Cell) -> str:
        """Format ``family:qualifier``."""
        return f"{show(self.plain, cell.family)}:{show(self.plain, cell.qualifier)}"

    def text(self, cell: Cell) -> str:
        """Format the timestamp and value, or the type of a delete marker."""
        stamp = f"timestamp={local_time(cell.timestamp)}"
        text = f"{stamp}, value={self.value(cell)}" if cell.type == "Put" else f"{stamp}, type={cell.type}"
        return text[: self.max_length] if self.max_length != -1 else text

    def value(self, cell: Cell) -> str:
        """Format the value."""
        if self.table.name == META and (text := meta_text(cell.column, cell.value)) is not None:
            return text
        return show(self._converter(cell), cell.value)

    def _converter(self, cell: Cell) -> Converter:
        """Return the converter of the cell's column, else its codec, else FORMATTER or plain bytes."""
        asked = self.table.converters.get(cell.column)
        if asked is None:
            found = self.codecs.get(cell.column) or self.codecs.get(cell.family)
            return self.plain if found is None else _decoding(found)
        if asked.startswith("c(") and ")." in asked:
            class_name, _, method = asked[2:].partition(").")
            return converter(method, class_name)
        return converter(asked)


def _codecs(table: TableReference) -> Mapping[bytes, Codec]:
    """The codecs declared for the table; none if its attributes cannot be parsed."""
    from rowstone.codecs._declared import ATTRIBUTE, declared

    try:
        attributes = {} if table.name == META else table.database.admin.describe(table.name).attributes
        return declared(attributes) if ATTRIBUTE in attributes else {}
    except (errors.RowstoneError, ImportError):
        # The read itself reports what is wrong with the table.
        return {}


def _decoding(codec: Codec) -> Converter:
    """Decode the value; if the codec does not fit, format it as bytes."""

    def convert(data: bytes) -> str:
        try:
            return codec.show(data)
        except (errors.InvalidArgument, ImportError):
            return printable(data)

    return convert
