"""``/download/NAME?format=``: the rows of a query as CSV, JSON lines or Parquet, within a limit.

CSV and JSON lines have a line per cell, bytes as text with ``\\xHH``; Parquet has a row per row, with declared types.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from typing import Any

from starlette.responses import Response

from rowstone._base.lazy import import_optional
from rowstone._base.printable import printable
from rowstone._core.parquet import COMPRESSION
from rowstone._core.table import Table
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard.data._budget import DOWNLOAD, Budget
from rowstone.server.dashboard.data._query import Query, query_of
from rowstone.server.dashboard.data._reader import Page, RowPart, read_page

_MOST_COLUMNS = 1_000
_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}


def file(site: Site, request: Request, budget: Budget) -> Response:
    """A file of the query's rows. If a limit ended it early, its name says so."""
    form = request.query.get("format", "")
    if form not in _MEDIA:
        raise InvalidArgument(f"format '{form}' is none of: {', '.join(_MEDIA)}")
    query = query_of(request)
    source = request.database.table(query.table)
    page = read_page(source, query, budget, rows=DOWNLOAD.rows, width=None)
    content = _parquet(source, query, page) if form == "parquet" else _FORMS[form](page.rows)
    part = f"-first-{len(page.rows)}-rows" if page.after is not None else ""
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", query.table)[:100]
    attached = {"Content-Disposition": f'attachment; filename="{name}{part}.{form}"'}
    return Response(content, media_type=_MEDIA[form], headers=attached)


def _csv(rows: Iterable[RowPart]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("row", "column", "timestamp", "value"))
    for row in rows:
        for cell in row.cells:
            writer.writerow((printable(row.key), printable(cell.column), cell.timestamp, printable(cell.value)))
    return text.getvalue().encode()


def _json_lines(rows: Iterable[RowPart]) -> bytes:
    """A line per row, as ``rowstone scan --json`` prints it."""
    lines = []
    for row in rows:
        cells = [
            {
                "column": printable(cell.column),
                "timestamp": cell.timestamp,
                "type": cell.type,
                "value": printable(cell.value),
            }
            for cell in row.cells
        ]
        lines.append(json.dumps({"row": printable(row.key), "cells": cells}))
    return "".join(f"{line}\n" for line in lines).encode()


_FORMS = {"csv": _csv, "jsonl": _json_lines}


def _parquet(source: Table, query: Query, page: Page) -> bytes:
    """The rows of a page, read again as Arrow: so their number and their bytes are known."""
    pyarrow = import_optional("pyarrow", "Parquet", "arrow")
    import_optional("pyarrow.parquet", "Parquet", "arrow")
    if not page.rows:
        raise InvalidArgument("the query has no rows: Parquet needs at least one to know the columns")
    columns = {cell.column for row in page.rows for cell in row.cells}
    if len(columns) > _MOST_COLUMNS:
        raise InvalidArgument(
            f"{len(columns)} columns are too many for Parquet; the limit is {_MOST_COLUMNS}: take CSV"
        )
    options: dict[str, Any] = {
        "columns": query.columns or None,
        "filter": query.parsed_filter(),
        "limit": len(page.rows),
    }
    with source.scan(page.rows[0].key, page.rows[-1].key, include_stop=True, **options) as rows:
        found = rows.arrow().read_all()
    sink = io.BytesIO()
    pyarrow.parquet.write_table(found, sink, compression=COMPRESSION)
    return sink.getvalue()
