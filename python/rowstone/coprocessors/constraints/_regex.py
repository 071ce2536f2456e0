"""Values that match a regular expression."""

from typing import Any

from rowstone import _native
from rowstone._base.printable import printable
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors.constraints._constraint import ColumnConstraint
from rowstone.errors import InvalidArgument


class Regex(ColumnConstraint):
    """Each value of a column must match a regular expression as a whole, as UTF-8 text.

    The matcher is that of filters: Java's dialect, with classes such as ``\\d`` for all of Unicode as in Python's `re`.
    The number of its steps is limited; a value that needs more breaks the rule.

    Args:
        column: ``"family:qualifier"``.
        pattern: The expression. Values that are not UTF-8 break the rule.
    """

    def __init__(self, column: str | bytes, pattern: str) -> None:
        super().__init__(column)
        self.pattern = pattern
        try:
            self._matches = _native.Pattern(pattern, unicode=True).matches
        except InvalidArgument as error:
            raise InvalidArgument(f"Regex of '{self.column_name}': {error}") from error

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return {**super().arguments, "pattern": self.pattern}

    def reason(self, value: bytes, context: ObserverContext) -> str | None:
        """Return why ``value`` does not match."""
        try:
            text = value.decode()
        except UnicodeDecodeError:
            return f"value '{printable(value)}' is not UTF-8"
        try:
            return None if self._matches(text) else f"'{printable(value)}' does not match '{self.pattern}'"
        except InvalidArgument as error:
            return str(error)
