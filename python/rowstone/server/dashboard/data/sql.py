"""``/sql/NAME``: SQL over a table with DuckDB, as a table and as charts. Only in ``rowstone explore``.

DuckDB is no sandbox. The page therefore accepts one SELECT, or EXPLAIN of one without ANALYZE, which would run it. The
database is in memory, without files, network, extensions and changes of settings. A query needs the token of the page's
own form, and ends after its limit of seconds.
"""

from __future__ import annotations

import hmac
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rowstone._base.lazy import import_optional
from rowstone._base.printable import printable
from rowstone._core.frames import Rescan
from rowstone._core.table import Table
from rowstone.errors import InvalidArgument
from rowstone.filters import KeyOnlyFilter
from rowstone.server.dashboard._charts import charts
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section, table
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, duration, size
from rowstone.server.dashboard.data._budget import PAGE, Budget, QueryLimits
from rowstone.server.dashboard.data._cells import data, head
from rowstone.server.dashboard.data._examples import EXAMPLES, TWO_ROWS
from rowstone.server.dashboard.data._values import show_value

VIEW = QueryLimits(rows=100_000, bytes=256 << 20, seconds=2.5)
"""The part of the table that a query sees, from its first row on; the time to find its end."""
_MOST_CELLS = 500_000
_MOST_COLUMNS = 300
_MOST_ERROR_CHARACTERS = 500
_KEY_BYTES = 80
_SETTINGS = {
    # DuckDB may always access this folder; by default it is ".tmp" in the current folder.
    "temp_directory": "",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "memory_limit": "512MB",
    "threads": "2",
}
_EXPLAIN = re.compile(r"\s*explain\s", re.IGNORECASE)
_EVERY_SECONDS = 0.1
_BATCH_CELLS = 1_000
_HELP = markup(
    "Tables: {} has a row per row and a column per column, {} a row per cell. Values without a declared codec are "
    "bytes: {} is their text. A query sees the first rows of the table: at most {} rows, {} cells and {}. "
    "It may take {} seconds.",
    code("rows"), code("cells"), code('decode("f:name")'), count(VIEW.rows), count(_MOST_CELLS), size(VIEW.bytes),
    f"{PAGE.seconds:g}",
)  # fmt: skip


def body(site: Site, request: Request, budget: Budget) -> Markup:
    # Browsers send the lines of a text area with carriage returns.
    text = request.query.get("query", "").replace("\r\n", "\n").strip()
    token = site.token_of(request.user, "sql")
    source = request.database.table(request.rest)
    parts = [head("SQL", request.rest), _form(request.rest, text or "SELECT * FROM rows LIMIT 20", token)]
    is_own = hmac.compare_digest(request.query.get("token", "").encode(), token.encode())
    if text == TWO_ROWS:
        parts.append(notice("example loaded: replace KEY 1 and KEY 2 with keys of rows, then Run"))
    elif text and not is_own:
        known = "example loaded: change it if you like, then Run"
        foreign = "the address does not come from this page's form: read the query, then Run"
        parts.append(notice(known if text in EXAMPLES.values() else foreign))
    elif text:
        try:
            parts.append(_result(source, text, budget))
        except InvalidArgument as error:
            parts.append(notice(str(error)))
    return joined(parts)


def _form(of_table: str, text: str, token: str) -> Markup:
    links = [link(address_of("sql", of_table, query=query, token=token), name) for name, query in EXAMPLES.items()]
    return markup(
        '<form class="query sql" action="{}"><input type="hidden" name="token" value="{}">'
        '<label class="wide">Query<textarea name="query" rows="5" spellcheck="false">{}</textarea></label>'
        '<button>Run</button></form><p class="note">{}<br>Examples: {}.</p>',
        address_of("sql", of_table),
        token,
        text,
        _HELP,
        markup(", ".join(["{}"] * len(links)), *links),
    )


