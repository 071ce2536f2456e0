"""The base class of constraints."""

from abc import ABC, abstractmethod
from typing import Any

from rowstone import _native
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.coprocessors._context import ObserverContext
from rowstone.errors import ConstraintViolation, InvalidArgument


class Constraint(ABC):
    """A rule about puts. Derive from it, and in `check` raise the error that `broken` creates.

    The table descriptor names your class: it must be importable wherever the table is opened, and be allowed there
    (``rowstone.connect(..., allow_coprocessors=[...])``). The constraint is created again from ``arguments``.

    Source: HBase's ``Constraint`` and ``BaseConstraint``.

    Example:
        >>> import rowstone as rs
        >>> class NoEmptyRows(rs.coprocessors.constraints.Constraint):
        ...     def check(self, put, context):
        ...         if all(cell.value == b"" for cell in put.cells):
        ...             raise self.broken("all values are empty")
        >>> rs.coprocessors.allow(NoEmptyRows)
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     _ = db.constraints("t").add(NoEmptyRows())
        ...     try:
        ...         db.table("t").put("row", {"f:q": ""})
        ...     except rs.errors.ConstraintViolation as error:
        ...         print(error)
        NoEmptyRows: all values are empty
    """

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments to create the constraint again, as JSON values."""
        return {}

    @abstractmethod
    def check(self, put: _native.Put, context: ObserverContext) -> None:
        """Raise the error of `broken` if ``put`` breaks the rule; ``context.database`` may be read."""

    def broken(self, reason: str) -> ConstraintViolation:
        """Return the error of a put that breaks the rule, with the rule's name."""
        return ConstraintViolation(f"{self}: {reason}")

    def __str__(self) -> str:
        return type(self).__name__


class ColumnConstraint(Constraint):
    """A rule about the values of one column: override `reason`.

    Args:
        column: ``"family:qualifier"``. Puts without it are not checked, as in HBase.
    """

    def __init__(self, column: str | bytes) -> None:
        self.column = as_bytes(column)
        if b":" not in self.column:
            raise InvalidArgument(f"column '{self.column_name}' is a family; a constraint is about family:qualifier")
        try:
            self.column.decode()
        except UnicodeDecodeError:
            reason = "the table's description keeps constraints as text"
            raise InvalidArgument(f"column '{self.column_name}' is not UTF-8; {reason}") from None

    @property
    def column_name(self) -> str:
        """The column in printable form."""
        return printable(self.column)

    @property
    def column_family(self) -> bytes:
        """The family of the column."""
        return self.column.partition(b":")[0]

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return {"column": self.column.decode()}

    @abstractmethod
    def reason(self, value: bytes, context: ObserverContext) -> str | None:
        """Return why ``value`` breaks the rule, or None if it does not."""

    def check(self, put: _native.Put, context: ObserverContext) -> None:
        """Check each value of the column."""
        for cell in put.cells:
            if cell.column == self.column:
                reason = self.reason(cell.value, context)
                if reason is not None:
                    raise self.broken(reason)

    def __str__(self) -> str:
        return f"{type(self).__name__} of '{self.column_name}'"
