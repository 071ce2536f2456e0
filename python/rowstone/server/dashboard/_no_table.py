"""The error for a table that does not exist, one for all pages."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from rowstone.errors import RowstoneError
from rowstone.server.dashboard._site import NotFound

if TYPE_CHECKING:
    from rowstone._core.database import Database

_MOST_NAMES = 10


def no_table(database: Database, name: str) -> NotFound:
    """The error, with the names of the tables that exist: all, or of many the most similar ones."""
    text = f"There is no table '{name}'."
    try:
        names = database.tables()
    except RowstoneError:
        return NotFound(text)
    if not names:
        return NotFound(f"{text} The database has no tables.")
    shown = names if len(names) <= _MOST_NAMES else get_close_matches(name, names, _MOST_NAMES, 0.3)
    which = "The tables are" if len(names) > 1 else "The only table is"
    which = which if shown is names else "Similar names are"
    return NotFound(f"{text} {which}: {', '.join(shown)}." if shown else text)
