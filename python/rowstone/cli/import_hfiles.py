"""``rowstone import-hfiles``"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from rowstone.cli._shared import Directory, TableName, size_text

Incoming = tuple[bytes, Path]
_EVERY_VERSION = 2**31 - 1


def command(
    directory: Directory,
    table: TableName,
    files: Annotated[
        list[Path],
        typer.Argument(help="Store files, or folders with them: FAMILY/FILE at any depth.", metavar="FILE..."),
    ],
    family: Annotated[
        str | None, typer.Option(help="The family of all files; by default the name of each file's folder.")
    ] = None,
    create: Annotated[
        bool, typer.Option("--create", help="Create the table if it is missing; it keeps every version.")
    ] = False,
) -> None:
    """Load store files into a table: of HBase, of a copied HBase directory, an exported snapshot or export-hfiles."""
    import rowstone

    incoming = [(_family_of(path, family), path) for given in files for path in _store_files(given)]
    with rowstone.connect(directory, create=create) as db:
        if create:
            families = {name: rowstone.Family(max_versions=_EVERY_VERSION) for name, _ in incoming}
            db.create_table(table, families, if_not_exists=True)
        loaded = [info for step in _steps(incoming) for info in db.admin.bulk_load(table, step)]
        cells, size = sum(info.entry_count for info in loaded), sum(info.size_bytes for info in loaded)
        typer.echo(f"{len(incoming)} files, {cells:,} cells, {size_text(size)} loaded into {table}")


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
    """Group files into loads, in the order in which each store wrote them; files of one age are one load."""
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
