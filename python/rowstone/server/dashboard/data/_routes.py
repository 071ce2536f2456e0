"""Routes of the explorer: each request is one query with limits, and ends when its client disconnects."""

from __future__ import annotations

import asyncio
import hmac
import importlib
import threading
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from rowstone.errors import AccessDenied, InvalidName, RowstoneError, StorageError, TableNotFound, UsageError
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import link, notice
from rowstone.server.dashboard._responses import html, not_found_text
from rowstone.server.dashboard._site import NotFound, Request, Site, address_of, no_table
from rowstone.server.dashboard.data._budget import DOWNLOAD, PAGE, Budget, QueryLimits
from rowstone.server.dashboard.data.change._change import Unconfirmed

_MISSING = "missing"
"""The part of the row page with the explanation of a missing cell, which its form leads to."""
_QUERIES_AT_ONCE = 4
_WAIT_SECONDS = 1.0
_MOST_FIELDS = 20
_MODULES = {"row": "row.versions", "cell": "row.cell", "compare": "row.compare", "sql": "sql.page"}
"""Modules of pages that do not have the name of the page."""
_MODULES_OF_FORMS = {"rows": "rows", "scan": "rows", "row": "row.versions", "compare": "row.compare"}
"""Pages whose forms stay when a query is refused, and the modules that show them."""
_NO_CHANGES = "Changes are only in rowstone explore --write"
Guarded = Callable[[HttpRequest, Callable[[HttpRequest], Response]], Response]
"""Calls the function if the client is admitted."""
_STATUSES: dict[type[Exception], int] = {
    NotFound: 404,
    TableNotFound: 404,
    InvalidName: 404,
    AccessDenied: 403,
    UsageError: 400,
    StorageError: 503,
    RowstoneError: 503,
    ImportError: 501,
    OverflowError: 400,
}
"""The status of an error's class or of the first of its bases."""


def data_routes(site: Site, guarded: Guarded) -> list[Route]:
    """The routes; with ``--write`` also those that change data."""
    slots = threading.BoundedSemaphore(_QUERIES_AT_ONCE)

    def route(path: str, answer: Callable[[Site, Request, Budget], Response], limits: QueryLimits = PAGE) -> Route:
        async def endpoint(http: HttpRequest) -> Response:
            text = (await http.body()).decode("latin-1")
            try:
                form = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
            except ValueError:
                return PlainTextResponse(f"Bad Request: a form has at most {_MOST_FIELDS} fields\n", status_code=400)
            budget = Budget(limits)
            work = partial(_answer, site, form, budget, slots, answer)
            return await _until_disconnect(http, budget, partial(guarded, http, work))

        return Route(f"/{path}/{{table:path}}", endpoint, methods=["GET", "POST"] if path == "edit" else ["GET"])

    pages = ["rows", "row", "compare", "cell", "scan", "advice"]
    routes = [route(name, partial(_page, name)) for name in pages]
    routes += [
        route("value", partial(_call, _MODULES["cell"], "value")),
        route("download", partial(_call, "download", "file"), DOWNLOAD),
    ]
    no_sql = partial(_absent, "SQL is only in rowstone explore")
    routes += [
        route("sql", partial(_page, "sql") if site.has_sql else no_sql),
        route("result", partial(_call, _MODULES["sql"], "file") if site.has_sql else no_sql, DOWNLOAD),
    ]
    return [*routes, route("edit", _edit if site.can_write else partial(_absent, _NO_CHANGES))]


async def _until_disconnect(http: HttpRequest, budget: Budget, work: Callable[[], Response]) -> Response:
    """Run a query in a thread; cancel it if the client disconnects first."""

    async def disconnect() -> None:
        while (await http.receive())["type"] != "http.disconnect":
            pass

    answer, end = asyncio.ensure_future(run_in_threadpool(work)), asyncio.ensure_future(disconnect())
    try:
        await asyncio.wait({answer, end}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            budget.cancel()
        return await answer
    finally:
        # Also when the server stops.
        budget.cancel()
        end.cancel()


def _answer(
    site: Site,
    form: dict[str, str],
    budget: Budget,
    slots: threading.BoundedSemaphore,
    answer: Callable[[Site, Request, Budget], Response],
    http: HttpRequest,
) -> Response:
    """The answer to an admitted client, or a page with the error."""
    client = http.client.host if http.client is not None else ""
    query, page_name = dict(http.query_params), http.url.path.split("/")[1]
    given = Request(http.path_params["table"], query, http.state.view, http.state.user, client, form, page_name)
    if not slots.acquire(timeout=_WAIT_SECONDS):
        return PlainTextResponse(f"Busy: {_QUERIES_AT_ONCE} queries run at once at most; try again\n", status_code=503)
    try:
        return answer(site, given, budget)
    except tuple(_STATUSES) as error:
        return _failure(site, given, error)
    finally:
        slots.release()


def _failure(site: Site, request: Request, error: Exception) -> Response:
    status = next(_STATUSES[kind] for kind in type(error).__mro__ if kind in _STATUSES)
    title = "Not found" if status == 404 else "Refused" if status in (400, 403) else "Failed"
    back = link("/tables", "all tables")
    if isinstance(error, (TableNotFound, InvalidName)):
        error = no_table(request.database, request.rest)
    else:
        back = markup("{} · {}", link(address_of("tables", request.rest), "the table"), back)
    text = not_found_text(error) if isinstance(error, NotFound) else str(error)
    body = joined([markup("<h1>{}</h1>", title), notice(text), markup("<p>{}</p>", back)])
    return html(site, request, body, status)


def _call(module: str, function: str, site: Site, request: Request, budget: Budget) -> Response:
    answer: Response = getattr(_module(module), function)(site, request, budget)
    return answer


def _module(name: str) -> Any:
    """A module of pages, which is imported with its first request."""
    return importlib.import_module(f"rowstone.server.dashboard.data.{name}")


def _absent(reason: str, site: Site, request: Request, budget: Budget) -> Response:
    """The answer where a site has no such page."""
    raise NotFound(reason)


def _page(name: str, site: Site, request: Request, budget: Budget) -> Response:
    if name == "row" and request.query.get("part") == _MISSING:
        # With the fragment in the form's own address, a browser would not load the same question again.
        given = {field: request.query.get(field, "") for field in ("key", "missing")}
        return RedirectResponse(f"{address_of(name, request.rest, **given)}#{_MISSING}", status_code=303)
    try:
        body: Markup = _module(_MODULES.get(name, name)).body(site, request, budget)
    except UsageError as error:
        if name not in _MODULES_OF_FORMS:
            raise
        return html(site, request, _module(_MODULES_OF_FORMS[name]).refused_page(site, request, budget, error), 400)
    return html(site, request, body)


def _edit(site: Site, request: Request, budget: Budget) -> Response:
    """The forms, a preview, or an applied change. Every POST needs the token of the site's own forms."""
    from rowstone.server.dashboard.data.change import edit

    if request.form and not hmac.compare_digest(
        request.form.get("token", "").encode(), site.token_of(request.user, "edit").encode()
    ):
        edit.record_refusal(request, "no valid token")
        return PlainTextResponse("Forbidden: the form has no valid token; open it again\n", status_code=403)
    try:
        if request.form.get("step") != "apply":
            return html(site, request, edit.body(site, request, budget))
        return RedirectResponse(edit.apply(site, request, budget), status_code=303)
    except Unconfirmed as changed:
        return html(site, request, joined([notice(str(changed)), edit.body(site, request, budget)]), 409)
    except UsageError as error:
        return html(site, request, edit.refused_page(site, request, error), 400)
