"""What the commands share: opening, keys on the command line, sizes for people."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone._printable import from_printable

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
    return from_printable(text)


def size_text(size_bytes: int) -> str:
    """A size for people.

    >>> size_text(1536)
    '1.5 KiB'
    """
    units = ("KiB", "MiB", "GiB", "TiB")
    power = min((max(size_bytes, 1).bit_length() - 1) // 10, len(units))
    return f"{size_bytes / 1024**power:.1f} {units[power - 1]}" if power else f"{size_bytes} B"
