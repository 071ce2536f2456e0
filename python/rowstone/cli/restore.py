"""``rowstone restore``"""

from typing import Annotated

import typer

from rowstone.cli._progress import progress_bar
from rowstone.cli._shared import Json, print_json


def command(
    out: Annotated[str, typer.Argument(help="The backup's directory.", metavar="OUT")],
    directory: Annotated[str, typer.Argument(help="The new directory for the database.", metavar="DIR")],
    as_json: Json = False,
) -> None:
    """Copy a backup to a new directory, byte by byte; the backup stays."""
    import rowstone

    with progress_bar() as progress:
        report = rowstone.restore(out, directory, progress=progress)
    if as_json:
        print_json(report)
    else:
        typer.echo(str(report))
