"""``rowstone info``"""

from typing import TYPE_CHECKING

import typer

from rowstone.cli._shared import Directory, open_database, size_text
from rowstone.errors import UnsupportedOperation

if TYPE_CHECKING:
    from rowstone import Database


def _contents(db: "Database", names: list[str]) -> list[str]:
    stats = db.admin.stats()
    try:
        files = [file for name in names for file in db.admin.store_files(name)]
    except UnsupportedOperation:
        return [f"{name:<14} {value:,}" for name, value in stats.items()]
    return [
        f"store files    {len(files)}, {size_text(sum(file.size_bytes for file in files))}",
        f"file cells     {sum(file.entry_count for file in files):,}",
        f"recent writes  {stats.get('memstore_cells', 0):,} cells in the log",
    ]


def command(directory: Directory) -> None:
    """What a database holds: tables, regions, files, cells."""
    with open_database(directory) as db:
        names = db.tables()
        regions = sum(len(db.admin.regions(name)) for name in names)
        typer.echo(f"database       {directory}")
        typer.echo(f"namespaces     {', '.join(db.admin.namespaces())}")
        typer.echo(f"tables         {len(names)}")
        typer.echo(f"regions        {regions}")
        for line in _contents(db, names):
            typer.echo(line)
        for name in names:
            typer.echo(f"  {name}")
