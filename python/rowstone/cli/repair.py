"""``rowstone repair``"""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from rowstone.cli._progress import progress_bar
from rowstone.cli.check import Json, Path, plain


def command(
    directory: Path,
    out: Annotated[str, typer.Argument(help="The new directory for what can be saved.", metavar="OUT")],
    past_damage: Annotated[
        bool, typer.Option("--past-damage", help="Keep logged writes that come after missing ones, too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Save what can be read of a damaged database into a copy. Status 1 where something is lost."""
    import rowstone

    with progress_bar() as progress:
        report = rowstone.repair(directory, out, past_damage=past_damage, progress=progress)
    typer.echo(json.dumps(plain(asdict(report))) if as_json else str(report))
    if not report.is_complete:
        raise typer.Exit(1)
