"""Files of HBase: ``rowstone import-hfiles``, ``export-hfiles``, ``import-snapshot`` and ``export-snapshot``."""

import re
from collections.abc import Iterator, Sequence
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
_LINK = re.compile(r"(?:[^=]+=)?[^=]+=(?P<region>[0-9a-f]+)-(?P<file>[^.]+)(?:\.[0-9a-f]{32})?")
"""A link of a clone to a file of another table, or the half of such a link: ``[NAMESPACE=]TABLE=REGION-FILE``."""
_HALF = re.compile(r"(?P<file>[^.=]+)\.(?P<region>[0-9a-f]{32})")
"""A reference of a region that was split: ``FILE.REGION`` is a half of a file of the region before."""


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
    """Load store files of HBase or Rowstone into a table. FILE is a single file, a copy of a table's directory or an
    exported snapshot."""
    import rowstone
    from rowstone import _native

    check_local(directory, is_read=False)
    incoming = [(_family_of(path, family), path) for path in _store_files(files)]
    for _, path in incoming:
        # The load refuses them, too, but a table may have been created by then.
        _native.HFile(str(path)).refuse_references()
    with rowstone.connect(directory, create=create) as db:
        if create:
            families = {name: rowstone.Family(max_versions=_EVERY_VERSION) for name, _ in incoming}
            db.create_table(table, families, if_not_exists=True)
        loaded = [info for step in _steps(incoming) for info in db.admin.tables.bulk_load(table, step)]
        cells, size = sum(info.entry_count for info in loaded), sum(info.size_bytes for info in loaded)
        typer.echo(f"{counted_all((len(incoming), 'file'), (cells, 'cell'))}, {size_text(size)} loaded into {table}")


def _family_of(path: Path, family: str | None) -> bytes:
    return (family or path.resolve().parent.name).encode()


def _store_files(given: Sequence[Path]) -> list[Path]:
    """Return the files themselves, and the store files below folders, except hidden and empty ones.

    Raises:
        InvalidArgument: There is none. Or a reference or a link stands for a file that is not among them.
    """
    from rowstone.errors import InvalidArgument

    found: list[Path] = []
    named = set(given)
    pointers: list[tuple[Path, tuple[str, str]]] = []
    for path in (file for place in given for file in _files(place)):
        if path in named:
            found.append(path)
        elif pointer := _LINK.fullmatch(path.name) or _HALF.fullmatch(path.name):
            pointers.append((path, (pointer["region"], pointer["file"])))
        elif "." not in path.name or _is_store_file(path):
            found.append(path)
        else:
            typer.echo(f"note: {path} is no store file, and is left out", err=True)
    there = {(path.resolve().parent.parent.name, path.name) for path in found}
    for path, (region, file) in pointers:
        if (region, file) not in there:
            raise InvalidArgument(
                f"{path} stands for file {file} of region {region}, which is not below "
                f"{', '.join(map(str, given))}: copy the table from HBase's whole root instead, with "
                "rowstone copy root+file:///ROOT/TABLE DIR/TABLE"
            )
    if not found:
        raise InvalidArgument(
            f"there is no store file below {', '.join(map(str, given))}: pass FAMILY/FILE at any depth"
        )
    return found


def _files(given: Path) -> Iterator[Path]:
    """Yield the file itself, or the files below a folder, except hidden and empty ones."""
    if not given.is_dir():
        yield given
        return
    for path in sorted(given.rglob("*")):
        hidden = any(part.startswith((".", "_", "recovered.")) for part in path.relative_to(given).parts)
        if path.is_file() and not hidden and path.stat().st_size > 0:
            yield path


def _is_store_file(path: Path) -> bool:
    from rowstone import hfile
    from rowstone.errors import CorruptionError

    try:
        hfile.max_sequence_id(path)
    except CorruptionError:
        return False
    return True


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
    """Write a table as store files for HBase's bulk load. Writes one for each region and family: OUT/FAMILY/FILE."""
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
    """Write a snapshot as HBase's ExportSnapshot does. OUT gets the folders .hbase-snapshot and archive."""
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
    """Import a snapshot of HBase's ExportSnapshot. Reads those of export-snapshot too."""
    import rowstone

    check_local(directory, is_read=False)
    with rowstone.connect(directory, create=True) as db:
        db.admin.snapshots.import_from(snapshot, source, storage_options=storage_options_of(storage_option))
        if clone is not None:
            db.admin.snapshots.clone(snapshot, clone)
    typer.echo(f"snapshot {snapshot} imported" + (f", and cloned to table {clone}" if clone is not None else ""))
