"""``rowstone stats``"""

from typing import Annotated

import typer

from rowstone.cli._shared import Directory, Json, open_database, print_json


def command(
    directory: Directory,
    table: Annotated[str | None, typer.Argument(help="Only this table.", metavar="[TABLE]")] = None,
    as_json: Json = False,
) -> None:
    """Print statistics of a database, or of one table."""
    with open_database(directory) as db:
        found = db.admin.stats(table)
    if as_json:
        print_json(found)
    else:
        typer.echo(str(found))
