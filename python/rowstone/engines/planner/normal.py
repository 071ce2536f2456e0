"""Predicates without negations: every `Not` is moved down to single conditions.

The result is true for the same records. Where it is not true it may be false instead of unknown, which selects the same
rows. So And and Or can be planned as sets of rows: their intersection and union.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rowstone.engines._predicate import (
    NEGATED,
    And,
    Compare,
    In,
    IsNull,
    Not,
    Opaque,
    Or,
    Predicate,
    StartsWith,
)

Leaf = Compare | In | StartsWith | IsNull | Opaque


@dataclass(frozen=True)
class Condition:
    """A condition on one column, or its opposite. ``source`` is the predicate that it came from."""

    leaf: Leaf
    is_negated: bool

    @property
    def source(self) -> Predicate:
        """The condition as a predicate."""
        return Not(self.leaf) if self.is_negated else self.leaf


@dataclass(frozen=True)
class All:
    """Every part holds."""

    parts: tuple[Node, ...]

    @property
    def source(self) -> Predicate:
        """The conjunction as a predicate."""
        return And(tuple(part.source for part in self.parts))


@dataclass(frozen=True)
class Any:
    """One part holds."""

    parts: tuple[Node, ...]

    @property
    def source(self) -> Predicate:
        """The disjunction as a predicate."""
        return Or(tuple(part.source for part in self.parts))


Node = Condition | All | Any


def normalize(predicate: Predicate, *, is_negated: bool = False) -> Node:
    """Return the predicate, or its opposite, without negations of And and Or. Nested ones of a kind are joined."""
    match predicate:
        case Not(part):
            return normalize(part, is_negated=not is_negated)
        case And(parts) | Or(parts):
            nodes = [normalize(part, is_negated=is_negated) for part in parts]
            kind = All if isinstance(predicate, And) is not is_negated else Any
            return kind(tuple(_flattened(nodes, kind)))
        case In(_, ()):
            # False even for a null.
            return All(()) if is_negated else Any(())
        case Compare(column, operator, value) if is_negated:
            return Condition(Compare(column, NEGATED[operator], value), False)
        case Compare() | In() | StartsWith() | IsNull() | Opaque():
            return Condition(predicate, is_negated)
    raise TypeError(f"{type(predicate).__name__} is no predicate of rowstone.engines")


def _flattened(nodes: list[Node], kind: type[All] | type[Any]) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, All | Any) and isinstance(node, kind):
            yield from node.parts
        else:
            yield node


def conjuncts(node: Node) -> tuple[Node, ...]:
    """Return the parts that must all hold."""
    return node.parts if isinstance(node, All) else (node,)


def conditions(node: Node) -> Iterator[Condition]:
    """Iterate over all conditions."""
    if isinstance(node, Condition):
        yield node
        return
    for part in node.parts:
        yield from conditions(part)
