"""``rowstone tables``"""

from typing import Annotated

import typer

from rowstone.cli._shared import Directory, open_database


def command(
    directory: Directory,
    namespace: Annotated[str | None, typer.Option(help="Only the tables of this namespace.")] = None,
    names: Annotated[bool, typer.Option("--names", help="Only names, one per line.")] = False,
) -> None:
    """The tables with their families, as HBase's shell describes them."""
    with open_database(directory) as db:
        for name in db.tables(namespace):
            typer.echo(name if names else f"{db.admin.describe(name)}\n")
