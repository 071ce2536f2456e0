"""``rowstone shell`` and ``exec`` run commands of HBase's shell; ``demo`` fills a database to try them on."""

from typing import Annotated

import typer

Target = Annotated[
    str, typer.Argument(help="The database's directory, created if missing, or a cluster's URL.", metavar="DIR")
]
Json = Annotated[bool, typer.Option("--json", help="Print a JSON object per line instead of tables.")]


def shell(
    directory: Target = ":memory:",
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
    """Run HBase's shell on a directory or a cluster. Without DIR it runs in memory and saves nothing."""
    from rowstone.cli._start import run_shell

    raise typer.Exit(
        run_shell(directory, file, noninteractive=noninteractive, as_json=json, read_only=read_only),
    )


def run_one(
    directory: Target,
    commands: Annotated[str, typer.Argument(help="Commands of HBase's shell, with ; or line ends between them.")],
    json: Json = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Only read; also works while another process writes.")
    ] = False,
) -> None:
    """Run commands of HBase's shell. Prints only their output: rowstone exec DIR "scan 't', LIMIT => 5"."""
    from rowstone.cli._start import run_commands

    raise typer.Exit(run_commands(directory, commands, as_json=json, read_only=read_only))


def demo(
    at: Annotated[str, typer.Option(help="Directory of the demo's database, or a cluster's URL.")] = "demo-data",
    flights: Annotated[int | None, typer.Option(help="Load only this many of the 336,776 flights.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Load the data again, even if it exists.")] = False,
) -> None:
    """Load real flights into tables and run eight queries. Then shows the webtable."""
    from rowstone.cli.demo import run

    run(at, flight_count=flights, fresh=fresh)
