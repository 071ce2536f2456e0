"""``rowstone restore``"""

from typing import Annotated

import typer

from rowstone.cli._progress import progress_bar


def command(
    out: Annotated[str, typer.Argument(help="The backup's directory.", metavar="OUT")],
    directory: Annotated[str, typer.Argument(help="The new directory for the database.", metavar="DIR")],
) -> None:
    """Copy a backup to a new directory, byte by byte; the backup stays."""
    import rowstone

    with progress_bar() as progress:
        typer.echo(str(rowstone.restore(out, directory, progress=progress)))
