"""``rowstone import-snapshot``"""

from pathlib import Path
from typing import Annotated

import typer

from rowstone.cli._shared import Directory


def command(
    directory: Directory,
    source: Annotated[
        Path,
        typer.Argument(help="Output of ExportSnapshot or export-snapshot, or an HBase root.", metavar="FROM"),
    ],
    snapshot: Annotated[str, typer.Argument(help="The snapshot's name.")],
    clone: Annotated[
        str | None, typer.Option("--clone", help="Also clone it to this table.", metavar="NAMESPACE:TABLE")
    ] = None,
) -> None:
    """Import a snapshot that HBase's ExportSnapshot, or export-snapshot, wrote."""
    import rowstone

    with rowstone.connect(directory, create=True) as db:
        db.admin.import_snapshot(source, snapshot)
        if clone is not None:
            db.admin.clone_snapshot(snapshot, clone)
    typer.echo(f"snapshot {snapshot} taken over" + (f", and table {clone} made of it" if clone is not None else ""))
