"""Codecs declared for columns, stored in an attribute of the table as JSON: ``{"family:qualifier": codec}``.

A name without a colon applies to all columns of a family that have no codec of their own. HBase stores the attribute
and ignores it, so it works the same in a cluster and in a directory, and is part of backups and schema files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rowstone._base.blocking import check_blocking
from rowstone._base.schema import as_bytes
from rowstone.codecs._codec import Codec, CodecArgument, codec
from rowstone.errors import InvalidArgument, NoSuchColumnFamily

if TYPE_CHECKING:
    from rowstone._base.schema import TableSchema
    from rowstone._core.database import Database

ATTRIBUTE = "rowstone.codecs"
"""The attribute of the table."""


class Codecs(Mapping[bytes, Codec]):
    """Codecs by column (``family:qualifier``) or family. `of` returns the one for a column."""

    def __init__(self, codecs: Mapping[str, CodecArgument] | Mapping[bytes, CodecArgument]) -> None:
        self._codecs = {_name(column): codec(one) for column, one in codecs.items()}

    def of(self, column: bytes) -> Codec | None:
        """Return the codec of a column or of its family; None if there is neither."""
        return self._codecs.get(column) or self._codecs.get(column.partition(b":")[0])

    def to_json(self) -> str:
        """Return the value of the table's attribute."""
        return json.dumps({name.decode("latin-1"): one.name for name, one in sorted(self._codecs.items())})

    def __getitem__(self, name: bytes) -> Codec:
        return self._codecs[name]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._codecs)

    def __len__(self) -> int:
        return len(self._codecs)

    def __repr__(self) -> str:
        return f"Codecs({ {name: one.name for name, one in self._codecs.items()} })"


def _name(column: str | bytes) -> bytes:
    name = as_bytes(column)
    if not name or name.startswith(b":"):
        raise InvalidArgument(f"column {column!r} has no family; write 'family:qualifier', or 'family' for all of it")
    return name


def declare(db: Database, table: str, codecs: Mapping[str, CodecArgument | None]) -> Codecs:
    """Declare codecs for a table and return all that are then declared.

    They are added to earlier declarations. Reads and writes through `rowstone.codecs.typed`, data frames and the shell
    use them, here and in other processes. Stored cells do not change, and `rowstone.Table` keeps using bytes.

    Args:
        codecs: By column (``"family:qualifier"``) or family; None removes a codec.

    Raises:
        InvalidArgument: A codec is unknown. NoSuchColumnFamily: The table has no such family. TableNotFound.

    Example:
        >>> import rowstone as rs
        >>> from rowstone import codecs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("people", ["f"])
        ...     _ = codecs.declare(db, "people", {"f:age": "int64", "f:name": "text"})
        ...     codecs.typed(db.table("people")).put("ada", {"f:age": 36, "f:name": "Ada"})
        ...     print(codecs.typed(db.table("people")).get("ada"), db.table("people").get("ada")["f:age"])
        ada {f:age: 36, f:name: 'Ada'} b'\\x00\\x00\\x00\\x00\\x00\\x00\\x00$'
    """
    check_blocking("db", db)
    found = Codecs({})

    def changes(schema: TableSchema) -> dict[str, str | None]:
        nonlocal found
        merged: dict[bytes, CodecArgument] = dict(declared(schema.attributes))
        for column, one in codecs.items():
            name = _name(column)
            if name.partition(b":")[0] not in schema.families:
                raise NoSuchColumnFamily(f"table '{table}' has no family for codec of {column!r}")
            merged.pop(name, None)
            if one is not None:
                merged[name] = one
        found = Codecs(merged)
        return {ATTRIBUTE: found.to_json() if found else None}

    db.admin._change_attributes(table, changes)
    return found


def declared(attributes: Mapping[str, Any]) -> Codecs:
    """Return the codecs in a table's attributes (``table.schema.attributes``); empty if none were declared.

    Raises:
        InvalidArgument: The attribute has been overwritten with something else.
    """
    text = attributes.get(ATTRIBUTE)
    if text is None:
        return Codecs({})
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise InvalidArgument(f"the table's attribute {ATTRIBUTE} must be an object of JSON, not {text!r:.200}")
    try:
        return Codecs({name.encode("latin-1"): one for name, one in said.items()})
    except (InvalidArgument, UnicodeEncodeError) as error:
        raise InvalidArgument(f"the table's attribute {ATTRIBUTE} is {text!r:.200}: {error}") from None
