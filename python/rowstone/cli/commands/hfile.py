"""``rowstone hfile``"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone._base.printable import counted, printable, size_text
from rowstone.cli.common.arguments import Json, plain, print_json

_STORE_FILE = "DIR/data/<namespace>/<table>/<region>/<family>/<file>"

if TYPE_CHECKING:
    from rowstone.hfile import Bloom, Description, Key


def command(
    file: Annotated[Path, typer.Argument(help="A store file of Rowstone or HBase.", metavar="FILE")],
    cells: Annotated[bool, typer.Option("--cells", help="Print every cell, in HBase's format.")] = False,
    blocks: Annotated[bool, typer.Option("--blocks", help="Print the blocks by type.")] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Check all checksums and the order of the cells.")] = False,
    as_json: Json = False,
) -> None:
    """Describe a store file (HFile v3) of Rowstone or HBase."""
    from rowstone import hfile

    if file.is_dir():
        from rowstone.errors import InvalidArgument

        raise InvalidArgument(f"'{file}' is a directory: pass one store file, such as {_STORE_FILE}")
    if cells:
        _print_cells(file, as_json=as_json)
        return
    described = hfile.describe(file)
    if as_json:
        print_json({**plain(described), **({"verified_cells": hfile.verify(file)} if verify else {})})
        return
    for name, text in _facts(described):
        typer.echo(f"{name:<20} {text}")
    if blocks:
        typer.echo(f"\n{'blocks':<10} {'count':>9} {'in the file':>14} {'uncompressed':>14}")
        for kind, total in described.blocks.items():
            sizes = f"{size_text(total.file_bytes):>14} {size_text(total.content_bytes):>14}"
            typer.echo(f"{kind:<10} {total.count:>9,} {sizes}")
    if verify:
        typer.echo(f"\nverified: {counted(hfile.verify(file), 'cell')} in order, every checksum right")


def _facts(described: "Description") -> Iterator[tuple[str, str]]:
    first, last = described.time_range or (None, None)
    yield "cells", f"{described.entries:,}"
    yield "size", f"{size_text(described.size_bytes)} ({size_text(described.uncompressed_bytes)} uncompressed)"
    yield "compression", described.compression
    yield "encoding", described.encoding
    yield "first key", _key(described.first_key)
    yield "middle key", _key(described.mid_key)
    yield "last key", _key(described.last_key)
    yield "timestamps", "-" if first is None else f"{first} to {last}"
    yield "largest sequence id", str(described.max_sequence_id)
    yield "major compaction", "yes" if described.is_major else "no"
    yield "family markers", "unknown" if described.delete_family_count is None else str(described.delete_family_count)
    yield "average key", f"{described.average_key_bytes} bytes"
    yield "average value", f"{described.average_value_bytes} bytes"
    yield "index levels", str(described.index_levels)
    yield "bloom filter", f"{described.bloom_filter}{_bloom(described.bloom)}"
    yield "delete family bloom", _bloom(described.delete_family_bloom).lstrip(", ") or "none"


def _key(key: "Key | None") -> str:
    return "-" if key is None else f"{printable(key.row)}/{printable(key.column)}/{key.timestamp}/{key.type}"


def _bloom(bloom: "Bloom | None") -> str:
    if bloom is None:
        return ""
    return f", {bloom.key_count:,} keys in {bloom.chunk_count} chunks of {size_text(bloom.size_bytes)}"


def _print_cells(file: Path, *, as_json: bool) -> None:
    from rowstone import _native

    # The format of `hbase hfile -p`.
    for cell, sequence_id in _native.HFile(str(file)).cells():
        if as_json:
            names = ("row", "column", "timestamp", "type", "value")
            print_json({**{name: getattr(cell, name) for name in names}, "sequence_id": sequence_id})
            continue
        place = f"{printable(cell.row)}/{printable(cell.column)}/{cell.timestamp}/{cell.type}"
        sizes = f"vlen={len(cell.value)}/seqid={sequence_id}"
        typer.echo(f"K: {place}/{sizes} V: {printable(cell.value)}")
