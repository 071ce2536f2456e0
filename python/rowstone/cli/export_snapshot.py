"""``rowstone export-snapshot``"""

from pathlib import Path
from typing import Annotated

import typer

from rowstone.cli._shared import Directory, open_database


def command(
    directory: Directory,
    snapshot: Annotated[str, typer.Argument(help="The snapshot's name.")],
    out: Annotated[Path, typer.Argument(help="The folder to write to; created if missing.", metavar="OUT")],
) -> None:
    """Write a snapshot as HBase's ExportSnapshot does: OUT/.hbase-snapshot and OUT/archive."""
    with open_database(directory) as db:
        db.admin.export_snapshot(snapshot, out)
    typer.echo(f"snapshot {snapshot} written to {out}; copy it into an HBase root directory, and clone it there")
