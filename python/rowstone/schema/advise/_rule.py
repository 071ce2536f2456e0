"""Definition of a rule: one question about one table, with its threshold, reason, source and remedy."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from rowstone.schema.advise._table import TableFacts

Level = Literal["info", "warning", "error"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""Levels of findings, from mild to severe."""

Thresholds = Mapping[str, float]


@dataclass(frozen=True)
class Found:
    """A rule's finding: level, location in the table (empty: the table itself), and message, with value and limit.

    ``remedy`` replaces the one of the rule, such as where the data do not support it.
    """

    level: str
    place: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule of the advisor.

    Attributes:
        code: Its number, ``"L01"``.
        name: Its readable name, ``"many-families"``.
        needs: Input besides the schema: ``"data"``, ``"access"``. With several, all are required, unless
            ``any_of_needs``.
        thresholds: Numbers by name. A threshold named after a level is the limit for that level.
        reason: Why it matters.
        source: Where the rule comes from.
        remedy: The recommended change.
        check: Returns its findings in a table.
    """

    code: str
    name: str
    needs: tuple[str, ...] = ()
    any_of_needs: bool = False
    thresholds: Thresholds = field(default_factory=dict)
    reason: str
    source: str
    remedy: str
    check: "Callable[[TableFacts, Thresholds], Iterable[Found]]"

    def can_look_at(self, table: "TableFacts") -> bool:
        """Whether the table has the input that the rule needs."""
        there = [table.has(need) for need in self.needs]
        return not there or (any(there) if self.any_of_needs else all(there))


RULES: list[Rule] = []
"""The rules of the modules imported so far. `rowstone.schema.advise._registry` imports the others."""

Check = Callable[["TableFacts", Thresholds], Iterable[Found]]


def rule(**facts: Any) -> Callable[[Check], Check]:
    """Register a check as a rule, with the other attributes of `Rule`."""

    def add(check: Check) -> Check:
        RULES.append(Rule(check=check, **facts))
        return check

    return add


def level_of(value: float, thresholds: Thresholds) -> str | None:
    """The most severe level whose threshold ``value`` exceeds.

    >>> level_of(5, {"info": 1, "warning": 3, "error": 10})
    'warning'
    """
    reached = [level for level in LEVELS if level in thresholds and value > thresholds[level]]
    return reached[-1] if reached else None
