"""``rowstone get``"""

from typing import Annotated

import typer

from rowstone.cli._shared import (
    Columns,
    Directory,
    Filter,
    FormatOption,
    JsonRows,
    TableName,
    Versions,
    format_of,
    key_of,
    open_database,
)
from rowstone.cli._status import NO


def command(
    directory: Directory,
    table: TableName,
    row: Annotated[str, typer.Argument(help=r"The row key; \x00 stands for a byte.", metavar="ROW")],
    columns: Columns = None,
    versions: Versions = 1,
    timestamp: Annotated[int | None, typer.Option(help="Only cells of exactly this timestamp.")] = None,
    filter: Filter = None,
    format: FormatOption = None,
    as_json: JsonRows = False,
) -> None:
    """Print one row of a table. Status 1 if there is none."""
    from rowstone.cli._output import print_rows

    with open_database(directory) as db:
        key = key_of(row) or b""
        found = db.table(table).get(key, columns or None, versions=versions, timestamp=timestamp, filter=filter)
        if not found:
            typer.echo(f"no row '{row}' in table '{table}'", err=True)
            raise typer.Exit(NO)
        print_rows([found], format_of(format, as_json))
