"""``rowstone backup`` and ``restore``."""

from typing import Annotated

import typer

from rowstone.cli.common.arguments import Directory, Json, print_json
from rowstone.cli.common.output import progress_bar


def backup(
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


def restore(
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
