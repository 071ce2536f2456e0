"""``rowstone info``"""

import typer

from rowstone.cli._shared import Directory, open_database, size_text


def command(directory: Directory) -> None:
    """What a database holds: tables, regions, files, cells."""
    with open_database(directory) as db:
        names = db.tables()
        files = [file for name in names for file in db.admin.store_files(name)]
        recent = db.admin.stats().get("memstore_cells", 0)
        regions = sum(len(db.admin.regions(name)) for name in names)
        typer.echo(f"database       {directory}")
        typer.echo(f"namespaces     {', '.join(db.admin.namespaces())}")
        typer.echo(f"tables         {len(names)}")
        typer.echo(f"regions        {regions}")
        typer.echo(f"store files    {len(files)}, {size_text(sum(file.size_bytes for file in files))}")
        typer.echo(f"file cells     {sum(file.entry_count for file in files):,}")
        typer.echo(f"recent writes  {recent:,} cells in the log")
        for name in names:
            typer.echo(f"  {name}")
