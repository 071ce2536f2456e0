"""``rowstone backup``"""

from typing import Annotated

import typer

from rowstone.cli._progress import progress_bar
from rowstone.cli._shared import Json, print_json
from rowstone.cli.check import Path


def command(
    directory: Path,
    out: Annotated[str, typer.Argument(help="The new directory for the copy.", metavar="OUT")],
    as_json: Json = False,
) -> None:
    """Copy a database that nobody has open. OUT shares its files with DIR where both are on one disk."""
    import rowstone

    with progress_bar() as progress:
        report = rowstone.backup(directory, out, progress=progress)
    if as_json:
        print_json(report)
    else:
        typer.echo(str(report))
