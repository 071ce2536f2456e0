"""``rowstone info``"""

from typing import TYPE_CHECKING, Any

import typer

from rowstone.cli._shared import Directory, Json, open_database, print_json, size_text
from rowstone.errors import UnsupportedOperation

if TYPE_CHECKING:
    from rowstone import Database


def facts_of(db: "Database", target: str) -> dict[str, Any]:
    """Contents of a database; for a cluster, which does not list its files, its statistics instead of them."""
    names = db.tables()
    facts: dict[str, Any] = {"database": target, "namespaces": db.admin.namespaces(), "tables": names}
    facts["regions"] = sum(len(db.admin.regions(name)) for name in names)
    stats = db.admin.stats()
    try:
        files = [file for name in names for file in db.admin.store_files(name)]
    except UnsupportedOperation:
        return facts | {"statistics": stats}
    facts |= {"store_files": len(files), "store_file_bytes": sum(file.size_bytes for file in files)}
    facts["store_file_cells"] = sum(file.entry_count for file in files)
    return facts | {"memstore_cells": stats.get("memstore_cells", 0)}


def command(directory: Directory, as_json: Json = False) -> None:
    """Summarize a database: tables, regions, files, cells."""
    with open_database(directory) as db:
        facts = facts_of(db, directory)
    if as_json:
        print_json(facts)
        return
    typer.echo(f"database       {directory}")
    typer.echo(f"namespaces     {', '.join(facts['namespaces'])}")
    typer.echo(f"tables         {len(facts['tables'])}")
    typer.echo(f"regions        {facts['regions']}")
    for line in _contents(facts):
        typer.echo(line)
    for name in facts["tables"]:
        typer.echo(f"  {name}")


def _contents(facts: dict[str, Any]) -> list[str]:
    if "statistics" in facts:
        return [f"{name:<14} {value:,}" for name, value in facts["statistics"].items()]
    return [
        f"store files    {facts['store_files']}, {size_text(facts['store_file_bytes'])}",
        f"file cells     {facts['store_file_cells']:,}",
        f"recent writes  {facts['memstore_cells']:,} cells in the log",
    ]
