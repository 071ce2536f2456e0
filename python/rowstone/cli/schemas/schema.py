"""``rowstone schema dump|diff|apply|lint``"""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone.cli.common.arguments import Directory, Json, open_database, print_json
from rowstone.cli.common.status import NO

if TYPE_CHECKING:
    from rowstone import Database

app = typer.Typer(help="Compare and apply a schema in a TOML file.", no_args_is_help=True, rich_markup_mode=None)

File = Annotated[str, typer.Argument(help="The schema's file (TOML).", metavar="FILE")]
DESTRUCTIVE = "Also do steps that may lose data: drop tables, families and indexes, keep fewer versions."


@app.command()
def dump(
    directory: Directory,
    file: Annotated[str | None, typer.Argument(help="Write to this file instead of stdout.", metavar="[FILE]")] = None,
    splits: Annotated[bool, typer.Option(help="Include the tables' split keys.")] = True,
) -> None:
    """Write the schema of a database to a file."""
    from rowstone import schema

    with open_database(directory) as db:
        dumped = schema.dump(db, file, splits=splits)
    if file is None:
        typer.echo(str(dumped), nl=False)
    if splits and not dumped.complete:
        typer.echo("note: permissions may hide tables, so that the file does not say `complete = true`", err=True)


@app.command()
def diff(file: File, directory: Directory, as_json: Json = False) -> None:
    """Show the changes that apply would make. Status 0 if there are none, 1 if there are some."""
    from rowstone import schema

    with open_database(directory) as db:
        plan = schema.diff(db, schema.load(file))
    if as_json:
        print_json([{name: getattr(one, name) for name in ("kind", "target", "changes", "losses")} for one in plan])
    else:
        typer.echo(str(plan))
    if plan:
        raise typer.Exit(NO)


@app.command()
def apply(
    file: File,
    directory: Directory,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    allow_destructive: Annotated[bool, typer.Option("--allow-destructive", help=DESTRUCTIVE)] = False,
) -> None:
    """Show the plan, and carry it out after confirmation. A missing directory is created."""
    from rowstone import schema

    wanted = schema.load(file)
    with _writable(directory) as db:
        plan = schema.diff(db, wanted)
        typer.echo(str(plan))
        if not plan:
            return
        if plan.destructive and not allow_destructive:
            typer.echo(f"{len(plan.destructive)} step(s) may lose data: --allow-destructive does them", err=True)
            raise typer.Exit(NO)
        if not yes and not (sys.stdin.isatty() and typer.confirm("Apply?")):
            typer.echo("nothing was changed: --yes applies it", err=True)
            raise typer.Exit(NO)
        done = schema.apply(db, wanted, allow_destructive=allow_destructive)
        typer.echo(f"{len(done)} step(s) done")


@app.command()
def lint(file: File, as_json: Json = False) -> None:
    """Check a file without a database. Status 1 if a database would refuse it."""
    from rowstone import schema

    findings = schema.lint(schema.load(file))
    if as_json:
        print_json(findings)
    for finding in () if as_json else findings:
        typer.echo(str(finding))
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(NO)
    if not findings and not as_json:
        typer.echo("no findings")


def _writable(target: str) -> "Database":
    import rowstone

    return rowstone.connect(target)
