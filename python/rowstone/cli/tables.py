"""``rowstone tables``"""

from typing import Annotated

import typer

from rowstone.cli._shared import Directory, Json, open_database, print_json


def command(
    directory: Directory,
    namespace: Annotated[str | None, typer.Option(help="Only the tables of this namespace.")] = None,
    names: Annotated[bool, typer.Option("--names", help="Only names, one per line.")] = False,
    as_json: Json = False,
) -> None:
    """List the tables with their families, as HBase's shell describes them."""
    with open_database(directory) as db:
        if as_json:
            found = db.tables(namespace)
            print_json(found if names else [db.admin.describe(name) for name in found])
            return
        for name in db.tables(namespace):
            typer.echo(name if names else f"{db.admin.describe(name)}\n")
