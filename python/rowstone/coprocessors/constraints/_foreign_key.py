"""Values that are row keys of another table."""

import logging
from typing import Any

from rowstone._base.printable import printable
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors.constraints._constraint import ColumnConstraint
from rowstone.errors import InvalidType

_log = logging.getLogger("rowstone")


class ForeignKey(ColumnConstraint):
    """Each value of a column must be the key of a row of another table when it is put.

    HBase's guide strongly discourages this: each put first reads a row of the other table (``benches/observers.py``
    measures the cost). It gives no guarantee for later: deleting the other row is not checked.

    Args:
        column: ``"family:qualifier"``.
        table: The other table.
        family: Only rows with cells in this family count.
    """

    def __init__(self, column: str | bytes, table: str, family: str | None = None) -> None:
        super().__init__(column)
        if not isinstance(table, str) or not isinstance(family, (str, type(None))):
            raise InvalidType(f"{self}: table and family must be str, not {table!r} and {family!r}")
        self.table = table
        self.family = family
        _log.info("%s: every put reads a row of table '%s' first", self, table)

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return {**super().arguments, "table": self.table, "family": self.family}

    def reason(self, value: bytes, context: ObserverContext) -> str | None:
        """Return why ``value`` is not a key of the other table."""
        columns = None if self.family is None else [self.family]
        if value and context.database.table(self.table).exists(value, columns):
            return None
        return f"table '{self.table}' has no row '{printable(value)}'"
