"""``rowstone exec``"""

from typing import Annotated

import typer

from rowstone.cli.shell import Json, Place


def command(
    directory: Place,
    commands: Annotated[str, typer.Argument(help="Commands of HBase's shell, with ; or line ends between them.")],
    json: Json = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Look only, also beside a process that writes.")
    ] = False,
) -> None:
    """Commands of HBase's shell, and nothing but their output: rowstone exec DIR "scan 't', LIMIT => 5"."""
    from rowstone.cli._shell import run_commands

    raise typer.Exit(run_commands(directory, commands, as_json=json, read_only=read_only))