def _result(source: Table, text: str, budget: Budget) -> Markup:
    library = import_optional("duckdb", "SQL", "duckdb")
    end = _end_of_view(source, budget)
    try:
        with _connection(library, source, end) as connection, _interrupted(connection, budget):
            _check_statement(connection, text)
            cursor = connection.execute(text)
            headings = [str(column[0]) for column in cursor.description or ()]
            found = cursor.fetchmany(PAGE.rows + 1)
    except library.InterruptException:
        budget.check()
        raise InvalidArgument(f"the limit of {PAGE.seconds:g} seconds ended the query") from None
    except library.Error as error:
        raise InvalidArgument(str(error)[:_MOST_ERROR_CHARACTERS]) from None
    lines = [
        [_value(value, source.name if name == "row" else "") for name, value in zip(headings, line, strict=True)]
        for line in found[: PAGE.rows]
    ]
    more = f"The first {count(PAGE.rows)} rows" if len(found) > PAGE.rows else f"{count(len(found))} rows"
    listed = data(table([code(heading[:100]) for heading in headings], lines, empty="No rows."))
    cut = notice(f"only rows before '{printable(end, 60)}' were read: the table is beyond the limits" if end else None)
    drawn = charts(headings, found[: PAGE.rows], lambda name: show_value(name, limit=40).text)
    return section("Result", cut, listed, *drawn, note=f"{more}, {duration(budget.seconds * 1e9)}.")


def _check_statement(connection: Any, text: str) -> None:
    """Raise `InvalidArgument` unless the text is one SELECT, or EXPLAIN and one SELECT."""
    statements = connection.extract_statements(_EXPLAIN.sub("", text, count=1) if _EXPLAIN.match(text) else text)
    if len(statements) != 1 or statements[0].type.name != "SELECT":
        raise InvalidArgument("a query is one SELECT statement, or EXPLAIN and one SELECT statement")


@contextmanager
def _connection(library: Any, source: Table, end: bytes | None) -> Iterator[Any]:
    """A database in memory with the views ``cells`` and, unless there are too many columns, ``rows``, up to a key."""
    bounds: dict[str, Any] = {"stop": end}
    with library.connect(":memory:", config=_SETTINGS) as connection:
        # Not in the settings: they are set in any order, and this one forbids to set the folder.
        connection.execute("SET enable_external_access = false")
        connection.register("cells", Rescan(source.scan(**bounds), "cells", {}))
        names = source.scan(**bounds)
        if len(names._columns()) <= _MOST_COLUMNS:
            connection.register("rows", Rescan(source.scan(**bounds), "rows", {}))
        connection.execute("SET lock_configuration = true")
        yield connection


def _end_of_view(source: Table, budget: Budget) -> bytes | None:
    """The first key beyond the limits of `VIEW`; None at the end of the table.

    The scan is raw, because deleted cells cost time too, and reads the lengths of values instead of values.
    """
    lengths = KeyOnlyFilter(length_as_value=True)
    key, rows, cells, seen = b"", 0, 0, 0
    with source.scan(raw=True, filter=lengths, batch=_BATCH_CELLS) as parts:
        for part in parts:
            budget.check()
            rows += part.key != key
            key = part.key
            cells += len(part.cells)
            seen += sum(int.from_bytes(cell.value, "big") for cell in part.cells)
            if rows > VIEW.rows or cells > _MOST_CELLS or seen > VIEW.bytes or budget.seconds > VIEW.seconds:
                if rows == 1:
                    raise InvalidArgument(f"row '{printable(key, 60)}' alone is beyond the limits of SQL")
                return key
    return None


@contextmanager
def _interrupted(connection: Any, budget: Budget) -> Iterator[None]:
    """Interrupt the connection's query when the client disconnects or the limit of seconds is reached."""
    is_done = threading.Event()

    def watch() -> None:
        while not is_done.wait(_EVERY_SECONDS):
            if budget.is_over:
                connection.interrupt()

    thread = threading.Thread(target=watch, name="rowstone-sql", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def _value(value: object, of_table: str = "") -> object:
    """A value of a result as text; with ``of_table``, bytes as a link to the row of this key."""
    if isinstance(value, bytes) and of_table:
        return link(address_of("row", of_table, key=printable(value)), code(printable(value, _KEY_BYTES)))
    if isinstance(value, bytes):
        return show_value(value).text
    text = "" if value is None else str(value)
    return f"{text[:200]}…" if len(text) > 200 else text
