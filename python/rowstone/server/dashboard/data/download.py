"""``/download/NAME?format=``: the rows of a query as CSV, JSON lines or Parquet, within a limit.

CSV has a line per cell and JSON lines one per row, bytes as text with ``\\xHH``. Parquet has a row per row, with
declared types. In CSV a first character that spreadsheets take for a formula is ``\\xHH`` too.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from starlette.responses import Response

from rowstone._base.lazy import import_optional
from rowstone._base.printable import printable
from rowstone._core.frames import arrow
from rowstone._core.parquet import COMPRESSION
from rowstone._core.table import Table
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard.data._budget import DOWNLOAD, Budget
from rowstone.server.dashboard.data._files import csv_field, file_name
from rowstone.server.dashboard.data._query import Query, query_of
from rowstone.server.dashboard.data._reader import Page, RowPart, read_page

_MOST_COLUMNS = 1_000
_BATCH_ROWS = 500
_BATCH_BYTES = 1 << 20
_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}


def file(site: Site, request: Request, budget: Budget) -> Response:
    """A file of the query's rows. If a limit ended it early, its name says so."""
    form = request.query.get("format", "")
    if form not in _MEDIA:
        raise InvalidArgument(f"format '{form}' is not one of: {', '.join(_MEDIA)}")
    query = query_of(request)
    source = request.database.table(query.table)
    page = read_page(source, query, budget, rows=DOWNLOAD.rows, width=None)
    is_cut = bool(page.rows) and page.rows[-1].is_cut
    if is_cut and len(page.rows) > 1:
        # Only whole rows, as the name says.
        page.rows.pop()
        is_cut = False
    if form == "parquet":
        content, number = _parquet(source, query, page, budget)
    else:
        content, number = _FORMS[form](page.rows), len(page.rows)
    is_part = page.after is not None or number < len(page.rows)
    part = "-first-row-cut" if is_cut else f"-first-{number}-rows" if is_part else ""
    name = _name(query)
    attached = {"Content-Disposition": f'attachment; filename="{name}{part}.{form}"'}
    return Response(content, media_type=_MEDIA[form], headers=attached)


def _name(query: Query) -> str:
    r"""The beginning of a file's name: the table, prefix, first key, end key, and whether there is a filter.

    >>> _name(Query("n:t", prefix=b"berlin", filter="KeyOnlyFilter()")), _name(Query("t", start=b"a/\"\x00"))
    ('n-t-berlin-filtered', 't-from-a---x00')
    """
    start = f"from-{printable(query.start)}" if query.start else ""
    stop = f"before-{printable(query.stop)}" if query.stop else ""
    parts = (query.table, printable(query.prefix), start, stop, "filtered" if query.filter else "")
    return file_name(*parts)


def _csv(rows: Iterable[RowPart]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("row", "column", "timestamp", "value"))
    for row in rows:
        for cell in row.cells:
            writer.writerow((csv_field(row.key), csv_field(cell.column), cell.timestamp, csv_field(cell.value)))
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


def _parquet(source: Table, query: Query, page: Page, budget: Budget) -> tuple[bytes, int]:
    """The rows of a page, read again as Arrow, and their number, which a limit may make smaller."""
    pyarrow = import_optional("pyarrow", "Parquet", "arrow")
    parquet = import_optional("pyarrow.parquet", "Parquet", "arrow")
    if not page.rows:
        raise InvalidArgument("the query has no rows: Parquet needs at least one to know the columns")
    if page.rows[-1].is_cut:
        raise InvalidArgument("the first row is larger than the limit of a download: use rowstone export")
    columns = sorted({(cell.family, cell.qualifier) for row in page.rows for cell in row.cells})
    if len(columns) > _MOST_COLUMNS:
        raise InvalidArgument(
            f"{len(columns)} columns are too many for Parquet; the limit is {_MOST_COLUMNS}: take CSV"
        )
    options: dict[str, Any] = {"columns": query.columns or None, "filter": query.parsed_filter()}
    options |= {"limit": len(page.rows), "include_stop": True}
    again, batches, sink = Budget(budget.limits), [], io.BytesIO()
    with source.scan(page.rows[0].key, page.rows[-1].key, **options) as rows:
        stream = arrow(rows, columns=columns, batch_rows=_BATCH_ROWS, batch_bytes=_BATCH_BYTES)
        reader = pyarrow.RecordBatchReader.from_stream(stream)
        for batch in reader:
            budget.check()
            batches.append(batch)
            if again.spend(batch.nbytes):
                break
    found = pyarrow.Table.from_batches(batches, reader.schema)
    parquet.write_table(found, sink, compression=COMPRESSION)
    return sink.getvalue(), found.num_rows
