"""Plans: the work that a predicate leaves to the store, and the work that it leaves to the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rowstone._base.printable import printable
from rowstone.engines._predicate import Opaque, Predicate
from rowstone.engines._schema import Field, RowSchema
from rowstone.filters import Filter
from rowstone.keys import KeyRange


@dataclass(frozen=True)
class Plan:
    """The reads that answer a query. Created by `plan`.

    The rows of ``ranges`` that pass ``filter`` and for which ``residue`` holds are the rows for which the predicate
    holds. `Source.read` applies all three, except conditions of the engine (`Opaque`).

    Attributes:
        schema: The table's columns.
        predicate: The condition that was planned; None for all rows.
        columns: The columns of the result, in their order.
        reads: Names of the cells' columns that are read.
        ranges: The key ranges that are read, sorted and disjoint; none if no row can meet the predicate.
        filter: HBase's filter of rows; None if all rows of the ranges pass.
        residue: The condition that remains to be checked on the rows; None if there is none.
        limit: The number of rows that the engine needs; None for all.
    """

    schema: RowSchema
    predicate: Predicate | None
    columns: tuple[str, ...]
    reads: tuple[str, ...]
    ranges: tuple[KeyRange, ...]
    filter: Filter | None
    residue: Predicate | None
    limit: int | None

    @property
    def is_complete(self) -> bool:
        """Whether `Source.read` returns only rows that meet the predicate: there is no condition of the engine."""
        return not has_opaque(self.residue)

    @property
    def needed(self) -> frozenset[str]:
        """The names of all columns that the result or the residue has."""
        return frozenset((*self.columns, *(() if self.residue is None else self.residue.columns())))

    @property
    def scanned(self) -> tuple[Field, ...]:
        """The cells' columns of the scan: those that decide which rows exist, with those that are read."""
        return self.schema.cells

    def explain(self) -> str:
        """Return the plan as text: a line each for ranges, filter, columns, and what is left to check."""
        ranges = ", ".join(f"'{printable(start)}' to '{printable(stop)}'" for start, stop in self.ranges)
        lines = [
            f"ranges   {ranges or 'none: no row can match'}",
            f"filter   {self.filter or 'none'}",
            f"columns  {', '.join(self.reads) or 'none'}",
            f"left     {self.residue or 'nothing'}",
        ]
        return "\n".join(lines)


def plan(
    predicate: Predicate | None,
    schema: RowSchema,
    columns: Iterable[str] | None = None,
    limit: int | None = None,
    *,
    on_error: str = "raise",
) -> Plan:
    """Return the plan of a query: a pure function.

    Args:
        predicate: The condition; None for all rows.
        columns: Names of the result's columns; None for all.
        limit: Most rows that the engine needs.
        on_error: As for `Source`. Values that do not decode and count as null restrict what can be pushed.

    Raises:
        NotFoundError: The schema has no such column; the message lists similar names.
    """
    names = schema.names if columns is None else tuple(columns)
    fields = [schema.field(name) for name in (*names, *(() if predicate is None else predicate.columns()))]
    reads = tuple(dict.fromkeys(field.name for field in fields if field.column is not None))
    return Plan(schema, predicate, names, reads, (KeyRange(b"", b""),), None, predicate, limit)


def has_opaque(predicate: Predicate | None) -> bool:
    """Whether a condition of the engine is in the predicate."""
    if predicate is None:
        return False
    parts = getattr(predicate, "parts", None) or (getattr(predicate, "part", None),)
    return isinstance(predicate, Opaque) or any(has_opaque(part) for part in parts)
