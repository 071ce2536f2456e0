"""Creating and finding indexes."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from rowstone._base.options.words import IndexStrategy
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.coprocessors._observers import OBSERVED, change, is_watched
from rowstone.errors import (
    IndexNotFound,
    InvalidArgument,
    InvalidType,
    NoSuchColumnFamily,
    UnsupportedOperation,
)
from rowstone.indexes._codec_check import check_codec
from rowstone.indexes._definition import (
    CREATION_LOCK,
    INDEX_OF,
    PREFIX,
    Definition,
    KeyPart,
    definition_of,
    definitions_of,
)
from rowstone.indexes._entries import create_entries, repair
from rowstone.indexes._index import Index

if TYPE_CHECKING:
    from rowstone._core.database import Database


def create(
    database: "Database",
    table: str,
    name: str,
    on: str | bytes | KeyPart,
    *,
    strategy: IndexStrategy,
    codec: str,
    by: int | str | None,
    sums: str | bytes | None,
    build: bool,
) -> Index:
    """Create an index; see `Database.create_index`."""
    if not isinstance(build, bool):
        raise InvalidType(f"build must be a bool, not {type(build).__name__}")
    if strategy == "coprocessor" and database._layers is None:
        raise UnsupportedOperation(
            f"index '{name}': a cluster cannot log changes of two tables in one record, and its servers run no Python; "
            "strategy 'dual' or 'periodic' works there"
        )
    with CREATION_LOCK:
        definition = _define(database, table, name, on, strategy, codec, by, sums)
    index = Index(database, definition)
    if build and strategy != "filter":
        index.rebuild()
    return index


def _define(
    database: "Database",
    table: str,
    name: str,
    on: str | bytes | KeyPart,
    strategy: IndexStrategy,
    codec: str,
    by: int | str | None,
    sums: str | bytes | None,
) -> Definition:
    """Return the definition, once the table and its table of entries exist and name each other."""
    canonical = database._native.admin().canonical_name(table)
    schema = database.admin.describe(canonical)
    definition = definition_of(name, canonical, on, strategy, codec, by, sums)
    if definition.key in schema.attributes:
        raise InvalidArgument(f"table '{canonical}' has an index '{name}' already")
    check_indexed_families(definition, schema.families)
    check_codec(database.table(canonical), definition)
    if strategy != "filter":
        definition = create_entries(database, definition, schema)
    change(database, canonical, {definition.key: definition.text()})
    return definition


def check_indexed_families(definition: Definition, families: Collection[bytes]) -> None:
    """Raise `NoSuchColumnFamily` if the indexed table lacks the family of a column that the index reads."""
    for column in (definition.on, definition.sums):
        if isinstance(column, bytes) and column.partition(b":")[0] not in families:
            raise NoSuchColumnFamily(
                f"table '{definition.table}' has no family for '{printable(column)}', which is to be indexed"
            )


def attributes_of_copy(
    attributes: Mapping[str, str], table: str, *, present: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Return attributes that another table or a file has, for ``table``: with its own indexes, which are not built.

    Indexes that ``present``, the attributes of the table itself, define alike stay as they are."""
    found = dict(attributes)
    for one in definitions_of(attributes):
        own = one.of_table(table)
        old = present.get(one.key)
        if old is not None and replace(Definition.parse(one.key, old), is_built=False, expires=own.expires) == own:
            found[one.key] = old
        else:
            found[one.key] = own.text()
    if any(is_watched(key, value) for key, value in found.items()):
        found[OBSERVED] = "true"
    return found


def start_indexes(database: "Database", table: str) -> None:
    """Create the tables of entries of a new table that is still empty: a coprocessor index is built at once."""
    repair(database, table)
    for index in all_of(database, table):
        if index.definition.strategy == "coprocessor" and database._layers is not None:
            index.rebuild()


def find(database: "Database", table: str, name: str) -> Index:
    """Return an index by name. Raises `IndexNotFound`, which lists the indexes."""
    known = all_of(database, table)
    for index in known:
        if index.name == name:
            return index
    names = ", ".join(index.name for index in known) or "none"
    raise IndexNotFound(f"table '{table}' has no index '{name}'; it has: {names}")


def all_of(database: "Database", table: str | None) -> list[Index]:
    """Return the indexes of a table or of all tables, sorted by table and name."""
    tables = [table] if table is not None else database.admin.tables.list()
    found: list[Index] = []
    for one in tables:
        schema = database.admin.describe(one)
        # A clone of a snapshot names the indexes of the original.
        found += [
            Index(database, each if each.table == schema.name else each.of_table(schema.name))
            for each in definitions_of(schema.attributes)
        ]
    return found


def guard(
    action: str,
    table: str,
    attributes: dict[str, str],
    families: object,
    attributes_of: Callable[[str], dict[str, str]],
) -> str | None:
    """Return why a schema change would separate an index from its table, or None if it would not. `attributes_of`
    returns the attributes of other tables; a missing table has none."""
    names = sorted(key[len(PREFIX) :] for key in attributes if key.startswith(PREFIX))
    if action == "delete_table":
        owner = attributes.get(INDEX_OF)
        if owner is not None:
            used = any(one.index_table == table for one in definitions_of(attributes_of(owner)))
            return f"table '{table}' is an index of table '{owner}': drop the index" if used else None
        own = [one.name for one in definitions_of(attributes) if one.table == table]
        return f"table '{table}' has indexes: {', '.join(own)}; drop them first" if own else None
    if action == "truncate_table" and names:
        kept = [one.name for one in definitions_of(attributes) if one.strategy == "coprocessor"]
        return (
            f"table '{table}' has indexes that would keep removed rows: {', '.join(kept)}; drop them first"
            if kept
            else None
        )
    if action == "modify_table" and isinstance(families, dict):
        for one in definitions_of(attributes):
            if isinstance(one.on, bytes) and as_bytes(one.on).partition(b":")[0] not in families:
                return f"index '{one.name}' is on a family that would be removed: drop the index first"
    return None
