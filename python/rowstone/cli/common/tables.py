"""Tables on the command line: a database and a table in one argument."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone import Database

TableAddress = tuple[str, str]


def parse_table_address(text: str) -> TableAddress:
    """Split ``DIR/TABLE`` or ``hbase://HOST:PORT/TABLE`` into database and table.

    >>> parse_table_address("./crawl/webtable"), parse_table_address("hbase://localhost:16000/ns:t")
    (('./crawl', 'webtable'), ('hbase://localhost:16000', 'ns:t'))
    >>> parse_table_address("root+file:///data/hbase/t?snapshot=nightly")
    ('root+file:///data/hbase?snapshot=nightly', 't')
    """
    from rowstone.errors import InvalidArgument

    if "://" not in text and Path(text, "MANIFEST").is_file():
        raise InvalidArgument(f"'{text}' is a database: name its table too, as '{text.rstrip('/')}/TABLE'")
    text, mark, query = text.partition("?") if "://" in text else (text, "", "")
    database, slash, table = text.rpartition("/")
    if not slash or not table or not database or database.endswith(":/"):
        raise InvalidArgument(f"'{text}' names no table: write DIR/TABLE or hbase://HOST:PORT/TABLE")
    return f"{database}{mark}{query}", table


def open_tables(
    stack: ExitStack, source: str, target: str, read_only: bool
) -> tuple[tuple["Database", str], tuple["Database", str]]:
    """Open both databases until the stack ends: the source for reading, the target for writing unless ``read_only``.

    If both are the same directory, it is opened once.
    """
    (source_target, source_table), (target_target, target_table) = (
        parse_table_address(source),
        parse_table_address(target),
    )
    if _same(source_target, target_target):
        both = stack.enter_context(_open(source_target, create=False, read_only=read_only))
        return (both, source_table), (both, target_table)
    source_db = stack.enter_context(_open(source_target, create=False, read_only=True))
    target_db = stack.enter_context(_open(target_target, create=not read_only, read_only=read_only))
    return (source_db, source_table), (target_db, target_table)


def _open(target: str, *, create: bool, read_only: bool, memstore_bytes: int | None = None) -> "Database":
    import rowstone

    # Opening a cluster neither creates nor locks it.
    if "://" in target:
        return rowstone.connect(target)
    return rowstone.connect(target, create=create, read_only=read_only, memstore_bytes=memstore_bytes)


def open_to_write(target: str, *, read_only: bool, memstore_bytes: int | None = None) -> "Database":
    """Open a directory, created if missing unless ``read_only``, or a cluster."""
    return _open(target, create=not read_only, read_only=read_only, memstore_bytes=memstore_bytes)


def _same(left: str, right: str) -> bool:
    if "://" in left or "://" in right:
        return left == right
    return os.path.realpath(left) == os.path.realpath(right)
