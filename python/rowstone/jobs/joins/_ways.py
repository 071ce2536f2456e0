"""Join algorithms; all give the same pairs in the same order, that of the left side."""

from collections.abc import Iterable, Iterator
from itertools import islice

from rowstone._native import Row
from rowstone.jobs.joins._cost import JoinCost
from rowstone.jobs.joins._sides import Sides

Pairs = Iterator[tuple[Row, Row | None]]


def nested(sides: Sides, left: Iterator[Row], batch_rows: int, cost: JoinCost) -> Pairs:
    """Look up the rows that each batch of the left side references."""
    cost.how = "nested"
    while rows := list(islice(left, batch_rows)):
        keys = [sides.key(row) for row in rows]
        found = sides.looked_up((key for key in keys if key is not None), cost)
        yield from zip(rows, map(found.get, keys), strict=True)  # type: ignore[arg-type]


def hash_right(sides: Sides, left: Iterator[Row], cost: JoinCost) -> Pairs:
    """Keep the right side in memory, and stream the left side."""
    cost.how, cost.held = "hash", "right"
    return _met(sides, left, {row.key: row for row in sides.right_rows(cost)})


def hash_left(sides: Sides, left: Iterable[Row], cost: JoinCost) -> Pairs:
    """Keep the left side in memory, with the rows of the right side that it references."""
    cost.how, cost.held = "hash", "left"
    rows = list(left)
    wanted = {key for row in rows if (key := sides.key(row)) is not None}
    found: dict[bytes, Row] = {}
    if wanted:
        found = {row.key: row for row in sides.right_rows(cost, min(wanted), max(wanted)) if row.key in wanted}
    return _met(sides, rows, found)


def _met(sides: Sides, left: Iterable[Row], right: dict[bytes, Row]) -> Pairs:
    for row in left:
        key = sides.key(row)
        yield row, None if key is None else right.get(key)
