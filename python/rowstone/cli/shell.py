"""``rowstone shell``"""

from typing import Annotated

import typer

Place = Annotated[
    str, typer.Argument(help="The database's directory, made where it is missing, or a cluster's URL.", metavar="DIR")
]
Json = Annotated[bool, typer.Option("--json", help="A JSON object per line instead of tables.")]


def command(
    directory: Place = ":memory:",
    file: Annotated[
        str | None,
        typer.Argument(help="Commands to run first, or alone with -n.", metavar="[FILE]", show_default=False),
    ] = None,
    noninteractive: Annotated[
        bool, typer.Option("--noninteractive", "-n", help="End at the first error, with status 1.")
    ] = False,
    json: Json = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Look only, also beside a process that writes.")
    ] = False,
) -> None:
    """HBase's shell: its commands and its output, on a directory or a cluster. Without DIR in memory, to try things."""
    from rowstone.cli._shell import run_shell

    raise typer.Exit(
        run_shell(directory, file, noninteractive=noninteractive, as_json=json, read_only=read_only),
    )
