"""Plans: the work that a predicate leaves to the store, and the work that it leaves to the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rowstone._base.options.checks import as_list
from rowstone._base.printable import printable
from rowstone.engines._predicate import Opaque, Predicate, all_of
from rowstone.engines._schema import RowSchema
from rowstone.engines.planner.byte_ranges import EVERYTHING, Ranges
from rowstone.engines.planner.cell_filters import CellFilters, Push, implied_columns
from rowstone.engines.planner.key_ranges import KeySolver, Solution
from rowstone.engines.planner.normal import All, Node, conjuncts, normalize
from rowstone.errors import InvalidArgument
from rowstone.filters import Expression, Filter


@dataclass(frozen=True)
class Plan:
    """The reads that answer a query. Created by `plan`.

    The rows of ``ranges`` that pass ``filter`` and for which ``residue`` holds are the rows for which the predicate
    holds. `Source.read` applies all three, except conditions of the engine (`Opaque`).

    Attributes:
        schema: The table's columns.
        predicate: The condition that was planned; None for all rows.
        columns: The columns of the result, in their order.
        reads: The names of the cells' columns that are decoded, for the result or the residue.
        scanned: The names of the cells' columns of the scan: also those that the filter tests, and those that decide
            which rows exist.
        ranges: The key ranges that are read, sorted and disjoint; none if no row can meet the predicate.
        filter: HBase's filter of rows; None if all rows of the ranges pass.
        tested: The names of the cells' columns that the filter tests.
        pushed: The part of the predicate that the filter decides; None if there is none.
        residue: The condition that remains to be checked on the rows; None if there is none.
        limit: The number of rows that the engine needs; None for all.
        engine_checks: Whether the engine checks the whole predicate itself, so that the residue is not applied.
    """

    schema: RowSchema
    predicate: Predicate | None
    columns: tuple[str, ...]
    reads: tuple[str, ...]
    scanned: tuple[str, ...]
    ranges: Ranges
    filter: Filter | None
    tested: tuple[str, ...]
    pushed: Predicate | None
    residue: Predicate | None
    limit: int | None
    engine_checks: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether `Source.read` returns only rows that meet the predicate, so that the engine has nothing to check."""
        return not self.engine_checks and not has_opaque(self.residue)

    @property
    def needs_timestamp(self) -> bool:
        """Whether the result or the residue has the timestamp."""
        left = () if self.residue is None else self.residue.columns()
        return self.schema.timestamp is not None and self.schema.timestamp in (*self.columns, *left)

    @property
    def needed(self) -> frozenset[str]:
        """The names of the cells' columns that are decoded or tested. Others only show that a row exists."""
        return frozenset((*self.reads, *self.tested))

    def without_residue(self) -> Plan:
        """Return the plan for an engine that checks the whole predicate itself, and so may need any number of rows."""
        return replace(self, engine_checks=True, limit=self.limit if self.predicate is None else None)

    def without_filter(self) -> Plan:
        """Return the plan with everything that the filter decides left to check on the rows."""
        residue = all_of([one for one in (self.pushed, self.residue) if one is not None])
        reads = _cells(self.schema, (*self.reads, *self.tested))
        return replace(self, filter=None, reads=reads, tested=(), pushed=None, residue=residue)

    def explain(self) -> str:
        """Return the plan as text: a line each for ranges, filter, columns, and what is left to check."""
        whole = "the whole table" if self.ranges == EVERYTHING else "none: no row can match"
        ranges = ", ".join(f"'{printable(start)}' to '{printable(stop)}'" for start, stop in self.ranges[:5])
        more = f" and {len(self.ranges) - 5} more" if len(self.ranges) > 5 else ""
        others = [name for name in self.scanned if name not in self.reads]
        also = f" (also scanned: {', '.join(others)})" if others else ""
        lines = [
            f"ranges   {whole if self.ranges in ((), EVERYTHING) else ranges + more}",
            f"filter   {'none' if self.filter is None else self.filter}",
            f"columns  {', '.join(self.reads) or 'none'}{also}",
            f"left     {'nothing' if self.residue is None else self.residue}",
        ]
        return "\n".join(lines if self.limit is None else [*lines, f"limit    {self.limit}"])


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
        limit: Most rows that the engine needs. It is ignored if the engine has to check rows itself (`Opaque`).
        on_error: As for `Source`. Conditions on values that may count as null are checked on the decoded rows too.

    Raises:
        NotFoundError: The schema has no such column; the message lists similar names.
        InvalidArgument: The limit is negative.

    Example:
        >>> from rowstone.engines import Compare, RowSchema, StartsWith, plan
        >>> schema = RowSchema("text", {"age": ("f:age", "int32"), "town": ("f:town", "text")})
        >>> found = plan(StartsWith("row", "user-") & (Compare("age", ">=", 18)), schema, ["row", "town"])
        >>> found.ranges, found.residue
        ((KeyRange(start=b'user-', stop=b'user.'),), None)
    """
    if limit is not None and limit < 0:
        raise InvalidArgument(f"limit {limit} is negative: a plan needs 0 rows or more, or None for all")
    names = schema.names if columns is None else tuple(as_list("columns", columns))
    for name in (*names, *(() if predicate is None else predicate.columns())):
        schema.field(name)
    node = All(()) if predicate is None else normalize(predicate)
    solution, pushes = _solve(schema, node, has_errors=on_error != "raise")
    exact = [part for part, push in pushes if push.is_exact]
    residue = all_of([part.source for part in solution.left if not any(part is one for one in exact)])
    left = () if residue is None else tuple(residue.columns())
    reads = _cells(schema, (*names, *left))
    tests = [push for _, push in pushes if push.test is not True]
    tested = _cells(schema, [name for push in tests for name in push.columns])
    has_stamp = schema.timestamp in (*names, *left)
    return Plan(
        schema=schema,
        predicate=predicate,
        columns=names,
        reads=reads,
        scanned=_cells(schema, schema.names) if has_stamp else _scanned(schema, node, reads, tested),
        ranges=() if any(push.test is False for push in tests) else solution.ranges,
        filter=_joined(tests),
        tested=tested,
        # What holds for every row needs no filter, and no column to check it.
        pushed=all_of([part.source for part, push in pushes if push.is_exact and push.test is not True]),
        residue=residue,
        limit=None if has_opaque(residue) else limit,
    )


def _solve(schema: RowSchema, node: Node, *, has_errors: bool) -> tuple[Solution, list[tuple[Node, Push]]]:
    """The key ranges of a predicate, and the filter of each part that they do not guarantee."""
    keys = KeySolver(schema, has_errors=has_errors)
    solution = keys.solve(node)
    cells = CellFilters(schema, keys, has_errors=has_errors)
    return solution, [(part, cells.push(part)) for part in solution.left if not keys.is_key_only(part)]


def _cells(schema: RowSchema, names: Iterable[str]) -> tuple[str, ...]:
    """The columns of cells among the names, in the schema's order."""
    wanted = set(names)
    return tuple(field.name for field in schema.cells if field.name in wanted)


def _scanned(schema: RowSchema, node: Node, reads: tuple[str, ...], tested: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of the scan: all of them, unless fewer are known to have a cell in each row of the result."""
    needed = {*reads, *tested}
    if schema.required:
        return _cells(schema, needed if needed.intersection(schema.required) else {*needed, schema.required[0]})
    implied = [found for part in conjuncts(node) if (found := implied_columns(schema, part))]
    if not implied:
        return _cells(schema, schema.names)
    return _cells(schema, needed | min(implied, key=lambda found: len(found - needed)))


def _joined(pushes: list[Push]) -> Filter | None:
    expressions = [push.test for push in pushes if isinstance(push.test, Expression)]
    if not expressions:
        return None
    joined = expressions[0]
    for one in expressions[1:]:
        joined = joined & one
    return joined.to_filter()


def has_opaque(predicate: Predicate | None) -> bool:
    """Whether a condition of the engine is in the predicate."""
    if predicate is None:
        return False
    parts = getattr(predicate, "parts", None) or (getattr(predicate, "part", None),)
    return isinstance(predicate, Opaque) or any(has_opaque(part) for part in parts)
