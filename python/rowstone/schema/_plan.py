"""The plan that brings a database to a schema."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Step:
    """One step: its kind, its subject, and the settings that it changes.

    ``kind`` is ``"create"``, ``"alter"`` or ``"drop"``; ``changes`` has a line for each setting; ``losses`` describes
    the data that the step may lose, and is empty if it loses none.
    """

    kind: str
    target: str
    changes: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    perform: Callable[[], object] = field(default=lambda: None, compare=False, repr=False)

    def __str__(self) -> str:
        sign = {"create": "+", "alter": "~", "drop": "-"}[self.kind]
        head = f"{sign} {self.kind} {self.target}"
        losses = [f"    ! {loss}" for loss in self.losses]
        return "\n".join([head, *(f"    {change}" for change in self.changes), *losses])


@dataclass(frozen=True)
class Plan:
    """Steps in the order of execution. False if there is nothing to do; ``str()`` is a readable list."""

    steps: tuple[Step, ...] = ()

    @property
    def destructive(self) -> tuple[Step, ...]:
        """The steps that may lose data."""
        return tuple(step for step in self.steps if step.losses)

    def __bool__(self) -> bool:
        return bool(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps)) if self.steps else "no difference"

    def _repr_html_(self) -> str:
        from rowstone._base.html import table_html

        lines = [(one.kind, one.target, "; ".join(one.changes), "; ".join(one.losses)) for one in self.steps]
        return table_html(("step", "what", "changes", "may lose"), lines)
