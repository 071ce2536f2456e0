"""``rowstone import-snapshot``"""

from pathlib import Path
from typing import Annotated

import typer

from rowstone.cli._shared import Directory


def command(
    directory: Directory,
    source: Annotated[
        Path, typer.Argument(help="What ExportSnapshot or export-snapshot wrote, or an HBase root.", metavar="FROM")
    ],
    snapshot: Annotated[str, typer.Argument(help="The snapshot's name.")],
    clone: Annotated[
        str | None, typer.Option("--clone", help="Also make this table of it.", metavar="NAMESPACE:TABLE")
    ] = None,
) -> None:
    """Take over a snapshot that HBase's ExportSnapshot, or export-snapshot, wrote."""
    import rowstone

    with rowstone.connect(directory, create=True) as db:
        db.admin.import_snapshot(source, snapshot)
        if clone is not None:
            db.admin.clone_snapshot(snapshot, clone)
    typer.echo(f"snapshot {snapshot} taken over" + (f", and table {clone} made of it" if clone is not None else ""))
