"""``/scan/NAME``: the cost of a query, and the query as Python, HBase shell and curl."""

from __future__ import annotations

import shlex
from urllib.parse import quote

from rowstone._base.printable import printable
from rowstone._base.targets import MEMORY
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import link, notice, section
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import head
from rowstone.server.dashboard.data._form import form
from rowstone.server.dashboard.data._query import Query, check_families, query_of


def body(site: Site, request: Request, budget: Budget) -> Markup:
    query = query_of(request)
    source = request.database.table(query.table)
    check_families(query.columns, source.schema.families)
    first, stop, _ = query.range()
    plan = request.database.explain(
        query.table, first, stop, columns=query.columns or None, filter=query.parsed_filter()
    )
    text = "an empty range: nothing is read" if query.is_empty else str(plan)
    warning = (
        "every row of the table is examined: a start row or a row prefix makes the scan shorter, a filter does not"
        if plan.is_full_scan and plan.table_bytes > _LARGE_BYTES
        else None
    )
    target = site.database.path if site.server is None else site.server.url
    codes = [("Python", python_code(query, target)), ("HBase shell", shell_code(query)), ("curl", curl_code(query))]
    return joined(
        [
            head("scan", query.table),
            notice(warning),
            form(query, source),
            section(
                "Cost", markup('<pre class="wrap">{}</pre>', text), note=link(query.address("rows"), "show the rows")
            ),
            *(
                section(title, markup('<pre class="wrap">{}</pre>', code), note=_NOTES.get(title, ""))
                for title, code in codes
            ),
        ]
    )


_LARGE_BYTES = 64 << 20
_NOTES = {"curl": "Needs the REST gateway (rowstone serve --rest-port 8080)."}


def _is_prefix(query: Query) -> bool:
    """Whether a prefix alone is the range."""
    return bool(query.prefix) and query.range() == Query(query.table, prefix=query.prefix).range()


def python_code(query: Query, target: str) -> str:
    """The query as a Python program."""
    first, stop, _ = query.range()
    if _is_prefix(query):
        keys = [f"prefix={query.prefix!r}"]
    else:
        # A scan takes either a prefix or a range.
        keys = [repr(first), repr(stop)] if stop else [repr(first)] if first else []
    options = [*keys]
    options += [f"columns={list(query.columns)!r}"] if query.columns else []
    options += [f"filter={query.filter!r}"] if query.filter else []
    options.append(f"limit={query.limit}")
    # A directory may be open for writing, by the explorer itself for example.
    how = "" if "://" in target or target == MEMORY else ", read_only=True"
    return (
        "import rowstone as rs\n\n"
        f"with rs.connect({target!r}{how}) as db:\n"
        f"    for row in db.table({query.table!r}).scan({', '.join(options)}):\n"
        "        print(row.key, row.to_dict())\n"
    )


def shell_code(query: Query) -> str:
    """The query as a command of HBase's shell."""
    first, stop, _ = query.range()
    options = []
    if _is_prefix(query):
        options.append(f"ROWPREFIXFILTER => {_ruby(first)}")
    else:
        options += [f"STARTROW => {_ruby(first)}"] if first else []
        options += [f"STOPROW => {_ruby(stop)}"] if stop else []
    if query.columns:
        options.append(f"COLUMNS => [{', '.join(map(_ruby, query.columns))}]")
    if query.filter:
        options.append(f"FILTER => {_ruby(query.filter.encode(errors='surrogateescape'))}")
    options.append(f"LIMIT => {query.limit}")
    return f"scan {_ruby(query.table.encode())}, {{{', '.join(options)}}}\n"


def _ruby(data: bytes) -> str:
    """A string of Ruby with double quotes, in which ``\\xHH`` is a byte."""
    return '"' + printable(data).replace('"', '\\"').replace("#", "\\#") + '"'


def curl_code(query: Query) -> str:
    """The query as a request to the REST gateway, whose addresses are text."""
    first, stop, _ = query.range()
    try:
        given, prefix = [("limit", str(query.limit))], query.prefix.decode()
        if not _is_prefix(query):
            given += [("startrow", first.decode())] if first else []
            given += [("endrow", stop.decode())] if stop else []
            prefix = ""
        given += [("column", column.decode()) for column in query.columns]
        given += [("filter", query.filter)] if query.filter else []
        parameters = "&".join(f"{name}={quote(text, safe='')}" for name, text in given)
        path = f"{quote(query.table, safe='')}/{quote(prefix, safe='')}*"
    except UnicodeDecodeError:
        return "# The gateway's addresses are text; this scan has keys or columns that are not UTF-8.\n"
    return f"curl -H 'Accept: application/json' {shlex.quote(f'http://localhost:8080/{path}?{parameters}')}\n"
