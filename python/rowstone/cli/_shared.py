"""What the commands share: opening, keys on the command line, sizes for people."""

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rowstone import Database

Directory = Annotated[str, typer.Argument(help="The database's directory, or a cluster's URL.", metavar="DIR")]
TableName = Annotated[str, typer.Argument(help="The table, with its namespace: ns:name.", metavar="TABLE")]
Columns = Annotated[
    list[str] | None, typer.Option("--columns", "-c", help="Family, or family:qualifier; may be given several times.")
]
Versions = Annotated[int, typer.Option(help="Newest versions of each column.")]


class Format(StrEnum):
    """How cells are printed."""

    TABLE = "table"
    CELLS = "cells"
    JSON = "json"


FormatOption = Annotated[
    Format | None,
    typer.Option(help="table, cells (a line per cell) or json (a line per row). Default: by the terminal."),
]


def open_database(directory: str) -> "Database":
    """The database, to be looked at: also while another process writes."""
    import rowstone

    if "://" in directory:
        return rowstone.connect(directory)
    return rowstone.connect(directory, read_only=True, create=False)


def key_of(text: str | None) -> bytes | None:
    r"""A key from the command line: ``\x00`` stands for a byte, as HBase's shell prints it.

    >>> key_of(r"row\x00\xff")
    b'row\x00\xff'
    """
    if text is None:
        return None
    data = text.encode(errors="surrogateescape")
    return re.sub(rb"\\x([0-9a-fA-F]{2})", lambda match: bytes([int(match[1], 16)]), data)


def printable(data: bytes) -> str:
    r"""Bytes as HBase prints them: printable ASCII as it is, the rest as ``\xHH``.

    >>> printable(b"row\x00")
    'row\\x00'
    """
    return "".join(chr(byte) if 32 <= byte < 127 and byte != 92 else f"\\x{byte:02X}" for byte in data)


def short(data: bytes, limit: int = 60) -> str:
    """Bytes for a table: printable, cut at ``limit`` bytes."""
    return printable(data[:limit]) + (f"… ({len(data):,} bytes)" if len(data) > limit else "")


def size_text(size_bytes: int) -> str:
    """A size for people.

    >>> size_text(1536)
    '1.5 KiB'
    """
    units = ("KiB", "MiB", "GiB", "TiB")
    power = min((max(size_bytes, 1).bit_length() - 1) // 10, len(units))
    return f"{size_bytes / 1024**power:.1f} {units[power - 1]}" if power else f"{size_bytes} B"
