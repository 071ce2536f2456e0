"""Key ranges of constraints on the parts of a row key.

Fixed values of the first parts become prefixes, one for each combination of values and bucket. The constraint on the
next part narrows the range after each prefix.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowstone.engines.planner.byte_ranges import EVERYTHING, Ranges, intersection, union
from rowstone.keys import Key, KeyRange
from rowstone.keys._ranges import beginnings
from rowstone.keys.parts._buckets import Bucket
from rowstone.keys.parts._part import Derived, Part, behind

MOST_RANGES = 1000
"""Limit of the ranges of a plan. Beyond it, ranges are joined, and the condition is checked on each row as well."""


@dataclass(frozen=True)
class Constraint:
    """The bytes of a part of the key; ``points`` are the values by their bytes, if they can be counted."""

    ranges: Ranges
    points: Mapping[bytes, Any] | None
    is_exact: bool


def join(ranges: Ranges) -> Ranges:
    """Return the same ranges, or a single one around them if there are too many."""
    return ranges if len(ranges) <= MOST_RANGES else (KeyRange(ranges[0].start, ranges[-1].stop),)


def merge(found: Sequence[Constraint]) -> Constraint:
    """Return one constraint for all that are on the same column."""
    ranges, points = EVERYTHING, None
    for one in found:
        ranges = intersection(ranges, one.ranges)
        points = one.points if points is None else points
    if points is not None:
        points = {data: value for data, value in points.items() if any(one.holds(data) for one in ranges)}
    return Constraint(ranges, points, all(one.is_exact for one in found))


def key_ranges(key: Key, constraints: Mapping[str, Constraint]) -> tuple[Ranges, set[str]]:
    """Return the key ranges of constraints on columns, and the columns for which they are exact."""
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


def _fixed(key: Key, constraints: Mapping[str, Constraint]) -> list[str]:
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


def _count(constraints: Mapping[str, Constraint], name: str) -> int:
    """The number of values that a column may have; 0 if they cannot be counted."""
    points = constraints[name].points if name in constraints else None
    return 0 if points is None else len(points)
