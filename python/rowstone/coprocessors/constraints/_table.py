"""The constraints of a table: listing, order and switches."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone._base.printable import printable
from rowstone.coprocessors.constraints._constraint import ColumnConstraint, Constraint
from rowstone.coprocessors.constraints._stored import Stored, create, described, stored
from rowstone.errors import InvalidArgument, InvalidType, NoSuchColumnFamily, UnsupportedOperation

if TYPE_CHECKING:
    from rowstone._base.schema import TableSchema
    from rowstone._core.database import Database


@dataclass(frozen=True)
class Rule:
    """A constraint of a table: its number, which gives the order, its state, its class and its arguments."""

    number: int
    class_name: str
    arguments: dict[str, Any]
    is_enabled: bool


class TableConstraints:
    """The constraints of a table, stored in its descriptor. Returned by `Database.constraints`.

    They are checked in the order of their numbers, for puts only, as in HBase; increments and appends are not checked.
    Existing values stay. While a table has constraints, processes that do not know them cannot write to it.

    Source: HBase's ``Constraints``.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     rules = db.constraints("t")
        ...     number = rules.add(rs.coprocessors.constraints.Regex("f:id", "[a-z]+"))
        ...     rules.disable(number)
        ...     db.table("t").put("row", {"f:id": "17"})
        ...     print([(rule.number, rule.is_enabled) for rule in rules])
        [(1, False)]
    """

    def __init__(self, database: "Database", table: str) -> None:
        self._database = database
        self._table = table
        if database._layers is None:
            raise UnsupportedOperation(
                f"table '{table}': constraints in Python are asked in a directory only; a cluster runs its own"
            )

    def _stored(self) -> list[Stored]:
        return stored(self._database.admin.describe(self._table).attributes)

    def add(self, constraint: Constraint, *, number: int | None = None, enabled: bool = True) -> int:
        """Add a constraint, effective immediately, and return its number.

        Args:
            number: Its position in the order; by default after all others.
            enabled: Whether it is checked from the start.

        Raises:
            InvalidArgument: The number is in use. InvalidType: It is not a `Constraint`.
            NoSuchColumnFamily: The table has no family of the constraint's column.
            CoprocessorError: The class is not allowed.
        """
        if not isinstance(constraint, Constraint):
            found = constraint.__name__ if isinstance(constraint, type) else type(constraint).__name__
            raise InvalidType(f"a constraint must be an instance of Constraint, not {found}")
        added = 0

        def changes(schema: "TableSchema") -> dict[str, str | None]:
            nonlocal added
            if isinstance(constraint, ColumnConstraint) and (family := constraint.column_family) not in schema.families:
                known = ", ".join(map(printable, schema.families))
                raise NoSuchColumnFamily(
                    f"{constraint}: table '{self._table}' has no column family '{printable(family)}'; it has: {known}"
                )
            taken = {one.number for one in stored(schema.attributes)}
            added = number if number is not None else max(taken, default=0) + 1
            if added in taken or added < 0:
                raise InvalidArgument(f"table '{self._table}' cannot have another constraint of number {added}")
            one = described(added, constraint, enabled)
            create(one, self._database.coprocessors._allowed)
            return {one.key: one.text()}

        self._change(changes)
        return added

    def remove(self, number: int) -> None:
        """Remove a constraint."""
        one = self._one(number)
        self._change({one.key: None})

    def enable(self, number: int) -> None:
        """Enable a constraint."""
        self._switch([self._one(number)], True)

    def disable(self, number: int) -> None:
        """Disable a constraint; it stays in the descriptor."""
        self._switch([self._one(number)], False)

    def enable_all(self) -> None:
        """Enable all constraints."""
        self._switch(self._stored(), True)

    def disable_all(self) -> None:
        """Disable all constraints."""
        self._switch(self._stored(), False)

    def remove_all(self) -> None:
        """Remove all constraints."""
        self._change({one.key: None for one in self._stored()})

    def _one(self, number: int) -> Stored:
        for one in self._stored():
            if one.number == number:
                return one
        raise InvalidArgument(f"table '{self._table}' has no constraint of number {number}")

    def _switch(self, all_of: list[Stored], is_enabled: bool) -> None:
        self._change({one.key: Stored(one.number, one.class_name, one.arguments, is_enabled).text() for one in all_of})

    def _change(
        self, attributes: "Mapping[str, str | None] | Callable[[TableSchema], Mapping[str, str | None]]"
    ) -> None:
        from rowstone.coprocessors._observers import change

        if attributes:
            change(self._database, self._table, attributes)

    def __iter__(self) -> Iterator[Rule]:
        for one in self._stored():
            yield Rule(one.number, one.class_name, dict(one.arguments), one.is_enabled)

    def __len__(self) -> int:
        return len(self._stored())

    def __repr__(self) -> str:
        return f"<TableConstraints of '{self._table}': {len(self)}>"
