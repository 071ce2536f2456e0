"""Output of rows: as a table, as cells, or as JSON; and progress of a long command, on a terminal only."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from rowstone._base.printable import printable
from rowstone.cli.common.arguments import Format

if TYPE_CHECKING:
    from rowstone import Cell, Row


def print_rows(rows: "Iterable[Row]", chosen: Format | None) -> int:
    """Print rows as they are read; return their number."""
    form = chosen or (Format.TABLE if sys.stdout.isatty() else Format.CELLS)
    if form is Format.TABLE:
        return _table(rows)
    count = 0
    for row in rows:
        count += 1
        if form is Format.JSON:
            typer.echo(json.dumps(_plain(row)))
        else:
            for cell in row.cells:
                typer.echo(_line(cell))
    return count


def _line(cell: "Cell") -> str:
    # The format of HBase's shell, so that tools for its output also work here.
    kind = "" if cell.type == "Put" else f", type={cell.type}"
    place = f"column={printable(cell.column)}, timestamp={cell.timestamp}{kind}"
    return f"{printable(cell.row)}  {place}, value={printable(cell.value)}"


def _plain(row: "Row") -> dict[str, object]:
    cells = [
        {
            "column": printable(cell.column),
            "timestamp": cell.timestamp,
            "type": cell.type,
            "value": printable(cell.value),
        }
        for cell in row.cells
    ]
    return {"row": printable(row.key), "cells": cells}


def _table(rows: "Iterable[Row]") -> int:
    from rich.console import Console
    from rich.table import Table

    table = Table("row", "column", "timestamp", "type", "value", box=None, pad_edge=False)
    count = 0
    for row in rows:
        count += 1
        key = printable(row.key, 60)
        for cell in row.cells:
            table.add_row(key, printable(cell.column, 60), str(cell.timestamp), cell.type, printable(cell.value, 60))
            key = ""
    Console(highlight=False, markup=False).print(table)
    return count


@contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Yield a function that replaces the line by a text."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield status.update


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows a file's name and a progress bar."""
    if not sys.stderr.isatty():
        yield lambda file, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda file, done, total: bar.update(task, description=file[-40:], completed=done, total=total or None)
