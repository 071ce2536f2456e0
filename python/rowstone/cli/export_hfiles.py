"""``rowstone export-hfiles``"""

from pathlib import Path
from typing import Annotated

import typer

from rowstone._base.printable import printable
from rowstone.cli._shared import Directory, TableName, open_database, size_text


def command(
    directory: Directory,
    table: TableName,
    out: Annotated[Path, typer.Argument(help="The folder for the files; created if missing.", metavar="OUT")],
) -> None:
    """Write a table as store files for HBase's bulk load, OUT/FAMILY/FILE: one for each region and family."""
    with open_database(directory) as db:
        files = db.admin.export_hfiles(table, out)
    for file in files:
        typer.echo(f"{file.path}  {file.entry_count:,} cells, {size_text(file.size_bytes)}")
    cells, size = sum(file.entry_count for file in files), sum(file.size_bytes for file in files)
    families = sorted({printable(file.family) for file in files})
    typer.echo(f"{len(files)} files, {cells:,} cells, {size_text(size)}; families: {', '.join(families) or 'none'}")
    typer.echo(f"load them with: hbase completebulkload {out} {table}", err=True)
