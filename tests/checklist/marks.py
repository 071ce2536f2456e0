"""The mark by which a test cites what it proves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Function = TypeVar("_Function", bound=Callable[..., object])


def checklist(number: str, *, clause: str) -> Callable[[_Function], _Function]:
    """Says that a test proves `clause` of statement `number`; a test may have several.

    Both must be literals: the ledger reads them from the source, without importing the tests.
    """

    def mark(function: _Function) -> _Function:
        cited: list[tuple[str, str]] = getattr(function, "checklist", [])
        function.checklist = [*cited, (number, clause)]  # type: ignore[attr-defined]
        return function

    return mark
