"""Journeys: tasks of a user, and how their browser is opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.dashboard.browser.journeys.targets import Target
from tests.dashboard.browser.journeys.world import CUSTOMERS
from tests.dashboard.browser.visit import Visit

Steps = Callable[[Visit, Target], None]
ADDRESS = CUSTOMERS.replace(":", "%3A")
"""The table's name in an address."""


@dataclass(frozen=True)
class Journey:
    """Steps of a user. ``is_writing``: on pages that allow changes; ``has_script``: with JavaScript."""

    steps: Steps
    is_writing: bool
    has_script: bool


JOURNEYS: dict[str, Journey] = {}
"""All journeys by name."""


def journey(*, is_writing: bool = False, has_script: bool = True) -> Callable[[Steps], Steps]:
    """Register a function as a journey."""

    def register(steps: Steps) -> Steps:
        assert steps.__name__ not in JOURNEYS, steps.__name__
        JOURNEYS[steps.__name__] = Journey(steps, is_writing, has_script)
        return steps

    return register


def show_rows(visit: Visit, **fields: str) -> None:
    """Open the rows of the customers, fill the form and send it."""
    visit.go(f"rows/{ADDRESS}")
    send(visit, **fields)


def send(visit: Visit, **fields: str) -> None:
    """Fill fields of the rows page's form, by their labels with ``_`` for a space, and send it."""
    for label, text in fields.items():
        visit.page.get_by_label(label.replace("_", " "), exact=True).fill(text)
    visit.follow(visit.page.get_by_role("button", name="Show rows"))


def click(visit: Visit, text: str, role: Any = "link") -> None:
    """Follow the first link or button with this text."""
    visit.follow(visit.page.get_by_role(role, name=text, exact=True).first)


def keys(visit: Visit) -> list[str]:
    """The row keys that the rows page shows."""
    return list(visit.page.locator("section tbody td:first-child a code").all_inner_texts())


def section(visit: Visit, title: str) -> Any:
    """The section of a page with this heading."""
    heading = visit.page.get_by_role("heading", name=title, exact=True, level=2)
    return visit.page.locator("section").filter(has=heading)
