"""Values that match an expression."""

import re
from typing import Any

from rowstone.constraints._constraint import ColumnConstraint
from rowstone.coprocessors._context import ObserverContext
from rowstone.errors import InvalidArgument


class Regex(ColumnConstraint):
    """The whole of each value of a column matches an expression of Python's `re`, over its UTF-8 text.

    Args:
        column: ``"family:qualifier"``.
        pattern: The expression. Values that are no UTF-8 break the rule.
    """

    def __init__(self, column: str | bytes, pattern: str) -> None:
        super().__init__(column)
        try:
            self.pattern = re.compile(pattern)
        except re.error as error:
            raise InvalidArgument(f"Regex of '{self.shown}': '{pattern}' is no expression: {error}") from error

    @property
    def arguments(self) -> dict[str, Any]:
        """What it is made of."""
        return {**super().arguments, "pattern": self.pattern.pattern}

    def reason(self, value: bytes, context: ObserverContext) -> str | None:
        """Why ``value`` does not match."""
        try:
            text = value.decode()
        except UnicodeDecodeError:
            return f"value {value!r} is not UTF-8"
        return None if self.pattern.fullmatch(text) else f"'{text}' does not match '{self.pattern.pattern}'"
