"""``rowstone columns``"""

import json
from typing import Annotated

import typer

from rowstone.cli._progress import progress_line
from rowstone.cli._shared import Directory, Json, TableName, open_database


def command(
    directory: Directory,
    table: TableName,
    family: Annotated[str | None, typer.Option("--family", "-f", help="Only this family.")] = None,
    rows: Annotated[int, typer.Option(min=1, help="Number of rows to read, spread over the table.")] = 1000,
    full: Annotated[bool, typer.Option("--full", help="Read all rows.")] = False,
    as_json: Json = False,
) -> None:
    """List the columns of a table with their frequency, sizes and examples of values."""
    with open_database(directory) as db, progress_line() as show:
        found = db.table(table).column_catalogue(
            family, rows=rows, full=full, progress=lambda count: show(f"{count:,} rows")
        )
    typer.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if as_json else str(found))
