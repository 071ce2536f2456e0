"""``rowstone advise``"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from rowstone.cli.common.arguments import Json, open_database
from rowstone.cli.common.output import progress_line
from rowstone.cli.common.status import NO

if TYPE_CHECKING:
    from rowstone.schema.advise import Report
    from rowstone.schema.advise._rule import Level

Target = Annotated[
    str, typer.Argument(help="The database's directory, a cluster's URL, or a schema's file (TOML).", metavar="DIR")
]
Tables = Annotated[list[str] | None, typer.Argument(help="Only these tables.", metavar="[TABLE]...")]
SETTINGS = "A TOML file: thresholds, levels and rules to leave out."
FAIL_ON = "info, warning, error or never: status 1 where there is a finding of this level or a worse one."


def command(
    target: Target,
    tables: Tables = None,
    settings: Annotated[str | None, typer.Option("--settings", "-s", help=SETTINGS)] = None,
    access: Annotated[str | None, typer.Option("--access", "-a", help="A JSON file on the use of tables.")] = None,
    keys: Annotated[str | None, typer.Option("--keys", "-k", help="A file of expected row keys, one per line.")] = None,
    rows: Annotated[int, typer.Option(min=0, help="Rows to read from each region; 0 for none.")] = 200,
    fail_on: Annotated[str, typer.Option("--fail-on", help=FAIL_ON)] = "warning",
    as_json: Json = False,
) -> None:
    """Recommend improvements to a schema. Reads the descriptor, a sample of the data and the heat map."""
    from rowstone import schema
    from rowstone.errors import InvalidArgument
    from rowstone.schema.advise import advise, load_access, load_settings, read_keys
    from rowstone.schema.advise._rule import LEVELS

    if fail_on not in (*LEVELS, "never"):
        raise InvalidArgument(f"--fail-on '{fail_on}' is not one of: {', '.join(LEVELS)}, never")
    chosen = load_settings(settings) if settings else None
    used = load_access(access) if access else None
    planned = read_keys(keys) if keys else None
    if target.endswith(".toml") and not Path(target).is_dir():
        report = advise(schema.load(target), tables, settings=chosen, access=used, keys=planned)
    else:
        with open_database(target) as db, progress_line() as show:
            report = advise(db, tables, settings=chosen, access=used, keys=planned, rows_per_region=rows, progress=show)
    if as_json:
        typer.echo(report.to_json())
    else:
        show_report(report)
    if fail_on != "never" and report.at_least(cast("Level", fail_on)):
        raise typer.Exit(NO)


def show_report(report: "Report") -> None:
    """Print a table of the findings, and a line on the questions asked."""
    from rich.console import Console
    from rich.table import Table

    if report.findings:
        table = Table("level", "rule", "table", "where", "finding", "remedy", box=None, pad_edge=False)
        for line in report.lines():
            table.add_row(*(part.replace("[", "\\[") for part in line))
        console = Console(highlight=False)
        # In a pipe lines are not wrapped.
        console.print(table) if console.is_terminal else Console(width=400, highlight=False).print(table)
    typer.echo(report.summary)
