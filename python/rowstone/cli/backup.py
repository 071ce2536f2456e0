"""``rowstone backup``"""

from typing import Annotated

import typer

from rowstone.cli._progress import progress_bar
from rowstone.cli._shared import Directory, Json, print_json


def command(
    directory: Directory,
    out: Annotated[str, typer.Argument(help="The new directory for the copy.", metavar="OUT")],
    as_json: Json = False,
) -> None:
    """Copy a database that no process has open; or by its URL one that is served, while it is written to.

    OUT shares its files with DIR if both are on one disk.
    """
    import rowstone

    with progress_bar() as progress:
        report = rowstone.backup(directory, out, progress=progress)
    if as_json:
        print_json(report)
    else:
        typer.echo(str(report))
