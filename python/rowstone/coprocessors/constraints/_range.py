"""Values between two bounds."""

from typing import Any

from rowstone._base.printable import printable
from rowstone.codecs import codec as codec_of
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors.constraints._constraint import ColumnConstraint
from rowstone.errors import InvalidArgument


class Range(ColumnConstraint):
    """The values of a column must lie between ``least`` and ``most``, both included.

    Args:
        column: ``"family:qualifier"``.
        least, most: Values of the codec; None means no bound, at least one must be given.
        codec: The name of the codec that decodes the values: see `rowstone.codecs.codec`. Values that it cannot decode
            break the rule.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("films", ["f"])
        ...     _ = db.constraints("films").add(rs.coprocessors.constraints.Range("f:rating", least=1, most=10))
        ...     try:
        ...         db.table("films").put("a", {"f:rating": (11).to_bytes(8, "big")})
        ...     except rs.errors.Constraint as error:
        ...         print(error)
        Range of 'f:rating': 11 is above 10
    """

    def __init__(self, column: str | bytes, *, least: Any = None, most: Any = None, codec: str = "int64") -> None:
        super().__init__(column)
        if least is None and most is None:
            raise InvalidArgument(f"Range of '{self.shown}' has no bounds: pass least, most or both")
        if least is not None and most is not None and most < least:
            raise InvalidArgument(f"Range of '{self.shown}' from {least} to {most} holds nothing")
        self.least, self.most = least, most
        self.codec = codec_of(codec)

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return {**super().arguments, "least": self.least, "most": self.most, "codec": self.codec.name}

    def reason(self, value: bytes, context: ObserverContext) -> str | None:
        """Return why ``value`` is out of range."""
        try:
            number = self.codec.decode(value)
        except InvalidArgument as error:
            return f"value '{printable(value)}': {error}"
        if self.least is not None and number < self.least:
            return f"{number} is below {self.least}"
        if self.most is not None and number > self.most:
            return f"{number} is above {self.most}"
        # NaN is neither below nor above a bound.
        return f"{number} is no number" if number != number else None
