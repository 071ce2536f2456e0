"""What a rule is: one question about one table, with its threshold, reason, source and remedy."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.advise._table import TableFacts

LEVELS = ("info", "warning", "error")
"""How bad a finding is, from mild to bad."""

Thresholds = Mapping[str, float]


@dataclass(frozen=True)
class Found:
    """What a rule found: how bad, where in the table (empty: the table itself), and what, with value and limit."""

    level: str
    place: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule of the advisor.

    Attributes:
        code: Its number, ``"L01"``.
        name: Its name in words, ``"many-families"``.
        needs: What it looks at besides the schema: ``"data"``, ``"access"``. With several, all of them, unless
            ``any_of_needs``.
        thresholds: Numbers by name. One that is called as a level is what must be reached for that level.
        reason: Why it matters.
        source: Who says so.
        remedy: What to do.
        check: Its findings in a table.
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
        """Whether the table comes with what the rule needs."""
        there = [table.has(need) for need in self.needs]
        return not there or (any(there) if self.any_of_needs else all(there))


RULES: list[Rule] = []
"""The rules of all modules that are imported. `rowstone.advise._registry` imports the others."""

Check = Callable[["TableFacts", Thresholds], Iterable[Found]]


def rule(**facts: Any) -> Callable[[Check], Check]:
    """Adds a check to the rules, with the other attributes of `Rule`."""

    def add(check: Check) -> Check:
        RULES.append(Rule(check=check, **facts))
        return check

    return add


def level_of(value: float, thresholds: Thresholds) -> str | None:
    """The worst level whose threshold ``value`` is above.

    >>> level_of(5, {"info": 1, "warning": 3, "error": 10})
    'warning'
    """
    reached = [level for level in LEVELS if level in thresholds and value > thresholds[level]]
    return reached[-1] if reached else None
