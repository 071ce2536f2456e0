"""``rowstone repair``"""

from typing import Annotated

import typer

from rowstone.cli._progress import progress_bar
from rowstone.cli._shared import Json, print_json
from rowstone.cli._status import DAMAGED
from rowstone.cli.check import Path


def command(
    directory: Path,
    out: Annotated[str, typer.Argument(help="The new directory for the saved data.", metavar="OUT")],
    past_damage: Annotated[
        bool, typer.Option("--past-damage", help="Also keep logged writes that come after missing ones.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Save the readable data of a damaged database into a copy. Status 5 if data was lost."""
    import rowstone

    with progress_bar() as progress:
        report = rowstone.repair(directory, out, past_damage=past_damage, progress=progress)
    if as_json:
        print_json(report)
    else:
        typer.echo(str(report))
    if not report.is_complete:
        raise typer.Exit(DAMAGED)
