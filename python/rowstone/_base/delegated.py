"""Verbs of `Table` that mean the same on a table of typed values or of keys: they take and return bytes as stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone._base.schema import TableSchema
    from rowstone._core.table import RowKey, Table
    from rowstone._core.views import View
    from rowstone._inspect.column_catalogue import ColumnCatalogue


class DelegatedVerbs:
    """What does not depend on how values or keys are written."""

    _table: Table

    @property
    def name(self) -> str:
        """The table's name."""
        return self._table.name

    @property
    def schema(self) -> TableSchema:
        """The table's description as it is now."""
        return self._table.schema

    def columns(self, family: RowKey) -> set[bytes]:
        """The columns that any row has in a family; see `Table.columns`."""
        return self._table.columns(family)

    def column_catalogue(self, family: RowKey | None = None, **options: Any) -> ColumnCatalogue:
        """Which columns there are, how often and how large; options as `Table.column_catalogue`."""
        return self._table.column_catalogue(family, **options)

    def as_map(self) -> dict[bytes, dict[bytes, dict[int, dict[bytes, bytes]]]]:
        """The whole table, as stored; see `Table.as_map`."""
        return self._table.as_map()

    def conceptual_view(self) -> View:
        """The table as stored, a line per row and timestamp; see `Table.conceptual_view`."""
        return self._table.conceptual_view()

    def physical_view(self, family: RowKey) -> View:
        """What is stored of a family, a line per cell; see `Table.physical_view`."""
        return self._table.physical_view(family)
