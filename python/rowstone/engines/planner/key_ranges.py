"""Key ranges of a predicate: the leading parts of a row key, fixed to values or bounded.

A conjunction is solved as a whole: fixed values of the first parts become prefixes, one for each combination of values
and bucket, and the condition on the next part narrows the range after each prefix. Everything else is left over.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowstone.engines._predicate import Compare, In, IsNull, Opaque, StartsWith
from rowstone.engines._schema import RowSchema
from rowstone.engines.planner import normal
from rowstone.engines.planner.byte_ranges import EVERYTHING, Ranges, complement, intersection, union
from rowstone.engines.planner.encodings import Encoding, Unknown, encoding_of
from rowstone.engines.planner.key_parts import PartEncoding
from rowstone.engines.planner.normal import All, Condition, Node
from rowstone.keys import Key, KeyRange
from rowstone.keys._ranges import beginnings
from rowstone.keys.parts._buckets import Bucket
from rowstone.keys.parts._part import Derived, Part, behind

MOST_RANGES = 1000
"""Limit of the ranges of a plan. Beyond it, ranges are joined, and the condition is checked on each row as well."""


@dataclass(frozen=True)
class Solution:
    """Key ranges that contain all rows of a predicate, and the parts of the predicate that they do not guarantee."""

    ranges: Ranges
    left: tuple[Node, ...]


@dataclass(frozen=True)
class _Constraint:
    """The bytes of a part of the key; ``points`` are the values by their bytes, if they can be counted."""

    ranges: Ranges
    points: Mapping[bytes, Any] | None
    is_exact: bool


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
        constraints: dict[str, list[tuple[Node, _Constraint]]] = {}
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
        merged = {name: _merge([one for _, one in found]) for name, found in constraints.items()}
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

    def _constraint(self, node: Node) -> _Constraint:
        """The bytes for which a condition on one part holds. Raises `Unknown`."""
        if isinstance(node, Condition):
            name = next(node.leaf.columns())
            return self._condition(self._encodings[name], node)
        found = [self._constraint(part) for part in node.parts]
        if isinstance(node, All):
            return _merge(found)
        points = None
        if all(one.points is not None for one in found):
            points = {data: value for one in found for data, value in (one.points or {}).items()}
        ranges = union(one for constraint in found for one in constraint.ranges)
        return _Constraint(ranges, points, all(one.is_exact for one in found))

    def _condition(self, encoding: Encoding, condition: Condition) -> _Constraint:
        if isinstance(condition.leaf, IsNull):
            if self._has_errors or getattr(encoding, "has_nulls", False):
                raise Unknown
            return _Constraint(EVERYTHING if condition.is_negated else (), None, True)
        ranges = bytes_of(encoding, condition)
        values = _sought_values(condition)
        if values is None or not isinstance(encoding, PartEncoding):
            return _Constraint(ranges, None, encoding.is_exact)
        points = {data: one for value in values for data, one in encoding.points(value).items()}
        return _Constraint(ranges, points, True)

    def _ranges(self, constraints: Mapping[str, _Constraint]) -> tuple[Ranges, set[str]]:
        """The key ranges of constraints on columns, and the columns for which they are exact."""
        if any(not one.ranges for one in constraints.values()):
            return (), set(constraints)
        if isinstance(self._key, Key):
            return _key_ranges(self._key, constraints)
        found = [one.ranges for one in constraints.values()]
        ranges = found[0] if found else EVERYTHING
        joined = join(ranges)
        return joined, set(constraints) if joined is ranges else set()


def bytes_of(encoding: Encoding, condition: Condition) -> Ranges:
    """Return the bytes of the values for which a condition other than a null test holds. Raises `Unknown`."""
    match condition.leaf:
        case Compare(_, operator, value):
            if operator in ("==", "!="):
                found = encoding.equal(value)
            else:
                found = encoding.above(value, includes=operator in (">=", "<"))
            return found if operator in ("==", ">", ">=") else complement(found)
        case In(_, values):
            if condition.is_negated and None in values:
                return ()
            found = union(one for value in values if value is not None for one in encoding.equal(value))
        case StartsWith(_, prefix):
            found = encoding.starting(prefix)
        case _:
            raise Unknown
    return complement(found) if condition.is_negated else found


def join(ranges: Ranges) -> Ranges:
    """Return the same ranges, or a single one around them if there are too many."""
    return ranges if len(ranges) <= MOST_RANGES else (KeyRange(ranges[0].start, ranges[-1].stop),)


def _sought_values(condition: Condition) -> Iterable[Any] | None:
    """The values one of which the column has; None if the condition is of another kind."""
    match condition.leaf:
        case Compare(_, "==", value):
            return [value]
        case In(_, values) if not condition.is_negated:
            return [value for value in values if value is not None]
    return None


def _merge(found: Sequence[_Constraint]) -> _Constraint:
    """All constraints on one column together."""
    ranges, points = EVERYTHING, None
    for one in found:
        ranges = intersection(ranges, one.ranges)
        points = one.points if points is None else points
    if points is not None:
        points = {data: value for data, value in points.items() if any(one.holds(data) for one in ranges)}
    return _Constraint(ranges, points, all(one.is_exact for one in found))


def _key_ranges(key: Key, constraints: Mapping[str, _Constraint]) -> tuple[Ranges, set[str]]:
    fixed = _fixed(key, constraints)
    points = [(constraints[name].points or {}).values() for name in fixed]
    prefixes: list[bytes] = []
    part: Part | None = None
    for values in itertools.product(*points):
        some, part = beginnings(key, dict(zip(fixed, values, strict=True)))
        prefixes += some
    if part is None:
        return union(KeyRange(one, one + b"\0") for one in prefixes), set(fixed)
    # Values behind the open part may have chosen a hash, which does not determine them.
    used = {one.name for one in key.parts[: key.parts.index(part)]} & set(fixed)
    within = EVERYTHING
    if not isinstance(part, Derived) and part.name in constraints:
        within = constraints[part.name].ranges
        if len(within) * len(prefixes) > MOST_RANGES:
            within = (KeyRange(within[0].start, within[-1].stop),)
        else:
            used.add(part.name)
    ranges = (
        KeyRange(prefix + one.start, prefix + one.stop if one.stop else behind(prefix) or b"")
        for prefix in prefixes
        for one in within
    )
    return union(ranges), used


def _fixed(key: Key, constraints: Mapping[str, _Constraint]) -> list[str]:
    """The columns whose values are combined to prefixes: those of the first parts, and those that a hash needs."""
    fixed: dict[str, int] = {}
    for place, part in enumerate(key.parts):
        names = [part.name]
        if isinstance(part, Derived):
            names = [one.name for one in key.parts[place + 1 :] if one.name] if part.of is None else list(part.of)
        new = {name: _count(constraints, name) for name in names}
        buckets = key.bucket.count if key.bucket is not None and place == 0 else 1
        total = math.prod({**fixed, **new}.values()) * buckets
        if 0 not in new.values() and total <= MOST_RANGES:
            fixed |= new
        elif not isinstance(part, Bucket):
            break
    return list(fixed)


def _count(constraints: Mapping[str, _Constraint], name: str) -> int:
    """The number of values that a column may have; 0 if they cannot be counted."""
    points = constraints[name].points if name in constraints else None
    return 0 if points is None else len(points)
