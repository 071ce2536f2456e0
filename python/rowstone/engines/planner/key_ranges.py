"""Key ranges of a predicate, and the conditions that they do not guarantee.

A conjunction is solved as a whole, because conditions on several parts of a row key narrow a range together. The ranges
of a disjunction are the union of those of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowstone.engines._predicate import Compare, In, IsNull, Opaque
from rowstone.engines._schema import RowSchema
from rowstone.engines.planner import normal
from rowstone.engines.planner.byte_ranges import EVERYTHING, Ranges, intersection, union
from rowstone.engines.planner.encodings import Encoding, Unknown, bytes_of, encoding_of
from rowstone.engines.planner.key_parts import PartEncoding
from rowstone.engines.planner.normal import All, Condition, Node
from rowstone.engines.planner.prefixes import Constraint, join, key_ranges, merge
from rowstone.keys import Key


@dataclass(frozen=True)
class Solution:
    """Key ranges that contain all rows of a predicate, and the parts of the predicate that they do not guarantee."""

    ranges: Ranges
    left: tuple[Node, ...]


class KeySolver:
    """Solves predicates for the row keys of a schema. With ``has_errors`` keys that do not decode count as null."""

    def __init__(self, schema: RowSchema, *, has_errors: bool) -> None:
        self._key = schema.key
        self._has_errors = has_errors
        self._encodings: dict[str, Encoding] = {}
        if isinstance(self._key, Key):
            self._encodings = {part.name: PartEncoding(part) for part in self._key.parts if part.name}
        else:
            self._encodings = {field.name: encoding_of(field.codec) for field in schema.key_fields}

    def is_key_only(self, node: Node) -> bool:
        """Whether all conditions are on the row key."""
        found = [one.leaf for one in normal.conditions(node)]
        return all(not isinstance(leaf, Opaque) and leaf.column in self._encodings for leaf in found)

    def solve(self, node: Node) -> Solution:
        """Return the ranges of the rows for which the node can hold."""
        if isinstance(node, normal.Any):
            found = [self.solve(part) for part in node.parts]
            ranges = union(one for solution in found for one in solution.ranges)
            joined = join(ranges)
            is_exact = joined is ranges and not any(solution.left for solution in found)
            return Solution(joined, () if is_exact else (node,))
        return self._solve_all(normal.conjuncts(node))

    def _solve_all(self, parts: Sequence[Node]) -> Solution:
        constraints: dict[str, list[tuple[Node, Constraint]]] = {}
        left: list[Node] = []
        others: list[Node] = []
        for part in parts:
            name = self._single_column(part)
            try:
                if name is not None:
                    constraints.setdefault(name, []).append((part, self._constraint(part)))
                    continue
            except Unknown:
                left.append(part)
                continue
            (others if isinstance(part, normal.Any) else left).append(part)
        merged = {name: merge([one for _, one in found]) for name, found in constraints.items()}
        ranges, used = self._ranges(merged)
        for name, found in constraints.items():
            left += [part for part, one in found if name not in used or not one.is_exact or self._has_errors]
        for other in others:
            solution = self.solve(other)
            ranges = intersection(ranges, solution.ranges)
            left += [other] if solution.left else []
        return Solution(ranges, tuple(part for part in parts if any(part is one for one in left)))

    def _single_column(self, node: Node) -> str | None:
        """The column of the row key that all conditions are on; None if there are several, or others."""
        if not self.is_key_only(node):
            return None
        names = {name for one in normal.conditions(node) for name in one.leaf.columns()}
        return names.pop() if len(names) == 1 else None

    def _constraint(self, node: Node) -> Constraint:
        """The bytes for which a condition on one part holds. Raises `Unknown`."""
        if isinstance(node, Condition):
            name = next(node.leaf.columns())
            return self._condition(self._encodings[name], node)
        found = [self._constraint(part) for part in node.parts]
        if isinstance(node, All):
            return merge(found)
        points = None
        if all(one.points is not None for one in found):
            points = {data: value for one in found for data, value in (one.points or {}).items()}
        ranges = union(one for constraint in found for one in constraint.ranges)
        return Constraint(ranges, points, all(one.is_exact for one in found))

    def _condition(self, encoding: Encoding, condition: Condition) -> Constraint:
        if isinstance(condition.leaf, IsNull):
            if self._has_errors or getattr(encoding, "has_nulls", False):
                raise Unknown
            return Constraint(EVERYTHING if condition.is_negated else (), None, True)
        ranges = bytes_of(encoding, condition)
        values = _sought_values(condition)
        # NaN has many forms.
        if values is None or not isinstance(encoding, PartEncoding) or any(value != value for value in values):
            return Constraint(ranges, None, encoding.is_exact)
        points = {data: one for value in values for data, one in encoding.points(value).items()}
        return Constraint(ranges, points, True)

    def _ranges(self, constraints: Mapping[str, Constraint]) -> tuple[Ranges, set[str]]:
        """The key ranges of constraints on columns, and the columns for which they are exact."""
        if any(not one.ranges for one in constraints.values()):
            return (), set(constraints)
        if all(one.ranges == EVERYTHING for one in constraints.values()):
            # Not only the buckets of a salt: a row key outside them is an error, or a null.
            return EVERYTHING, set(constraints)
        if isinstance(self._key, Key):
            return key_ranges(self._key, constraints)
        found = [one.ranges for one in constraints.values()]
        ranges = found[0] if found else EVERYTHING
        joined = join(ranges)
        return joined, set(constraints) if joined is ranges else set()


def _sought_values(condition: Condition) -> Iterable[Any] | None:
    """The values one of which the column has; None if the condition is of another kind."""
    match condition.leaf:
        case Compare(_, "==", value):
            return [value]
        case In(_, values) if not condition.is_negated:
            return [value for value in values if value is not None]
    return None
