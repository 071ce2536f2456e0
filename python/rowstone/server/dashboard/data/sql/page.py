"""``/sql/NAME``: SQL over a table, as a table, as charts and as a file. Only in ``rowstone explore``.

A query needs the token of the page's own form, which is in its address. It protects against pages of other sites: a
link there could otherwise run a costly query. A cookie with SameSite would not, because all ports of a host are one
site. The token gives no access, which takes the cookie of the explorer, and ends with the process.
"""

from __future__ import annotations

import csv
import hmac
import io

from starlette.responses import Response

from rowstone._base.printable import counted, printable
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section, table
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, duration, size
from rowstone.server.dashboard.data._budget import PAGE, Budget
from rowstone.server.dashboard.data._cells import data
from rowstone.server.dashboard.data._files import csv_field, file_name
from rowstone.server.dashboard.data._values import show_value
from rowstone.server.dashboard.data.sql._charts import charts, is_numbers
from rowstone.server.dashboard.data.sql._query import MOST_COLUMNS, Result, run_query
from rowstone.server.dashboard.data.sql._view import MOST_CELLS, VIEW
from rowstone.server.dashboard.data.sql.examples import EXAMPLES, TWO_ROWS

_KEY_BYTES = 80
_MOST_SEPARATED = 10**12
"""Larger integers are times or identifiers, which have no thousands separators."""
_HELP = markup(
    "Tables: {} has a row per row and a column per column, up to {} columns; {} has a row per visible cell, {} a row "
    "per stored version and marker. Row keys, and values without a declared codec, are bytes: {} and {} are their "
    "text. A query sees the first rows of the table: at most {} rows, {} stored cells and {}. It may take {} seconds.",
    code("rows"), MOST_COLUMNS, code("cells"), code("stored"), code("decode(row)"), code('decode("f:name")'),
    count(VIEW.rows), count(MOST_CELLS), size(VIEW.bytes), f"{PAGE.seconds:g}",
)  # fmt: skip


def body(site: Site, request: Request, budget: Budget) -> Markup:
    text, token = _text(request), site.token_of(request.user, "sql")
    request.database.table(request.rest)
    shown, has_error = Markup(""), False
    if text == TWO_ROWS:
        shown = notice("example loaded: replace KEY 1 and KEY 2 with keys of rows, then Run")
    elif text and not _is_own(request, token):
        known = "example loaded: change it if you like, then Run"
        foreign = "the address does not come from this page's form: read the query, then Run"
        shown = notice(known if text in EXAMPLES.values() else foreign)
    elif text:
        try:
            found = run_query(request.database.table(request.rest), text, budget)
            shown = _result(request, found, budget)
        except InvalidArgument as error:
            shown, has_error = notice(str(error)), True
    heading = markup("<h1>SQL over {}</h1>", link(address_of("tables", request.rest), request.rest))
    form = _form(request.rest, text or "SELECT * FROM rows LIMIT 20", token, has_error=has_error)
    return joined([heading, form, shown])


def file(site: Site, request: Request, budget: Budget) -> Response:
    """The result of a query as CSV, within the limits of a download. If one ended it early, its name says so."""
    if not _is_own(request, site.token_of(request.user, "sql")):
        raise InvalidArgument("the address does not come from the page for SQL: open it there")
    found = run_query(request.database.table(request.rest), _text(request), budget)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    for line in (found.headings, *found.lines):
        writer.writerow([csv_field(value) if isinstance(value, str | bytes) else value for value in line])
    is_part = found.has_more or found.view.end is not None
    name = file_name(request.rest, "result", f"first-{len(found.lines)}-rows" if found.has_more else "part" * is_part)
    attached = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(text.getvalue().encode(), media_type="text/csv; charset=utf-8", headers=attached)


def _text(request: Request) -> str:
    # Browsers send the lines of a text area with carriage returns.
    return request.query.get("query", "").replace("\r\n", "\n").strip()


def _is_own(request: Request, token: str) -> bool:
    """Whether the address comes from the page's form."""
    return hmac.compare_digest(request.query.get("token", "").encode(), token.encode())


def _form(of_table: str, text: str, token: str, *, has_error: bool) -> Markup:
    links = [link(address_of("sql", of_table, query=query, token=token), name) for name, query in EXAMPLES.items()]
    return markup(
        '<form class="query sql" action="{}"><input type="hidden" name="token" value="{}">'
        '<label class="wide">Query<textarea name="query" rows="5" spellcheck="false"{}>{}</textarea></label>'
        '<button title="Ctrl+Enter">Run</button></form><p class="note">{}<br>Examples: {}.</p>',
        address_of("sql", of_table),
        token,
        Markup(' aria-invalid="true"' if has_error else ""),
        text,
        _HELP,
        markup(", ".join(["{}"] * len(links)), *links),
    )


def _result(request: Request, found: Result, budget: Budget) -> Markup:
    names = [request.rest if heading == "row" else "" for heading in found.headings]
    lines = [[_value(value, name) for value, name in zip(line, names, strict=True)] for line in found.lines]
    numbers = [place for place, column in enumerate(zip(*found.lines, strict=True)) if is_numbers(column)]
    headings = [code(heading[:100]) for heading in found.headings]
    listed = data(table(headings, lines, numbers=numbers, empty="No rows."))
    rows = f"The first {counted(len(lines), 'row')}" if found.has_more else counted(len(lines), "row")
    seen = found.view.describe(request.database, request.rest)
    note = f"{rows}, {duration(budget.seconds * 1e9)}. {seen if found.view.end is None else ''}"
    cut = notice(seen if found.view.end is not None else None)
    drawn = charts(found.headings, found.lines, lambda name: show_value(name, limit=40).text)
    to = address_of("result", request.rest, query=_text(request), token=request.query.get("token", ""))
    button = markup('<div class="pages"><a class="button" href="{}">CSV</a></div>', to) if lines else Markup("")
    return section("Result", cut, listed, button, *drawn, note=note)


def _value(value: object, of_table: str = "") -> object:
    """A value of a result as text; with ``of_table``, bytes as a link to the row of this key."""
    if isinstance(value, bytes) and of_table:
        return link(address_of("row", of_table, key=printable(value)), code(printable(value, _KEY_BYTES)))
    if isinstance(value, bytes):
        return show_value(value).text
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST_SEPARATED:
        return count(value)
    text = "" if value is None else str(value)
    return f"{text[:200]}…" if len(text) > 200 else text
