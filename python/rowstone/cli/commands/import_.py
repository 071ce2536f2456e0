"""``rowstone import``"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from rowstone._base.printable import counted, counted_all
from rowstone._base.targets import MEMORY, local_path
from rowstone.cli.common.arguments import Directory, StorageOption, TableName, storage_options_of
from rowstone.cli.common.output import progress_bar
from rowstone.cli.common.status import INTERRUPTED
from rowstone.cli.common.tables import open_to_write

if TYPE_CHECKING:
    from rowstone import Database
    from rowstone.jobs import Imported
    from rowstone.jobs._options import BadLines
    from rowstone.jobs.files.formats import ImportFormat
    from rowstone.keys import Key

_MEMSTORE_BYTES = 128 << 20
"""Half the default: an import should use little memory, and gains nothing from a larger memstore."""


KeyOption = Annotated[
    str | None,
    typer.Option(help="Field of the row key; or key parts with names of fields: \"salt(8), text('id'), time('at')\"."),
]


def command(
    directory: Directory,
    table: TableName,
    file: Annotated[str, typer.Argument(help="CSV, TSV, JSON lines or Parquet; also s3://…", metavar="FILE")],
    column: Annotated[
        list[str] | None,
        typer.Option(help="FAMILY:QUALIFIER=FIELD; may be given several times.", metavar="COLUMN=FIELD"),
    ] = None,
    key: KeyOption = None,
    timestamp_field: Annotated[str | None, typer.Option(help="Field of the timestamp, in milliseconds.")] = None,
    fields: Annotated[
        str | None, typer.Option(help="Instead, what each field is, as in ImportTsv: HBASE_ROW_KEY,f:q,HBASE_TS_KEY")
    ] = None,
    timestamp: Annotated[int | None, typer.Option(help="For cells without such a field. Default: now.")] = None,
    format: Annotated[str | None, typer.Option(help="csv, tsv, jsonl or parquet. Default: by the file's name.")] = None,
    separator: Annotated[str | None, typer.Option(help="Field separator. Default: a comma, a tab in TSV.")] = None,
    header: Annotated[
        bool | None, typer.Option("--header/--no-header", help="The first line has names. Default: with --column.")
    ] = None,
    skip_empty: Annotated[bool, typer.Option("--skip-empty", help="Write no cells for empty values.")] = False,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="Write the lines in random order; for keys that grow along the file.")
    ] = False,
    bad_lines: Annotated[str, typer.Option(help="On a malformed line: stop, or skip it.")] = "stop",
    bad_file: Annotated[Path | None, typer.Option(help="File for skipped lines. Default: FILE.bad")] = None,
    create: Annotated[bool, typer.Option("--create", help="Create the table if it is missing.")] = False,
    state: Annotated[
        Path | None, typer.Option(help="File that records the progress. Default: FILE.import.json")
    ] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Start over after an interruption.")] = False,
    storage_option: StorageOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and check the whole file, write nothing.")] = False,
) -> None:
    """Import a file into a table. After Ctrl-C, the same command continues."""
    from rowstone import jobs

    columns = _columns_of(column, fields)
    refused = bad_file or _bad_file_of(file)
    _check_exists(file)
    with _open(directory, create=create, dry_run=dry_run) as db:
        try:
            with progress_bar() as show:
                done = jobs.import_file(
                    db,
                    table,
                    file,
                    columns,
                    key=_key(key),
                    timestamp_field=timestamp_field,
                    timestamp=timestamp,
                    format=cast("ImportFormat | None", format),
                    separator=separator.encode().decode("unicode_escape") if separator else None,
                    header=header,
                    skip_empty=skip_empty,
                    shuffle=shuffle,
                    bad_lines=cast("BadLines", bad_lines),
                    bad_file=refused,
                    storage_options=storage_options_of(storage_option),
                    state=state,
                    restart=restart,
                    create=create,
                    dry_run=dry_run,
                    progress=lambda done: show(Path(file).name, done.offset, done.total),
                )
        except KeyboardInterrupt:
            typer.echo("interrupted: the same command continues", err=True)
            sys.exit(INTERRUPTED)
    _report(done, table, dry_run, refused)


def _open(directory: str, *, create: bool, dry_run: bool) -> "Database":
    """Open the database. A dry run that would create it gets an empty one in memory."""
    is_missing = create and dry_run and "://" not in directory and not Path(directory).exists()
    target = MEMORY if is_missing else directory
    return open_to_write(target, read_only=dry_run and not is_missing, memstore_bytes=_MEMSTORE_BYTES)


def _columns_of(column: list[str] | None, fields: str | None) -> dict[str, str] | list[str]:
    """The columns of `import_file`, by either of the options."""
    from rowstone.errors import InvalidArgument

    if (column is None) == (fields is None):
        raise InvalidArgument("pass --column COLUMN=FIELD and --key FIELD, or --fields HBASE_ROW_KEY,…")
    return dict(map(_pair, column)) if column else (fields or "").split(",")


def _check_exists(file: str) -> None:
    """Raise `FileNotFoundError` for a missing local file, before a database is created for it."""
    from rowstone._base.remote.folder import is_url

    if not is_url(file):
        Path(local_path(file)).stat()


def _bad_file_of(file: str) -> Path:
    """The file of refused lines: next to the imported one, or in the current directory if that is at a URL."""
    from rowstone._base.remote.folder import is_url

    return Path(f"{Path(file).name if is_url(file) else file}.bad")


def _key(text: str | None) -> "str | Key | None":
    """The name of a field, or a key if the text contains calls of parts."""
    if text is None or "(" not in text:
        return text
    from rowstone.keys import parse_key

    return parse_key(text)


def _pair(text: str) -> tuple[str, str]:
    from rowstone.errors import InvalidArgument

    column, equals, field = text.partition("=")
    if not equals or not column or not field:
        raise InvalidArgument(f"--column '{text}' is not COLUMN=FIELD, such as f:a=age")
    return column, field


def _report(done: "Imported", table: str, dry_run: bool, bad_file: Path) -> None:
    for error in done.refused:
        typer.echo(f"refused: {error}", err=True)
    if done.skipped:
        typer.echo(f"{counted(done.skipped, 'line')} refused{'' if dry_run else f', written to {bad_file}'}", err=True)
    verb = "would be imported" if dry_run else "imported"
    again = ", continuing an interrupted run" if done.resumed else ""
    empty = f", {counted(done.without_cells, 'line')} without a cell" if done.without_cells else ""
    typer.echo(f"{counted_all((done.rows, 'row'), (done.cells, 'cell'))} {verb} into {table}{again}{empty}")
