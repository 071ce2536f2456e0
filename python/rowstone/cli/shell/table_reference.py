"""Table references of the shell: the name, and columns as typed, with their converters (``'f:q:toInt'``)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import legal_table
from rowstone.cli.shell.values import to_bytes, to_text

if TYPE_CHECKING:
    from rowstone import Database, Table

NAMESPACE_DEFAULT = "default:"
META = "hbase:meta"
CONVERTER = re.compile(
    r"c\(.+\)\..+|len|to(Int|Long|Short|Float|Double|Boolean|String|StringBinary|Hex|BigDecimal|ByteArrays)"
    r"|bytesToVint|copy|hashCode|mapKey",
    re.DOTALL,
)
"""Converters after a column's last colon: the methods of HBase's ``Bytes`` that take bytes, and ``c(Class).method``."""


@dataclass
class TableReference:
    """``Hbase::Table``: a name that need not exist, and the converters of its columns."""

    name: str
    database: Database
    converters: dict[bytes, str] = field(default_factory=dict)

    @staticmethod
    def of(name: Any, database: Database) -> TableReference:
        """The reference that a command's argument stands for. Raises `ArgumentMistake` if the name is invalid."""
        text = legal_table(name)
        return TableReference(text.removeprefix(NAMESPACE_DEFAULT), database)

    def handle(self) -> Table:
        """Open the table. Raises `TableNotFound`."""
        return self.database.table(self.name)

    def __str__(self) -> str:
        return f"Hbase::Table - {self.name}"

    def column(self, specification: Any) -> tuple[bytes, bytes | None]:
        """Family and qualifier of ``family[:qualifier]``. Further colons belong to the qualifier (HBASE-28549)."""
        family, colon, qualifier = to_bytes(specification).partition(b":")
        return family, qualifier if colon else None

    def selected(self, specifications: Any) -> list[Any]:
        """Columns in the form that `rowstone.Table.get` and `scan` accept; stores converters (``'f:q:toInt'``).

        Source: ``parse_column_format_spec`` of HBase 2.6.1's shell: what follows the last colon is a converter if it
        names one.
        """
        chosen: list[Any] = []
        for specification in specifications:
            family, qualifier = self.column(specification)
            before, colon, method = (qualifier or b"").rpartition(b":")
            if colon and CONVERTER.fullmatch(to_text(method)):
                self.converters[family + b":" + before] = to_text(method)
                qualifier = before
            chosen.append((family, qualifier) if qualifier is not None else family)
        return chosen
