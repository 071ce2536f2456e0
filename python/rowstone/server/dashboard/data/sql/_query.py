"""Queries in SQL over a table with DuckDB.

DuckDB is no sandbox. A query is therefore one SELECT, or EXPLAIN of one without ANALYZE, which would run it. The
database is in memory, without files, network, extensions and changes of settings. A query ends after its limit of
seconds.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rowstone._base.lazy import import_optional
from rowstone._base.printable import printable
from rowstone._core.frames import Rescan
from rowstone._core.table import Table
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data.sql._errors import Names, explain_error
from rowstone.server.dashboard.data.sql._view import View, find_view

MOST_COLUMNS = 300
"""Columns of the table ``rows``."""
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
_FETCHED_ROWS = 100


@dataclass(frozen=True)
class Result:
    """The result of a query: its lines, whether a limit left out others, and the part of the table that it saw."""

    headings: list[str]
    lines: list[tuple[Any, ...]]
    has_more: bool
    view: View


def run_query(source: Table, text: str, budget: Budget) -> Result:
    """Run a query within the limits of a budget. Raises `InvalidArgument`."""
    library = import_optional("duckdb", "SQL", "duckdb")
    view = find_view(source, budget)
    names = Names()
    try:
        with _connection(library, source, view.end) as (connection, names), _interrupted(connection, budget):
            _check_statement(connection, text)
            cursor = connection.execute(text)
            headings = [str(column[0]) for column in cursor.description or ()]
            lines, has_more = _fetch(cursor, budget)
    except library.InterruptException:
        budget.check()
        raise InvalidArgument(f"the limit of {budget.limits.seconds:g} seconds ended the query") from None
    except library.Error as error:
        raise InvalidArgument(explain_error(error, names)) from None
    return Result(headings, lines, has_more, view)


def _fetch(cursor: Any, budget: Budget) -> tuple[list[tuple[Any, ...]], bool]:
    """The lines of a result up to a limit, and whether there are more."""
    lines: list[tuple[Any, ...]] = []
    while part := cursor.fetchmany(_FETCHED_ROWS):
        lines += part
        if len(lines) > budget.limits.rows:
            return lines[: budget.limits.rows], True
        if budget.spend(sum(len(value) for line in part for value in line if isinstance(value, str | bytes))):
            return lines, True
    return lines, False


def _check_statement(connection: Any, text: str) -> None:
    """Raise `InvalidArgument` unless the text is one SELECT, or EXPLAIN and one SELECT."""
    statements = connection.extract_statements(_EXPLAIN.sub("", text, count=1) if _EXPLAIN.match(text) else text)
    if len(statements) != 1 or statements[0].type.name != "SELECT":
        raise InvalidArgument("a query is one SELECT statement, or EXPLAIN and one SELECT statement")


@contextmanager
def _connection(library: Any, source: Table, end: bytes | None) -> Iterator[tuple[Any, Names]]:
    """A database in memory with views of a table up to a key, and their names."""
    bounds: dict[str, Any] = {"stop": end}
    with library.connect(":memory:", config=_SETTINGS) as connection:
        # Not in the settings: they are set in any order, and this one forbids to set the folder.
        connection.execute("SET enable_external_access = false")
        columns = source.scan(**bounds)._columns()
        many = f"table 'rows' has at most {MOST_COLUMNS} columns, and this table has {len(columns)}: use 'cells'"
        names = Names(("cells", "stored"), no_rows=many)
        if len(columns) <= MOST_COLUMNS:
            connection.register("rows", Rescan(source.scan(**bounds), "rows", {}))
            names = Names(("rows", *names.tables), tuple(printable(b":".join(column)) for column in columns))
        connection.register("cells", Rescan(source.scan(**bounds), "cells", {}))
        connection.register("stored", Rescan(source.scan(**bounds, raw=True, versions=None), "cells", {}))
        connection.execute("SET lock_configuration = true")
        yield connection, names


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
