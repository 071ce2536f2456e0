"""``rowstone shell``"""

from typing import Annotated

import typer

Place = Annotated[
    str, typer.Argument(help="The database's directory, created if missing, or a cluster's URL.", metavar="DIR")
]
Json = Annotated[bool, typer.Option("--json", help="Print a JSON object per line instead of tables.")]


def command(
    directory: Place = ":memory:",
    file: Annotated[
        str | None,
        typer.Argument(help="File of commands to run first; with -n only these.", metavar="[FILE]", show_default=False),
    ] = None,
    noninteractive: Annotated[
        bool, typer.Option("--noninteractive", "-n", help="End at the first error, with status 1.")
    ] = False,
    json: Json = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Only read; also works while another process writes.")
    ] = False,
) -> None:
    """Run HBase's shell on a directory or a cluster. Without DIR it runs in memory, to try things out."""
    from rowstone.cli._shell import run_shell

    raise typer.Exit(
        run_shell(directory, file, noninteractive=noninteractive, as_json=json, read_only=read_only),
    )
