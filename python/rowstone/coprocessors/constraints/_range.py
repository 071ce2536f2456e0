"""Values between two bounds."""

from math import isfinite
from typing import Any

from rowstone._base.printable import printable
from rowstone.codecs import codec as codec_of
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors.constraints._constraint import ColumnConstraint
from rowstone.errors import InvalidArgument

_NUMBERS = ("int", "uint", "float", "decimal")
"""Beginnings of the names of codecs whose values can be compared with any number."""


class Range(ColumnConstraint):
    """The values of a column must lie between ``min_value`` and ``max_value``, both included.

    Args:
        column: ``"family:qualifier"``.
        min_value, max_value: Values of the codec; for numbers any finite int or float. None means no bound. At least
            one must be given.
        codec: The name of the codec that decodes the values: see `rowstone.codecs.codec`. Values that it cannot decode
            break the rule.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("films", ["f"])
        ...     rating = rs.coprocessors.constraints.Range("f:rating", min_value=1, max_value=10)
        ...     _ = db.constraints("films").add(rating)
        ...     try:
        ...         db.table("films").put("a", {"f:rating": (11).to_bytes(8, "big")})
        ...     except rs.errors.ConstraintViolation as error:
        ...         print(error)
        Range of 'f:rating': 11 is above 10
    """

    def __init__(
        self, column: str | bytes, *, min_value: Any = None, max_value: Any = None, codec: str = "int64"
    ) -> None:
        super().__init__(column)
        if min_value is None and max_value is None:
            raise InvalidArgument(f"Range of '{self.column_name}' has no bounds: pass min_value, max_value or both")
        self.min_value, self.max_value = min_value, max_value
        self.codec = codec_of(codec)
        self._check_bound("min_value", min_value)
        self._check_bound("max_value", max_value)
        if min_value is None or max_value is None:
            return
        try:
            is_empty = max_value < min_value
        except TypeError:
            raise InvalidArgument(
                f"Range of '{self.column_name}': {min_value!r} and {max_value!r} cannot be compared"
            ) from None
        if is_empty:
            raise InvalidArgument(f"Range of '{self.column_name}' from {min_value} to {max_value} contains nothing")

    def _check_bound(self, name: str, bound: Any) -> None:
        """Raise `InvalidArgument` for a bound that values of the codec cannot be compared with."""
        if isinstance(bound, float) and not isfinite(bound):
            raise InvalidArgument(f"Range of '{self.column_name}': {name} is {bound}: pass None for no bound")
        is_number = isinstance(bound, (int, float)) and not isinstance(bound, bool)
        if bound is None or (is_number and str(self.codec.name).startswith(_NUMBERS)):
            return
        try:
            self.codec.encode(bound)
        except InvalidArgument as error:
            raise type(error)(f"Range of '{self.column_name}': {name} is {bound!r}, and {error}") from None

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return {**super().arguments, "min_value": self.min_value, "max_value": self.max_value, "codec": self.codec.name}

    def reason(self, value: bytes, context: ObserverContext) -> str | None:
        """Return why ``value`` is out of range."""
        try:
            number = self.codec.decode(value)
        except InvalidArgument as error:
            return f"value '{printable(value)}': {error}"
        try:
            if self.min_value is not None and number < self.min_value:
                return f"{number} is below {self.min_value}"
            if self.max_value is not None and number > self.max_value:
                return f"{number} is above {self.max_value}"
        except TypeError:
            # A document may have any type.
            return f"{number!r} cannot be compared with the bounds"
        # NaN is neither below nor above a bound.
        return f"{number} is no number" if number != number else None
