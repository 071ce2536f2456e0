"""``rowstone export``"""

import os
import sys
from typing import TYPE_CHECKING, Annotated, cast

import typer

from rowstone._base.printable import counted
from rowstone.cli.common.arguments import Directory, StorageOption, TableName, key_of, open_database, storage_options_of
from rowstone.cli.common.output import progress_line
from rowstone.cli.common.status import INTERRUPTED

if TYPE_CHECKING:
    from rowstone.jobs import Exported
    from rowstone.jobs.files.writers import ExportFormat


def command(
    directory: Directory,
    table: TableName,
    out: Annotated[
        str, typer.Argument(help="FILE.parquet, .csv or .jsonl; or a folder and --format; also s3://…", metavar="OUT")
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(help="FAMILY:QUALIFIER, or FAMILY:QUALIFIER=FIELD; may be given several times. Default: all."),
    ] = None,
    key: Annotated[str, typer.Option(help="Name of the row key's field.")] = "row",
    type: Annotated[
        list[str] | None, typer.Option(help="FIELD=TYPE in Parquet, such as row=string. Default: binary.")
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Write strings to Parquet, with numbers of --type as decimal text.")
    ] = False,
    cells: Annotated[bool, typer.Option("--cells", help="A line for each cell, with its timestamp.")] = False,
    versions: Annotated[int, typer.Option(help="Versions of each column, newest first, with --cells; 0 for all.")] = 1,
    start: Annotated[str | None, typer.Option(help=r"First row, included; \x00 stands for a byte.")] = None,
    stop: Annotated[str | None, typer.Option(help="End row, excluded.")] = None,
    format: Annotated[str | None, typer.Option(help="parquet, csv or jsonl. Default: by the file's name.")] = None,
    workers: Annotated[int, typer.Option(help="Number of regions processed in parallel.", min=1)] = 1,
    restart: Annotated[bool, typer.Option("--restart", help="Start over after an interruption.")] = False,
    storage_option: StorageOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be exported, write nothing.")] = False,
) -> None:
    """Export a table to a file or a folder. After Ctrl-C, the same command continues."""
    from rowstone import jobs

    # Arrow's own allocator keeps 80 MB more than it needs.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    columns = dict(map(_column, column)) if column else None
    types = dict(map(_type, type or []))
    with open_database(directory) as db:
        try:
            with progress_line() as show:
                done = jobs.export_table(
                    db,
                    table,
                    out,
                    columns,
                    format=cast("ExportFormat | None", format),
                    layout="cells" if cells else "rows",
                    versions=versions or None,
                    key=key,
                    types=types,
                    text=text,
                    start=key_of(start),
                    stop=key_of(stop),
                    workers=workers,
                    restart=restart,
                    storage_options=storage_options_of(storage_option),
                    dry_run=dry_run,
                    progress=lambda done: show(_progress(done)),
                )
        except KeyboardInterrupt:
            typer.echo("interrupted: the same command continues", err=True)
            sys.exit(INTERRUPTED)
    if dry_run:
        typer.echo(f"would export {counted(done.splits, 'region')} with the fields {', '.join(done.fields)} to {out}")
        return
    again = ", continuing an interrupted run" if done.resumed else ""
    files = f"{len(done.files)} files in {out}" if len(done.files) != 1 else str(done.files[0])
    typer.echo(f"{counted(done.rows, 'row')} exported as {counted(done.lines, 'line')} to {files}{again}")


def _progress(done: "Exported") -> str:
    return f"{counted(done.lines, 'line')}, {done.splits_done} of {done.splits} regions complete"


def _column(text: str) -> tuple[str, str]:
    column, equals, field = text.partition("=")
    return column, field if equals else column


def _type(text: str) -> tuple[str, str]:
    from rowstone.errors import InvalidArgument

    field, equals, name = text.partition("=")
    if not equals:
        raise InvalidArgument(f"--type '{text}' is not FIELD=TYPE, such as age=int64")
    return field, name
