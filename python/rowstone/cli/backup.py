"""``rowstone backup``"""

from typing import Annotated

import typer

from rowstone.cli._progress import progress_bar
from rowstone.cli.check import Path


def command(
    directory: Path,
    out: Annotated[str, typer.Argument(help="The new directory for the copy.", metavar="OUT")],
) -> None:
    """Copy a database that nobody has open. OUT shares its files with DIR where both are on one disk."""
    import rowstone

    with progress_bar() as progress:
        typer.echo(str(rowstone.backup(directory, out, progress=progress)))
