"""Tables of entries: creation, repair, and the form of their rows.

```text
v <value, 00 as 00 FF> 00 00 <row key>      i: <empty>             an entry; sorted by value, then row
b <bucket, 8 bytes>                         i:count, i:sum, m:<value ... row key>  a bucket of a summary;
                                            i:dirty <mark> if its members changed and are not counted yet
r <row key>                                 i:k <row of its entry>  where a row's entry is, to find it after a change
m                                           i:since                 time up to which the index knows the table
```
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone._base.schema import Family
from rowstone.coprocessors._observers import change
from rowstone.errors import CorruptionError, NamespaceNotFound, TableExists, TableNotFound
from rowstone.indexes._definition import CREATION_LOCK, INDEX_OF, Definition, definitions_of

if TYPE_CHECKING:
    from rowstone._base.schema import TableSchema
    from rowstone._core.database import Database

ENTRY, BUCKET, ROW, META = b"v", b"b", b"r", b"m"
COLUMN, KEY_COLUMN, SINCE = b"i:", b"i:k", b"i:since"
COUNT, SUM, DIRTY, MEMBERS = b"i:count", b"i:sum", b"i:dirty", b"m"


def packed(value: bytes) -> bytes:
    """Escape a value so that the bytes after it do not change the order."""
    return value.replace(b"\x00", b"\x00\xff")


def tail(value: bytes, row: bytes) -> bytes:
    """Join a value and a row key."""
    return packed(value) + b"\x00\x00" + row


def entry(value: bytes, row: bytes) -> bytes:
    """Return the row of an entry."""
    return ENTRY + tail(value, row)


def split(packed_pair: bytes) -> tuple[bytes, bytes]:
    """Split the result of `tail` into value and row key."""
    place = 0
    while (place := packed_pair.find(b"\x00", place)) >= 0:
        after = packed_pair[place + 1 : place + 2]
        if after == b"\x00":
            return packed_pair[:place].replace(b"\x00\xff", b"\x00"), packed_pair[place + 2 :]
        place += 2
    raise CorruptionError(f"'{printable(packed_pair)}' is no entry of an index")


def bucket_row(number: int) -> bytes:
    """Return the row of a bucket; negative ones sort first."""
    return BUCKET + (number + (1 << 63)).to_bytes(8, "big")


def bucket_of(row: bytes) -> int:
    """Return the bucket of a row."""
    return int.from_bytes(row[1:9], "big") - (1 << 63)


def create_entries(database: "Database", definition: Definition, schema: "TableSchema") -> Definition:
    """Create the table of entries and return the definition with it."""
    name = f"{definition.table}_{definition.name}"
    is_timed = _ttl_of(definition, schema) is not None
    definition = replace(definition, index_table=name, expires=is_timed)
    _drop_orphaned_entries_table(database, name, definition.table)
    _create_entries_table(database, definition, schema)
    return definition


def _ttl_of(definition: Definition, schema: "TableSchema") -> int | timedelta | None:
    """Return the time to live of a coprocessor index: entries have the timestamps of their values, and expire with
    them."""
    if definition.strategy != "coprocessor" or not isinstance(definition.on, bytes):
        return None
    return schema.families[definition.on.partition(b":")[0]].ttl_seconds


def _create_entries_table(database: "Database", definition: Definition, schema: "TableSchema") -> None:
    # Versions stay until a marker hides them, because later writes may have earlier timestamps.
    entries = Family(new_version_behavior=True, max_versions=2**31 - 1, ttl_seconds=_ttl_of(definition, schema))
    families = {"i": entries}
    if definition.strategy == "summary":
        families["m"] = Family(new_version_behavior=True, max_versions=2**31 - 1)
    database.admin.create_table(definition.index_table or "", families, attributes={INDEX_OF: definition.table})


def repair(database: "Database", table: str) -> set[str]:
    """Create missing tables of entries, and make indexes that a copy names those of the copy. Return their names.

    They are not built then. Raises `TableExists` if another table has the name of a table of entries."""
    with CREATION_LOCK:
        schema = database.admin.describe(table)
        changed: dict[str, Definition] = {}
        for stored in definitions_of(schema.attributes):
            own = stored if stored.table == schema.name else stored.of_table(schema.name)
            is_missing = own.index_table is not None and not database.admin.tables.exists(own.index_table)
            if is_missing:
                _create_entries_table(database, own, schema)
            else:
                check_owner(database, own)
            if is_missing or own is not stored:
                changed[own.key] = replace(own.built(False), expires=_ttl_of(own, schema) is not None)
        if changed:
            change(database, schema.name, {key: one.text() for key, one in changed.items()})
    return {one.name for one in changed.values()}


def check_owners(database: "Database", attributes: Mapping[str, str]) -> None:
    """Raise `TableExists` if another table has the name of a table of entries."""
    for one in definitions_of(attributes):
        check_owner(database, one)


def check_owner(database: "Database", definition: Definition) -> None:
    """Raise `TableExists` if another table has the name of the table of entries. It may be missing."""
    name = definition.index_table
    if name is None:
        return
    try:
        owner = database.admin.describe(name).attributes.get(INDEX_OF)
    except (TableNotFound, NamespaceNotFound):
        return
    if owner != definition.table:
        raise name_is_taken(definition)


def name_is_taken(definition: Definition) -> TableExists:
    """The error for another table that has the name of the table of entries, to be raised."""
    return TableExists(
        f"index '{definition.name}' of table '{definition.table}' stores its entries in table "
        f"'{definition.index_table}', but another table has that name: drop the index and create it under another name"
    )


def _drop_orphaned_entries_table(database: "Database", name: str, table: str) -> None:
    """Delete a table of entries that no index refers to: the process ended while its index was created or dropped.

    Only in a directory, which one process owns: on a cluster another process may be about to use it."""
    is_there = database._layers is not None and name in database.admin.tables.list()
    if is_there and database.admin.describe(name).attributes.get(INDEX_OF) == table:
        database.admin.drop_table(name, force=True)
