"""Shared parts of the commands: opening, keys on the command line, values as JSON."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowstone._base.printable import from_printable, printable
from rowstone._base.targets import local_path

if TYPE_CHECKING:
    from rowstone import Database

Directory = Annotated[str, typer.Argument(help="The database's directory, or a cluster's URL.", metavar="DIR")]
LocalDirectory = Annotated[str, typer.Argument(help="The database's directory.", metavar="DIR")]
"""For commands that need the files of the database."""
TableName = Annotated[str, typer.Argument(help="The table; with a namespace ns:name.", metavar="TABLE")]
Columns = Annotated[
    list[str] | None, typer.Option("--columns", "-c", help="Family, or family:qualifier; may be given several times.")
]
Versions = Annotated[int, typer.Option(help="Number of versions of each column, newest first.")]


Filter = Annotated[
    str | None,
    typer.Option(
        help="A filter in HBase's language, such as \"PrefixFilter('user-') AND PageFilter(10)\".", metavar="TEXT"
    ),
]
StorageOption = Annotated[
    list[str] | None,
    typer.Option(help="Option of the object store, such as aws_region=eu-west-1.", metavar="NAME=VALUE"),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON; bytes as text, with \\xNN.")]


class Format(StrEnum):
    """Output format of cells."""

    TABLE = "table"
    CELLS = "cells"
    JSON = "json"


FormatOption = Annotated[
    Format | None,
    typer.Option(help="table, cells (a line per cell) or json (a line per row). Default: by the terminal."),
]


JsonRows = Annotated[bool, typer.Option("--json", help="Print a line of JSON per row, like --format json.")]


def format_of(chosen: Format | None, as_json: bool) -> Format | None:
    """Resolve ``--format`` and ``--json`` to one format. Raises `InvalidArgument` if they contradict each other."""
    if as_json and chosen not in (None, Format.JSON):
        from rowstone.errors import InvalidArgument

        raise InvalidArgument(f"--json and --format {chosen.value} exclude each other")
    return Format.JSON if as_json else chosen


def open_database(directory: str) -> "Database":
    """Open a database read-only, which also works while another process writes."""
    import rowstone

    if "://" in directory:
        return rowstone.connect(directory)
    return rowstone.connect(directory, read_only=True, create=False)


def check_local(directory: str, *, is_read: bool) -> None:
    """Refuse the URL of a cluster for a `LocalDirectory`; ``root+…`` can be read. Raises `InvalidArgument`."""
    text = local_path(directory)
    if "://" in text and not (is_read and text.startswith("root+")):
        from rowstone.errors import InvalidArgument

        raise InvalidArgument(f"'{directory}' is a URL: this command needs the database's directory")


def storage_options_of(texts: list[str] | None) -> dict[str, str]:
    """Convert ``NAME=VALUE`` arguments to storage options. Raises `InvalidArgument`.

    >>> storage_options_of(["aws_region=eu-west-1"])
    {'aws_region': 'eu-west-1'}
    """
    options = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            from rowstone.errors import InvalidArgument

            raise InvalidArgument(f"--storage-option '{name}' is not NAME=VALUE, such as aws_region=eu-west-1")
        options[name] = value
    return options


def key_of(text: str | None) -> bytes | None:
    r"""Convert a key from the command line to bytes: ``\x00`` stands for a byte, as HBase's shell prints it.

    >>> key_of(r"row\x00\xff")
    b'row\x00\xff'
    """
    if text is None:
        return None
    return from_printable(text)


def plain(value: Any) -> Any:
    r"""Convert a value to plain JSON types: bytes become text, with ``\xNN`` for unprintable characters.

    >>> plain({b"f:q": (b"\x00", None, 1)})
    {'f:q': ['\\x00', None, 1]}
    """
    from dataclasses import fields, is_dataclass
    from datetime import timedelta

    if isinstance(value, bytes):
        return printable(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if is_dataclass(value) and not isinstance(value, type):
        return plain({one.name: getattr(value, one.name) for one in fields(value)})
    return value.total_seconds() if isinstance(value, timedelta) else value


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    import json

    typer.echo(json.dumps(plain(value), ensure_ascii=False, default=str))
