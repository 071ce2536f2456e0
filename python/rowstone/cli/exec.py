"""``rowstone exec``"""

from typing import Annotated

import typer

from rowstone.cli.shell import Json, Place


def command(
    directory: Place,
    commands: Annotated[str, typer.Argument(help="Commands of HBase's shell, with ; or line ends between them.")],
    json: Json = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Only read; also works while another process writes.")
    ] = False,
) -> None:
    """Run commands of HBase's shell and print only their output: rowstone exec DIR "scan 't', LIMIT => 5"."""
    from rowstone.cli._shell import run_commands

    raise typer.Exit(run_commands(directory, commands, as_json=json, read_only=read_only))
