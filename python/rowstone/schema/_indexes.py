"""Indexes, constraints and codecs in a schema: attributes that a plan must not copy or drop like a setting."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from rowstone._core.database import Database
from rowstone.coprocessors._observers import OBSERVED, change
from rowstone.indexes._create import check_indexed_families
from rowstone.indexes._definition import CREATION_LOCK, INDEX_OF, PREFIX, Definition, definitions_of
from rowstone.indexes._entries import check_owners, name_is_taken
from rowstone.schema._model import Schema
from rowstone.schema._plan import Step

_CONSTRAINT, _OBSERVER, _CODECS = "constraint$", "coprocessor$", "rowstone.codecs"


def entries_first(schema: Schema) -> list[str]:
    """Return the names of the tables in the order of their creation: tables of index entries before the others."""
    return sorted(schema.tables, key=lambda name: (INDEX_OF not in schema.tables[name].attributes, name))


def entries_tables(schema: Schema) -> set[str]:
    """Return the names of the tables of entries of all indexes in a schema."""
    definitions = (one for name, table in schema.tables.items() for one in _own(table.attributes, name))
    return {one.index_table for one in definitions if one.index_table is not None}


def _own(attributes: Mapping[str, str], table: str) -> Iterator[Definition]:
    return (one.of_table(table) for one in definitions_of(attributes))


def check_indexes(db: Database, schema: Schema, table: str, attributes: Mapping[str, str]) -> None:
    """Check the indexes that a schema declares for a table, before anything is written.

    Raises:
        NoSuchColumnFamily: The schema lacks the family of an indexed column.
        TableExists: In the database or in the schema, another table has the name of the table of entries.
    """
    for one in definitions_of(attributes):
        check_indexed_families(one, schema.tables[table].families)
        declared = schema.tables.get(one.index_table or "")
        if declared is not None and declared.attributes.get(INDEX_OF) != table:
            raise name_is_taken(one)
    check_owners(db, attributes)


def changed_strategies(db: Database, schema: Schema, tables: Container[str]) -> dict[str, list[Definition]]:
    """Return, by table, the present indexes whose table of entries the schema replaces or removes.

    Strategies store entries in different ways, so that a change of the strategy creates the table again. The strategy
    "filter" has none: one that is there is what an interrupted change has left."""
    found: dict[str, list[Definition]] = {}
    for name, declared in schema.tables.items():
        wanted = {one.key: one.strategy for one in definitions_of(declared.attributes)}
        if not wanted or name not in tables:
            continue
        for one in definitions_of(db.admin.describe(name).attributes):
            own = replace(one, table=name, index_table=f"{name}_{one.name}")
            after = wanted.get(one.key, one.strategy)
            is_leftover = after == "filter" and own.index_table not in schema.tables
            if (after != one.strategy or is_leftover) and _has_entries(db, own):
                found.setdefault(name, []).append(own)
    return found


def _has_entries(db: Database, definition: Definition) -> bool:
    name = definition.index_table or ""
    return db.admin.tables.exists(name) and db.admin.describe(name).attributes.get(INDEX_OF) == definition.table


def drop_entries(db: Database, definition: Definition) -> None:
    """Drop the table of entries of an index. Until it gets another strategy, its queries read the table."""
    reading = replace(definition, strategy="filter", index_table=None, by=None, sums=None, expires=False)
    with CREATION_LOCK:
        change(db, definition.table, {definition.key: reading.built(False).text()})
        db.admin.drop_table(definition.index_table or "", force=True)


def build_notes(table: str, attributes: Mapping[str, str], present: Mapping[str, str], *, is_new: bool) -> list[str]:
    """Return a line for each index that the table gets and that is not built."""
    return [
        f"index {one.name} is not built: build it with db.index('{table}', '{one.name}').rebuild()"
        for one in definitions_of(attributes)
        if present.get(one.key) != attributes[one.key]
        and one.strategy != "filter"
        # A coprocessor index of an empty table is built at once.
        and not (is_new and one.strategy == "coprocessor")
    ]


def attribute_losses(removed: Iterable[str]) -> Iterator[str]:
    """Describe what a table loses with its attributes."""
    for key in removed:
        if key.startswith(PREFIX):
            yield f"index {key.removeprefix(PREFIX)} and its entries are removed"
        elif key.startswith(_CONSTRAINT):
            yield f"constraint {key.removeprefix(_CONSTRAINT)} is removed"
        elif key.startswith(_OBSERVER):
            yield f"observer {key.removeprefix(_OBSERVER)} is removed"
        elif key == _CODECS:
            yield "the codecs of its columns are removed"
        elif key == OBSERVED:
            yield "writes no longer require its observers"
        elif key == INDEX_OF:
            yield "it no longer belongs to its index"


def orphan_drops(db: Database, schema: Schema, table: str, removed: Iterable[str]) -> Iterator[Step]:
    """Return the steps that drop the tables of entries of removed indexes, unless the schema names the tables."""
    attributes = db.admin.describe(table).attributes
    for one in definitions_of({key: attributes[key] for key in removed}):
        name = one.index_table
        if one.table != table or name is None or name in schema.tables or not db.admin.tables.exists(name):
            continue
        if db.admin.describe(name).attributes.get(INDEX_OF) == table:
            drop = partial(db.admin.drop_table, name, force=True)
            yield Step("drop", f"table {name}", (), (f"the entries of index {one.name}",), drop)
