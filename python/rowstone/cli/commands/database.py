"""``rowstone info``, ``tables``, ``columns`` and ``stats``: the contents of a database."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowstone._base.printable import counted, size_text
from rowstone.admin._memory import default_limits, is_root, limits_for_writing
from rowstone.cli.common.arguments import Directory, Json, TableName, open_database, print_json
from rowstone.cli.common.output import progress_line
from rowstone.errors import UnsupportedOperation

if TYPE_CHECKING:
    from rowstone import Database


def facts_of(db: "Database", target: str) -> dict[str, Any]:
    """Contents of a database; for a cluster, which does not list its files, its statistics instead of them."""
    names = db.tables()
    facts: dict[str, Any] = {"database": target, "namespaces": db.admin.namespaces.list(), "tables": names}
    facts["regions"] = sum(len(db.admin.regions.list(name)) for name in names)
    stats = db.admin.metrics.stats()
    try:
        memory = _memory_of(db)
        files = [file for name in names for file in db.admin.tables.store_files(name)]
    except UnsupportedOperation:
        return facts | {"statistics": stats}
    facts |= {"store_files": len(files), "store_file_bytes": sum(file.size_bytes for file in files), "memory": memory}
    facts["store_file_cells"] = sum(file.entry_count for file in files)
    return facts | {"memstore_cells": stats.get("memstore_cells", 0)}


def _memory_of(db: "Database") -> dict[str, Any]:
    """Limits of memory: of this process, of the database if it writes to it, and of a server of it."""
    limits = limits_for_writing(db)
    server = limits if is_root(db) else default_limits(dedicated=True)
    return asdict(limits) | {"serve_cache_bytes": server.cache_bytes, "serve_memstore_bytes": server.memstore_bytes}


def info(directory: Directory, as_json: Json = False) -> None:
    """Summarize a database: tables, regions, files, memory."""
    with open_database(directory) as db:
        facts = facts_of(db, directory)
    if as_json:
        print_json(facts)
        return
    typer.echo(f"database       {directory}")
    typer.echo(f"namespaces     {', '.join(facts['namespaces'])}")
    typer.echo(f"tables         {len(facts['tables'])}")
    for name in facts["tables"]:
        typer.echo(f"  {name}")
    typer.echo(f"regions        {facts['regions']}")
    for line in _contents(facts):
        typer.echo(line)


def _contents(facts: dict[str, Any]) -> list[str]:
    if "statistics" in facts:
        # A cluster also counts its regions itself.
        return [f"{name:<14} {value:,}" for name, value in facts["statistics"].items() if name not in facts]
    return [
        f"store files    {facts['store_files']}, {size_text(facts['store_file_bytes'])}",
        f"file cells     {facts['store_file_cells']:,}",
        f"recent writes  {counted(facts['memstore_cells'], 'cell')} in the log",
        *_memory_lines(facts["memory"]),
    ]


def _memory_lines(memory: dict[str, Any]) -> list[str]:
    known = memory["process_bytes"]
    process = "unknown" if known is None else f"{size_text(known)} for this process ({memory['process_source']})"

    def line(part: str) -> str:
        own, serve = size_text(memory[f"{part}_bytes"]), size_text(memory[f"serve_{part}_bytes"])
        return f"{own} ({memory[f'{part}_source']}); {serve} for rowstone serve"

    return [
        f"memory         {process}",
        f"block cache    at most {line('cache')}",
        f"memstores      at most {line('memstore')}",
    ]


def tables(
    directory: Directory,
    namespace: Annotated[str | None, typer.Option(help="Only the tables of this namespace.")] = None,
    names: Annotated[bool, typer.Option("--names", help="Only names, one per line.")] = False,
    as_json: Json = False,
) -> None:
    """List the tables and families. Their attributes are printed as in HBase's shell."""
    with open_database(directory) as db:
        if as_json:
            found = db.tables(namespace)
            print_json(found if names else [db.admin.describe(name) for name in found])
            return
        for name in db.tables(namespace):
            typer.echo(name if names else f"{db.admin.describe(name)}\n")


def columns(
    directory: Directory,
    table: TableName,
    family: Annotated[str | None, typer.Option("--family", "-f", help="Only this family.")] = None,
    rows: Annotated[int, typer.Option(min=1, help="Number of rows to read, spread over the table.")] = 1000,
    full: Annotated[bool, typer.Option("--full", help="Read all rows.")] = False,
    as_json: Json = False,
) -> None:
    """List the columns of a table. Prints the frequency, sizes and examples of values of each."""
    with open_database(directory) as db, progress_line() as show:
        found = db.table(table).column_catalogue(
            family, rows=rows, full=full, progress=lambda count: show(f"{count:,} rows")
        )
    typer.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if as_json else str(found))


def stats(
    directory: Directory,
    table: Annotated[str | None, typer.Argument(help="Only this table.", metavar="[TABLE]")] = None,
    as_json: Json = False,
) -> None:
    """Print statistics of a database, or of one table."""
    with open_database(directory) as db:
        found = db.admin.metrics.stats(table)
    if as_json:
        print_json(found)
    else:
        typer.echo(str(found))
