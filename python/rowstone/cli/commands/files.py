"""Files of HBase: ``rowstone import-hfiles``, ``export-hfiles``, ``import-snapshot`` and ``export-snapshot``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from rowstone._base.printable import counted, counted_all, printable, size_text
from rowstone.cli.common.arguments import (
    LocalDirectory,
    StorageOption,
    TableName,
    check_local,
    open_database,
    storage_options_of,
)

Incoming = tuple[bytes, Path]
_EVERY_VERSION = 2**31 - 1


def import_hfiles(
    directory: LocalDirectory,
    table: TableName,
    files: Annotated[
        list[Path],
        typer.Argument(help="Store files, or folders with them: FAMILY/FILE at any depth.", metavar="FILE..."),
    ],
    family: Annotated[
        str | None, typer.Option(help="The family of all files; by default the name of each file's folder.")
    ] = None,
    create: Annotated[
        bool, typer.Option("--create", help="Create the table, with unlimited versions, if it is missing.")
    ] = False,
) -> None:
    """Load store files into a table: from HBase, a copy of its directory, an exported snapshot, or export-hfiles."""
    import rowstone

    check_local(directory, is_read=False)
    incoming = [(_family_of(path, family), path) for given in files for path in _store_files(given)]
    with rowstone.connect(directory, create=create) as db:
        if create:
            families = {name: rowstone.Family(max_versions=_EVERY_VERSION) for name, _ in incoming}
            db.create_table(table, families, if_not_exists=True)
        loaded = [info for step in _steps(incoming) for info in db.admin.tables.bulk_load(table, step)]
        cells, size = sum(info.entry_count for info in loaded), sum(info.size_bytes for info in loaded)
        typer.echo(f"{counted_all((len(incoming), 'file'), (cells, 'cell'))}, {size_text(size)} loaded into {table}")


def _family_of(path: Path, family: str | None) -> bytes:
    return (family or path.resolve().parent.name).encode()


def _store_files(given: Path) -> Iterator[Path]:
    """Yield the file itself, or the store files below a folder, except hidden files and references to other files."""
    if not given.is_dir():
        yield given
        return
    for path in sorted(given.rglob("*")):
        hidden = any(part.startswith((".", "_", "recovered.")) for part in path.relative_to(given).parts)
        if path.is_file() and not hidden and path.stat().st_size > 0 and "." not in path.name and "=" not in path.name:
            yield path


def _steps(incoming: list[Incoming]) -> Iterator[dict[bytes, list[str]]]:
    """Group files into successive loads: by store in the order of sequence ids, files with equal ids together."""
    from rowstone import hfile

    stores: dict[Path, dict[int, list[Incoming]]] = {}
    for name, path in incoming:
        ages = stores.setdefault(path.resolve().parent, {})
        ages.setdefault(hfile.max_sequence_id(path), []).append((name, path))
    ordered = [[ages[age] for age in sorted(ages)] for ages in stores.values()]
    for number in range(max(map(len, ordered), default=0)):
        step: dict[bytes, list[str]] = {}
        for generations in ordered:
            for name, path in generations[number] if number < len(generations) else ():
                step.setdefault(name, []).append(str(path))
        yield step


def export_hfiles(
    directory: LocalDirectory,
    table: TableName,
    out: Annotated[
        str, typer.Argument(help="The folder for the files, also s3://…; created if missing.", metavar="OUT")
    ],
    storage_option: StorageOption = None,
) -> None:
    """Write a table as store files for HBase's bulk load, OUT/FAMILY/FILE: one for each region and family."""
    check_local(directory, is_read=True)
    with open_database(directory) as db:
        files = db.admin.tables.export_hfiles(table, out, storage_options=storage_options_of(storage_option))
    for file in files:
        typer.echo(f"{file.path}  {counted(file.entry_count, 'cell')}, {size_text(file.size_bytes)}")
    cells, size = sum(file.entry_count for file in files), sum(file.size_bytes for file in files)
    families = sorted({printable(file.family) for file in files})
    counts = counted_all((len(files), "file"), (cells, "cell"))
    typer.echo(f"{counts}, {size_text(size)}; families: {', '.join(families) or 'none'}")
    typer.echo(f"load them with: hbase completebulkload {out} {table}", err=True)


def export_snapshot(
    directory: LocalDirectory,
    snapshot: Annotated[str, typer.Argument(help="The snapshot's name.")],
    out: Annotated[str, typer.Argument(help="The folder to write to, also s3://…; created if missing.", metavar="OUT")],
    storage_option: StorageOption = None,
) -> None:
    """Write a snapshot as HBase's ExportSnapshot does: OUT/.hbase-snapshot and OUT/archive."""
    check_local(directory, is_read=True)
    with open_database(directory) as db:
        db.admin.snapshots.export(snapshot, out, storage_options=storage_options_of(storage_option))
    typer.echo(f"snapshot {snapshot} written to {out}; copy it into an HBase root directory, and clone it there")


def import_snapshot(
    directory: LocalDirectory,
    snapshot: Annotated[str, typer.Argument(help="The snapshot's name.")],
    source: Annotated[
        str,
        typer.Argument(
            help="Output of ExportSnapshot or export-snapshot, or an HBase root; or its URL.", metavar="FROM"
        ),
    ],
    clone: Annotated[
        str | None, typer.Option("--clone", help="Also clone it to this table.", metavar="NAMESPACE:TABLE")
    ] = None,
    storage_option: StorageOption = None,
) -> None:
    """Import a snapshot that HBase's ExportSnapshot, or export-snapshot, wrote."""
    import rowstone

    check_local(directory, is_read=False)
    with rowstone.connect(directory, create=True) as db:
        db.admin.snapshots.import_from(snapshot, source, storage_options=storage_options_of(storage_option))
        if clone is not None:
            db.admin.snapshots.clone(snapshot, clone)
    typer.echo(f"snapshot {snapshot} imported" + (f", and cloned to table {clone}" if clone is not None else ""))
