"""``rowstone scan``"""

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


def command(
    directory: Directory,
    table: TableName,
    prefix: Annotated[str | None, typer.Option(help=r"Row key prefix; \x00 stands for a byte.")] = None,
    start: Annotated[str | None, typer.Option(help="First row, included.")] = None,
    stop: Annotated[str | None, typer.Option(help="End row, excluded.")] = None,
    limit: Annotated[int, typer.Option(help="Maximum number of rows; 0 for all.")] = 20,
    columns: Columns = None,
    versions: Versions = 1,
    raw: Annotated[bool, typer.Option("--raw", help="Include delete markers and deleted cells.")] = False,
    reverse: Annotated[bool, typer.Option("--reverse", help="In descending order of row keys.")] = False,
    filter: Filter = None,
    format: FormatOption = None,
    as_json: JsonRows = False,
) -> None:
    """Print rows of a table, in order."""
    from rowstone.cli._output import print_rows

    with (
        open_database(directory) as db,
        db.table(table).scan(
            key_of(start),
            key_of(stop),
            prefix=key_of(prefix),
            limit=limit or None,
            columns=columns or None,
            versions=versions,
            raw=raw,
            reverse=reverse,
            filter=filter,
        ) as rows,
    ):
        count = print_rows(rows, format_of(format, as_json))
    more = "; --limit 0 shows all" if limit and count == limit else ""
    typer.echo(f"{count} row{'' if count == 1 else 's'}{more}", err=True)
