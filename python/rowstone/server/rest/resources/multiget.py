"""``/{table}/multiget[/{columns}]?row=…&row=…``. Source: HBase's MultiRowResource."""

from __future__ import annotations

import dataclasses

from rowstone import _native
from rowstone.server.rest import _answer, _models
from rowstone.server.rest._answer import Answer
from rowstone.server.rest._cells import row_message, succeeded
from rowstone.server.rest._failures import DO_NOT_RETRY
from rowstone.server.rest._query_filter import filter_of
from rowstone.server.rest._request import Request, decoded
from rowstone.server.rest._rowspec import parse


def get(request: Request) -> Answer:
    """The existing rows, in the order of the request, each with columns and times as in a path."""
    encoding = request.headers.get("encoding") or request.query.get("e")
    columns = decoded(request.parts["columns"]).replace("/", "")
    extra = tuple(name.encode() for name in columns.split(",")) if columns else ()
    filter = filter_of(request)
    gets = []
    for row in request.query.all("row"):
        spec = parse(row, encoding=encoding, versions=request.query.get("v"))
        spec = dataclasses.replace(spec, columns=(*spec.columns, *extra))
        options = {**spec.reading(), "cache_blocks": "nocache" not in request.query}
        gets.append(_native.Get(spec.row, filter=filter, **options))
    try:
        rows = [row for row in succeeded(request.table().multi(gets)) if row]
    except DO_NOT_RETRY:
        rows = []
    if not rows:
        return _answer.text(404, "No rows found.")
    return _answer.message(_models.CELL_SET, {"Row": [row_message(row.key, row.cells) for row in rows]}, request.media)
