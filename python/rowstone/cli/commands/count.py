"""``rowstone count``"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone._base.printable import counted, counted_all, printable, size_text
from rowstone.cli.common.arguments import (
    Columns,
    Directory,
    Json,
    TableName,
    key_of,
    open_database,
    print_json,
)
from rowstone.cli.common.output import progress_line
from rowstone.cli.common.status import INTERRUPTED

if TYPE_CHECKING:
    from rowstone.jobs import Summary


def command(
    directory: Directory,
    table: TableName,
    cells: Annotated[bool, typer.Option("--cells", help="Also count cells and bytes of each column.")] = False,
    columns: Columns = None,
    start: Annotated[str | None, typer.Option(help=r"First row, included; \x00 stands for a byte.")] = None,
    stop: Annotated[str | None, typer.Option(help="End row, excluded.")] = None,
    workers: Annotated[int, typer.Option(help="Number of regions processed in parallel.", min=1)] = 1,
    state: Annotated[Path | None, typer.Option(help="File of counted regions, to continue after Ctrl-C.")] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Start over, ignoring --state.")] = False,
    as_json: Json = False,
) -> None:
    """Count the rows of a table. With --cells, count all versions of each column too."""
    from rowstone import jobs

    with open_database(directory) as db:
        try:
            with progress_line() as show:
                found = (jobs.summarize_table if cells else jobs.count_rows)(
                    db,
                    table,
                    columns=list(columns) if columns else None,
                    start=key_of(start),
                    stop=key_of(stop),
                    workers=workers,
                    state=state,
                    restart=restart,
                    progress=lambda rows: show(f"{rows:,} rows"),
                )
        except KeyboardInterrupt:
            typer.echo("interrupted" + ("" if state is None else ": the same command continues"), err=True)
            sys.exit(INTERRUPTED)
    if as_json:
        print_json({"rows": found} if isinstance(found, int) else found)
    elif isinstance(found, int):
        typer.echo(counted(found, "row"))
    else:
        _print(found)


def _print(summary: "Summary") -> None:
    for name, column in summary.columns.items():
        times = f"{column.oldest} to {column.newest}"
        sizes = (
            f"{size_text(column.value_bytes)}, values of {column.smallest_bytes:,} to {column.largest_bytes:,} bytes"
        )
        found = counted_all((column.rows, "row"), (column.cells, "cell"))
        typer.echo(f"{printable(name)}  {found}, {sizes}, timestamps {times}")
    if summary.others.cells:
        typer.echo(f"other columns  {counted(summary.others.cells, 'cell')}, {size_text(summary.others.value_bytes)}")
    if summary.first_row is not None and summary.last_row is not None:
        ends = f"{printable(summary.first_row, 60)} to {printable(summary.last_row, 60)}"
        widest = counted(summary.widest_row_cells, "cell")
        typer.echo(f"keys from {ends}, up to {summary.longest_key_bytes:,} bytes; up to {widest}")
    typer.echo(
        f"{counted_all((summary.rows, 'row'), (summary.cells, 'cell'))}, {size_text(summary.value_bytes)} of values"
    )
