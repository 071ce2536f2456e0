"""Outcome of the last change of a row, in words for the row's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone.server.dashboard._markup import Markup, markup
from rowstone.server.dashboard._parts import code
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._values import show_value
from rowstone.server.dashboard.data.change._change import Change, find_touched

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone.codecs import Codecs

_VALUE_CHARACTERS = 80


@dataclass(frozen=True)
class Outcome:
    """An applied change. ``number``: the parameter ``done`` of the row's page that shows ``text``."""

    number: int
    user: str
    table: str
    key: bytes
    text: Markup


def outcome_text(source: Table, change: Change, is_undo: bool, codecs: Codecs, budget: Budget) -> Markup:
    """The effect of a change that was just applied; of a put and an increment with the newest value, which it reads."""
    column = code(printable(change.column, 100))
    if change.kind == "delete" and not is_undo:
        return markup("Deleted: {}.", _deleted(change, column))
    newest = find_touched(source, Change("put", change.key, change.column), budget)
    if newest.limit:
        return markup("{} is changed.", column)
    if not newest.cells:
        return markup(
            "Undone: {} has no value again." if is_undo else "{} is written, but has no visible value.", column
        )
    value = newest.cells[0].value
    text = code(show_value(value, codecs.of(change.column), limit=_VALUE_CHARACTERS).text or "(empty)")
    if is_undo:
        return markup("Undone: {} is {} again.", column, text)
    if change.kind == "put" and value != change.value:
        return markup("A version of {} is written; the newest is still {}.", column, text)
    return markup("{} is now {}.", column, text)


def _deleted(change: Change, column: Markup) -> object:
    if change.scope == "row":
        return "the row"
    if change.scope == "family":
        return markup("the family {}", code(printable(change.columns[0], 100)))
    if change.scope == "column":
        return column
    version = "the newest version" if change.timestamp is None else f"version {change.timestamp}"
    return markup("{} of {}", version, column)


def record_outcome(site: Site, request: Request, key: bytes, text: Markup) -> int:
    """Keep the text for the row's page, and return its number."""
    number = next(site.numbers)
    site.outcomes.append(Outcome(number, request.user, request.rest, key, text))
    return number


def take_outcome(site: Site, request: Request, key: bytes) -> Markup:
    """The text that the address of a row's page asks for, which is shown once; empty if there is none."""
    wanted = (request.number("done", 0), request.user, request.rest, key)
    for one in list(site.outcomes):
        if (one.number, one.user, one.table, one.key) == wanted:
            site.outcomes.remove(one)
            found: Markup = one.text
            return found
    return Markup("")
