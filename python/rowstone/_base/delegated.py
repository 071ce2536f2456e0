"""Methods of `Table` that are the same for tables of typed values or keys: they take and return stored bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._base.schema import TableSchema
    from rowstone._core.inspect.column_catalogue import ColumnCatalogue
    from rowstone._core.table import RowKey, Table
    from rowstone._core.views import View


class DelegatedVerbs:
    """Methods that do not depend on the encoding of values or keys."""

    _table: Table

    @property
    def name(self) -> str:
        """The table's name."""
        return self._table.name

    @property
    def schema(self) -> TableSchema:
        """The current table descriptor."""
        return self._table.schema

    def columns(self, family: RowKey) -> set[bytes]:
        """Return the columns that any row has in a family; see `Table.columns`."""
        return self._table.columns(family)

    def column_catalogue(
        self,
        family: RowKey | None = None,
        *,
        rows: int = 1_000,
        full: bool = False,
        max_columns: int = 100_000,
        progress: Callable[[int], None] | None = None,
    ) -> ColumnCatalogue:
        """List the columns with their frequency and sizes; options as in `Table.column_catalogue`."""
        return self._table.column_catalogue(family, rows=rows, full=full, max_columns=max_columns, progress=progress)

    def as_map(self) -> dict[bytes, dict[bytes, dict[int, dict[bytes, bytes]]]]:
        """Return the whole table, as stored; see `Table.as_map`."""
        return self._table.as_map()

    def conceptual_view(self) -> View:
        """Draw the table as stored, one line per row and timestamp; see `Table.conceptual_view`."""
        return self._table.conceptual_view()

    def physical_view(self, family: RowKey) -> View:
        """Draw the stored cells of a family, one line per cell; see `Table.physical_view`."""
        return self._table.physical_view(family)
