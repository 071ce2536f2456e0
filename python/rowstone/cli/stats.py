"""``rowstone stats``"""

from typing import Annotated

import typer

from rowstone.cli._shared import Directory, open_database


def command(
    directory: Directory,
    table: Annotated[str | None, typer.Argument(help="Only this table.", metavar="[TABLE]")] = None,
) -> None:
    """Numbers of a database, or of one table."""
    with open_database(directory) as db:
        typer.echo(str(db.admin.stats(table)))
