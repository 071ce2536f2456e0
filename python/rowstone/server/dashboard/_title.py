"""Titles of the pages: the object first, so that tabs and bookmarks can be told apart."""

from __future__ import annotations

from rowstone.server.dashboard._site import Request, Site

_OF_TABLE = {
    "rows": "rows",
    "compare": "comparison",
    "scan": "scan",
    "sql": "SQL",
    "heat": "heat map",
    "advice": "schema advice",
    "edit": "change",
}
"""Names of pages about a table or row. The pages of a table, row or cell have no name of their own."""
_MOST_CHARACTERS = 60


def title_of(site: Site, request: Request) -> str:
    """The title of a page: cell, row, table and kind of page, as far as the page has them."""
    if not request.rest:
        return site.titles.get(request.page, "Not found")
    fields = {**request.query, **request.form}
    keys = ", ".join(_cut(fields[name]) for name in ("key", "with") if fields.get(name))
    column = _cut(fields.get("column", "")) if request.page in ("cell", "edit") else ""
    return " · ".join(filter(None, (column, keys, request.rest, _OF_TABLE.get(request.page, ""))))


def _cut(text: str) -> str:
    return f"{text[:_MOST_CHARACTERS]}…" if len(text) > _MOST_CHARACTERS else text
