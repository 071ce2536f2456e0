"""``rowstone get`` and ``scan``: rows of a table."""

from typing import Annotated

import typer

from rowstone.cli.common.arguments import (
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
from rowstone.cli.common.status import NO


def get(
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
    from rowstone.cli.common.output import print_rows

    with open_database(directory) as db:
        key = key_of(row) or b""
        found = db.table(table).get(key, columns or None, versions=versions, timestamp=timestamp, filter=filter)
        if not found:
            narrow = f"row '{row}' of table '{table}' has no cell that matches the options"
            typer.echo(narrow if db.table(table).exists(key) else f"no row '{row}' in table '{table}'", err=True)
            raise typer.Exit(NO)
        print_rows([found], format_of(format, as_json))


def scan(
    directory: Directory,
    table: TableName,
    prefix: Annotated[str | None, typer.Option(help=r"Row key prefix; \x00 stands for a byte.")] = None,
    start: Annotated[str | None, typer.Option(help="First row, included.")] = None,
    stop: Annotated[str | None, typer.Option(help="End row, excluded.")] = None,
    limit: Annotated[int, typer.Option(min=0, help="Maximum number of rows; 0 for all.")] = 20,
    columns: Columns = None,
    versions: Versions = 1,
    raw: Annotated[bool, typer.Option("--raw", help="Include delete markers and deleted cells.")] = False,
    reverse: Annotated[bool, typer.Option("--reverse", help="In descending order of row keys.")] = False,
    filter: Filter = None,
    format: FormatOption = None,
    as_json: JsonRows = False,
) -> None:
    """Print rows of a table, in order."""
    from rowstone.cli.common.output import print_rows

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
