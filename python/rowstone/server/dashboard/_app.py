"""Routes of the web UI, and access to them. Pages load resources only from here."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from rowstone.errors import AccessDenied, RowstoneError
from rowstone.server.acting import GroupsOf, is_user_name, view_of
from rowstone.server.dashboard._responses import announce, html, missing, refused, request_for, unknown_address
from rowstone.server.dashboard._site import NotFound, Site
from rowstone.server.dashboard.pages import page_of
from rowstone.server.http.bounds import Application, Message, Receive, Scope, Send
from rowstone.server.http.early import respond

Authenticate = Callable[[str], str | None]
"""Maps the header ``Authorization`` (empty if missing) to a user name; None refuses the client."""
Answer = Callable[[HttpRequest], Response]

_KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    # With "no-referrer" browsers would send the pages' own forms without their origin.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_OPEN_TO_ALL = ("/health", "/ready")
_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


def application(site: Site, authenticate: Authenticate | None, groups_of: GroupsOf | None = None) -> Application:
    """The site as an ASGI application."""

    def refusal(request: HttpRequest) -> Response | None:
        request.state.user, request.state.view = "", site.database
        if site.access_token:
            return _without_token(site, request)
        if authenticate is None or request.url.path in _OPEN_TO_ALL:
            return None
        user = authenticate(request.headers.get("authorization", ""))
        if user is None or not is_user_name(user):
            challenge = {"WWW-Authenticate": 'Basic realm="rowstone", Bearer'}
            return PlainTextResponse("Unauthorized\n", status_code=401, headers=challenge)
        request.state.user, request.state.view = user, view_of(site.database, user, groups_of)
        return _refusal(site, request)

    def route(path: str, answer: Answer) -> Route:
        async def endpoint(request: HttpRequest) -> Response:
            return await respond(request, partial(_guarded, request, answer, refusal))

        return Route(path, endpoint, methods=["GET"])

    answers = _for_programs(site)
    routes = [route(path, answer) for path, answer in answers.items()]
    routes.append(route("/static/{name}", _static))
    for name in site.titles:
        shown = _page(site, name)
        routes.append(route(f"/{name}", shown))
        if name in ("tables", "heat"):
            routes.append(route(f"/{name}/{{rest:path}}", shown))
    routes += [route(path, lambda _: RedirectResponse("/")) for path in ("/master-status", "/rs-status")]
    if "" not in site.titles:
        routes.append(route("/", lambda _: RedirectResponse("/tables")))
    if site.has_data:
        from rowstone.server.dashboard.data._routes import data_routes

        routes += data_routes(site, lambda request, answer: _guarded(request, answer, refusal))
    handlers: dict[Any, Any] = {404: _for_unknown(site, refusal)}
    return _with_headers(Starlette(routes=routes, exception_handlers=handlers))


def _guarded(request: HttpRequest, answer: Answer, refusal: Callable[[HttpRequest], Response | None]) -> Response:
    """The response, if the client is allowed to see it. With authentication, that takes global admin permission."""
    try:
        response = refusal(request)
        return answer(request) if response is None else response
    except RowstoneError as error:
        return PlainTextResponse(f"{type(error).__name__}: {error}\n", status_code=503)


def _for_unknown(
    site: Site, refusal: Callable[[HttpRequest], Response | None]
) -> Callable[[HttpRequest, Exception], Awaitable[Response]]:
    """The handler of addresses that have no page."""

    def answer(request: HttpRequest) -> Response:
        # A client that is not admitted is not redirected: the path may name another host.
        try:
            is_admitted = refusal(request) is None
        except RowstoneError:
            is_admitted = False
        return unknown_address(site, request) if is_admitted else PlainTextResponse("Not found\n", status_code=404)

    async def handler(request: HttpRequest, _: Exception) -> Response:
        return await run_in_threadpool(answer, request)

    return handler


def _with_headers(application: Application) -> Application:
    """The application with the headers of security in every response, those for unknown paths and methods included."""
    headers = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]

    async def called(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *headers]}
            await send(message)

        await application(scope, receive, sent)

    return called


def _refusal(site: Site, request: HttpRequest) -> Response | None:
    """The response that refuses a user; None if the user is allowed."""
    user, view = request.state.user, request.state.view
    # Without access control the view is the database itself.
    if view is site.database or view.admin.permissions.has("A"):
        return None
    return PlainTextResponse(f"Forbidden: {user} may not administrate the database\n", status_code=403)


def _without_token(site: Site, request: HttpRequest) -> Response | None:
    """The response to a client that has not presented the access token; None if its cookie has it.

    A token in the address becomes a cookie, and the browser is redirected to the address without it. The cookie is
    named for the port, because browsers send cookies to all ports of a host.
    """
    name = f"rowstone-{request.url.port}"
    if _equal(request.cookies.get(name, ""), site.access_token):
        return None
    if not _equal(request.query_params.get("token", ""), site.access_token):
        return PlainTextResponse("Unauthorized: open the address that the command printed\n", status_code=401)
    response = RedirectResponse(request.url.path, status_code=303)
    response.set_cookie(name, site.access_token, httponly=True, samesite="lax")
    return response


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _for_programs(site: Site) -> dict[str, Answer]:
    """Endpoints for programs. Their modules are imported on the first request, so that a server starts faster."""

    def health(_: HttpRequest) -> Response:
        from rowstone.server.dashboard import _endpoints

        is_well, found = _endpoints.health(site)
        return JSONResponse(found, status_code=200 if is_well else 503)

    def ready(_: HttpRequest) -> Response:
        from rowstone.server.dashboard import _endpoints

        is_ready, text = _endpoints.ready(site)
        return PlainTextResponse(text, status_code=200 if is_ready else 503)

    def jmx(request: HttpRequest) -> Response:
        from rowstone.server.dashboard.metrics import jmx_of

        return _Indented(jmx_of(site, dict(request.query_params)))

    def metrics(_: HttpRequest) -> Response:
        from rowstone.server.dashboard.metrics import metrics_text

        return Response(metrics_text(site), media_type=_PROMETHEUS)

    def prometheus(request: HttpRequest) -> Response:
        from rowstone.server.dashboard.metrics import prometheus_text

        is_described = request.query_params.get("description") == "true"
        return Response(prometheus_text(site, described=is_described), media_type=_PROMETHEUS)

    def text(request: HttpRequest) -> Response:
        from rowstone.server.dashboard import _endpoints

        is_dump = request.url.path == "/dump"
        return PlainTextResponse(_endpoints.dump(site) if is_dump else _endpoints.stacks())

    def conf(request: HttpRequest) -> Response:
        from rowstone.server.dashboard import _endpoints

        if request.query_params.get("format") == "json":
            return JSONResponse(_endpoints.conf_json(site))
        return Response(_endpoints.conf_xml(site), media_type="text/xml; charset=utf-8")

    return {
        "/health": health,
        "/ready": ready,
        "/metrics": metrics,
        "/prometheus": prometheus,
        "/jmx": jmx,
        "/conf": conf,
        "/stacks": text,
        "/dump": text,
    }


class _Indented(JSONResponse):
    """JSON in HBase's format, one line per value."""

    def render(self, content: Any) -> bytes:
        import json

        return json.dumps(content, indent=2, ensure_ascii=False).encode()


def _page(site: Site, name: str) -> Answer:
    def answer(request: HttpRequest) -> Response:
        given = request_for(request, name)
        announce(site, request, given)
        status = 200
        try:
            body = page_of(name).body(site, given)
        except NotFound as error:
            body, status = missing(error), 404
        except AccessDenied as error:
            body, status = refused(error), 403
        return html(site, given, body, status)

    return answer


def _static(request: HttpRequest) -> Response:
    name = request.path_params["name"]
    file = files("rowstone.server.dashboard") / "static" / name
    kind = _KINDS.get(name.rpartition(".")[2])
    if kind is None or not file.is_file():
        return PlainTextResponse("Not found\n", status_code=404)
    return Response(file.read_bytes(), media_type=f"{kind}; charset=utf-8")
