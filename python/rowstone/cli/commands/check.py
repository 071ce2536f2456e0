"""``rowstone check`` and ``repair``: damaged files."""

from typing import TYPE_CHECKING, Annotated

import typer

from rowstone._base.printable import counted_all, size_text
from rowstone.cli.common.arguments import Json, plain, print_json
from rowstone.cli.common.output import progress_bar
from rowstone.cli.common.status import DAMAGED

if TYPE_CHECKING:
    from rowstone import CheckReport


Path = Annotated[str, typer.Argument(help="The database's directory.", metavar="DIR")]


def check(directory: Path, as_json: Json = False) -> None:
    """Verify every file of a database. Reports damaged and missing files and lost data, and then ends with status 5."""
    import rowstone

    with progress_bar() as progress:
        report = rowstone.check(directory, progress=progress)
    if as_json:
        print_json({"is_clean": report.is_clean, **plain(report)})
    else:
        show(report)
    if not report.is_clean:
        raise typer.Exit(DAMAGED)


def show(report: "CheckReport") -> None:
    """Print a table of the findings, and a line on the data read."""
    from rich.console import Console
    from rich.table import Table

    if report.findings:
        table = Table("problem", "file", "offset", "expected", "found", "lost")
        for found in report.findings:
            lost = "\n".join([found.effect, *map(str, found.losses)])
            parts = (found.problem, found.file, f"{found.offset:,}", found.expected, found.found, lost)
            table.add_row(*(part.replace("[", "\\[") for part in parts))
        console = Console()
        # In a pipe lines are not wrapped.
        console.print(table) if console.is_terminal else Console(width=400).print(table)
    files = counted_all((report.tables, "table"), (report.regions, "region"), (report.store_files, "store file"))
    read = counted_all((report.cells, "cell"), (report.logs, "log"), (report.records, "record"))
    typer.echo(
        f"{files}, {read}, {size_text(report.size_bytes)}: "
        + ("nothing is damaged" if report.is_clean else f"{len(report.damage)} damaged")
    )


def repair(
    directory: Path,
    out: Annotated[str, typer.Argument(help="The new directory for the saved data.", metavar="OUT")],
    past_damage: Annotated[
        bool, typer.Option("--past-damage", help="Also keep logged writes that come after missing ones.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Copy the readable data of a damaged database. Status 5 if data or parts of the schema were lost."""
    import rowstone

    with progress_bar() as progress:
        report = rowstone.repair(directory, out, past_damage=past_damage, progress=progress)
    if as_json:
        print_json(report)
    else:
        typer.echo(str(report))
    if not report.is_complete:
        raise typer.Exit(DAMAGED)
