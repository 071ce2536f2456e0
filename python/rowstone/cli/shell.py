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
    from contextlib import ExitStack

    from rowstone.cli._places import open_to_write
    from rowstone.shell import run_shell

    with ExitStack() as stack:
        script = stack.enter_context(open(file, encoding="utf-8", errors="surrogateescape")) if file else None  # noqa: PTH123
        db = stack.enter_context(open_to_write(directory, read_only=read_only))
        status = run_shell(db, script=script, interactive=not noninteractive, as_json=json)
    raise typer.Exit(status)
