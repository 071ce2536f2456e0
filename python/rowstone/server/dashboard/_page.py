"""Page layout: menu, title, scripts. A title begins with its object, so tabs and bookmarks differ."""

from __future__ import annotations

from rowstone._base.version import __version__
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._site import Request, Site, address_of

_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Rowstone</title>
<link rel="stylesheet" href="/static/dashboard.css">
<link rel="icon" href="/static/dashboard.svg" type="image/svg+xml">
<script src="/static/dashboard.js" defer></script>
</head>
<body>
<header>
<div class="top"><a class="brand" href="/"><svg viewBox="0 0 20 20" aria-hidden="true">
<rect width="20" height="5" rx="1.5"/><rect y="7.5" width="13" height="5" rx="1.5"/>
<rect y="15" width="17" height="5" rx="1.5"/></svg>Rowstone</a><span class="where">{where}</span>
<span class="tools">{follow}<button id="theme" title="Dark or light">Dark</button></span></div>
<div><nav aria-label="Subjects">{menu}</nav></div>
</header>
<main>
{body}
</main>
<footer>Rowstone {version} on {host}</footer>
</body>
</html>
"""


_FOLLOW = Markup('<button id="follow" aria-pressed="true" title="Reload the page every 5 s">Follow</button>\n')
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


def page(site: Site, request: Request, body: Markup, *, is_found: bool = True) -> Markup:
    """A complete page. Only pages of a site with an overview are reloaded by the script, and heat maps that change."""
    name = request.page if request.page in site.titles else "tables"
    is_live = site.heat.is_live(request.query.get("period", "")) if name == "heat" else "" in site.titles
    is_followed = is_live and is_found and request.page in site.titles
    menu = joined(
        markup('<a href="{}"{}>{}</a>', address_of(key), Markup(' aria-current="page"' if key == name else ""), title)
        for key, title in site.titles.items()
    )
    return markup(
        _FRAME,
        title=_title(site, request) if is_found else "Not found",
        where=site.database.path,
        menu=menu,
        follow=_FOLLOW if is_followed else "",
        body=body,
        version=__version__,
        host=site.host,
    )


def _title(site: Site, request: Request) -> str:
    """The title of a page: cell, row, table and kind of page, as far as the page has them."""
    if not request.rest:
        return site.titles.get(request.page, "Not found")
    fields = {**request.query, **request.form}
    keys = ", ".join(_cut(fields[name]) for name in ("key", "with") if fields.get(name))
    column = _cut(fields.get("column", "")) if request.page in ("cell", "edit") else ""
    return " · ".join(filter(None, (column, keys, request.rest, _OF_TABLE.get(request.page, ""))))


def _cut(text: str) -> str:
    return f"{text[:_MOST_CHARACTERS]}…" if len(text) > _MOST_CHARACTERS else text
