"""What a constraint is."""

from abc import ABC, abstractmethod
from typing import Any

from rowstone import _native
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.coprocessors._context import ObserverContext
from rowstone.errors import Constraint as ConstraintError
from rowstone.errors import InvalidArgument


class Constraint(ABC):
    """A rule about puts. Inherit from it, and raise in `check` what `broken` makes.

    A class of your own is named in the table's description: it must be importable wherever the table is opened, and
    allowed there (``rowstone.connect(..., allow_coprocessors=[...])``). ``arguments`` is what it is made of again.

    Source: HBase's ``Constraint`` and ``BaseConstraint``.

    Example:
        >>> import rowstone as rs
        >>> class NoEmptyRows(rs.constraints.Constraint):
        ...     def check(self, put, context):
        ...         if all(cell.value == b"" for cell in put.cells):
        ...             raise self.broken("all values are empty")
        >>> rs.coprocessors.allow(NoEmptyRows)
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     _ = db.constraints("t").add(NoEmptyRows())
        ...     try:
        ...         db.table("t").put("row", {"f:q": ""})
        ...     except rs.errors.Constraint as error:
        ...         print(error)
        NoEmptyRows: all values are empty
    """

    @property
    def arguments(self) -> dict[str, Any]:
        """What the class is called with to make it again: what JSON knows."""
        return {}

    @abstractmethod
    def check(self, put: _native.Put, context: ObserverContext) -> None:
        """Raises what `broken` makes where ``put`` breaks the rule; ``context.database`` may be read."""

    def broken(self, reason: str) -> ConstraintError:
        """The error of a put that breaks the rule, named for it."""
        return ConstraintError(f"{self}: {reason}")

    def __str__(self) -> str:
        return type(self).__name__


class ColumnConstraint(Constraint):
    """A rule about the values of one column: override `reason`.

    Args:
        column: ``"family:qualifier"``. Puts without it are not asked about, as in HBase.
    """

    def __init__(self, column: str | bytes) -> None:
        self.column = as_bytes(column)
        if b":" not in self.column:
            raise InvalidArgument(f"column '{self.shown}' is a family; a constraint is about family:qualifier")
        try:
            self.column.decode()
        except UnicodeDecodeError:
            reason = "the table's description keeps constraints as text"
            raise InvalidArgument(f"column '{self.shown}' is not UTF-8; {reason}") from None

    @property
    def shown(self) -> str:
        """The column for people."""
        return printable(self.column)

    @property
    def arguments(self) -> dict[str, Any]:
        """What it is made of."""
        return {"column": self.column.decode()}

    @abstractmethod
    def reason(self, value: bytes, context: ObserverContext) -> str | None:
        """Why ``value`` breaks the rule, or None where it does not."""

    def check(self, put: _native.Put, context: ObserverContext) -> None:
        """Asks about each value of the column."""
        for cell in put.cells:
            if cell.column == self.column:
                reason = self.reason(cell.value, context)
                if reason is not None:
                    raise self.broken(reason)

    def __str__(self) -> str:
        return f"{type(self).__name__} of '{self.shown}'"
