"""Responses with pages, also for addresses that have none."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response

from rowstone.errors import AccessDenied
from rowstone.server.dashboard._markup import Markup, escaped, markup
from rowstone.server.dashboard._page import page
from rowstone.server.dashboard._parts import link
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of

_MOST_CHARACTERS = 200
_WORKING = Markup('<p class="working" role="status">The page is being made. Stop loading it to cancel.</p>')
"""A note that the style sheet hides when something follows it."""


def html(site: Site, request: Request, body: Markup, status: int = 200) -> Response:
    """A response with a page."""
    text = page(site, request, body, is_found=status != 404)
    return Response(text, status_code=status, media_type="text/html; charset=utf-8")


def announce(site: Site, http: HttpRequest, request: Request) -> None:
    """Let the browser of an admitted client show the head of the page while the rest of it is computed."""
    http.state.announce(page(site, request, _WORKING).partition("</main>")[0], "<main>")


def unknown_address(site: Site, request: HttpRequest) -> Response:
    """The response to an address that has no page; plain text for programs."""
    reason = f"There is no page at {request.url.path[:_MOST_CHARACTERS]}."
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(f"Not found: {reason}\n", status_code=404)
    return html(site, request_for(request, "unknown"), missing(NotFound(reason)), 404)


def request_for(request: HttpRequest, name: str) -> Request:
    """A request for a page of the menu."""
    return Request(request.path_params.get("rest", ""), dict(request.query_params), request.state.view, page=name)


def missing(error: NotFound) -> Markup:
    """The page instead of one that does not exist."""
    all_tables = link("/tables", "All tables")
    return markup('<h1>Not found</h1><p class="lead">{} {}</p>', not_found_text(error), all_tables)


def refused(error: AccessDenied) -> Markup:
    """The page instead of one that the user may not see."""
    return markup('<h1>Refused</h1><p class="lead">{} {}</p>', str(error), link("/tables", "All tables"))


def not_found_text(error: NotFound) -> Markup:
    """The message of the error, in which the names of tables are links."""
    if not error.tables:
        return escaped(error.reason)
    names = (link(address_of("tables", name), name) for name in error.tables)
    return markup("{} {}.", error.reason, Markup(", ".join(names)))
