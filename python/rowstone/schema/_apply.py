"""Comparing a schema with a database, and applying it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rowstone._base.printable import printable
from rowstone._base.schema import FOREVER_SECONDS, Family, as_text
from rowstone._core.database import Database
from rowstone.admin import Admin
from rowstone.errors import ConstraintViolation, InvalidArgument
from rowstone.indexes._create import attributes_of_copy, start_indexes
from rowstone.indexes._definition import Definition, definitions_of
from rowstone.indexes._entries import repair
from rowstone.schema._indexes import (
    attribute_losses,
    build_notes,
    changed_strategies,
    check_indexes,
    drop_entries,
    entries_first,
    entries_tables,
    orphan_drops,
)
from rowstone.schema._model import Schema, canonical
from rowstone.schema._plan import Plan, Step

_BUILT_IN = ("default", "hbase")
_TABLE_DEFAULTS = {
    "COMPACTION_ENABLED": "true",
    "DURABILITY": "USE_DEFAULT",
    "IS_META": "false",
    "MERGE_ENABLED": "true",
    "NORMALIZATION_ENABLED": "false",
    "READONLY": "false",
    "REGION_MEMSTORE_REPLICATION": "true",
    "REGION_REPLICATION": "1",
    "SPLIT_ENABLED": "true",
    "hbase.store.file-tracker.impl": "DEFAULT",
}
"""Table settings whose absence means the same."""
_FAMILY_DEFAULTS = {
    "BLOCKCACHE": "true",
    "BLOCKSIZE": "65536",
    "BLOOMFILTER": "ROW",
    "COMPRESSION": "NONE",
    "DATA_BLOCK_ENCODING": "NONE",
    "INDEX_BLOCK_ENCODING": "NONE",
    "IN_MEMORY": "false",
    "KEEP_DELETED_CELLS": "FALSE",
    "MIN_VERSIONS": "0",
    "NEW_VERSION_BEHAVIOR": "false",
    "REPLICATION_SCOPE": "0",
    "TTL": str(FOREVER_SECONDS),
}
_ANY_CASE = {"BLOOMFILTER", "COMPRESSION", "DATA_BLOCK_ENCODING", "DURABILITY", "KEEP_DELETED_CELLS"}
_KEEPS = {"FALSE": 0, "TTL": 1, "TRUE": 2}


def diff(db: Database, schema: Schema) -> Plan:
    """Return the plan of `apply`. If a family does not mention its versions, they stay as they are.

    Raises:
        NamespaceNotFound: A table's namespace is neither in ``db`` nor in ``schema``.
        NoSuchColumnFamily: A table lacks the family of an indexed column.
        TableExists: Another table has the name of an index's table of entries.
    """
    admin = db.admin
    tables = {canonical(name) for name in admin.tables.list() if not name.startswith("hbase:")}
    spaces = set(admin.namespaces.list())
    steps: list[Step] = [*_namespaces(admin, schema, spaces)]
    changed = changed_strategies(db, schema, tables)
    replaced = {one.index_table for indexes in changed.values() for one in indexes}
    for name in entries_first(schema):
        if name in replaced:
            # The step of the indexed table drops and creates it.
            continue
        if name in tables:
            steps += _altered(db, name, schema, changed.get(name, []))
        else:
            steps.append(_created(db, name, schema))
    if schema.complete:
        unnamed = tables - set(schema.tables) - entries_tables(schema) - replaced
        steps += [_dropped(admin, name) for name in sorted(unnamed)]
        steps += [
            Step("drop", f"namespace {name}", (), ("the namespace",), partial(admin.namespaces.drop, name))
            for name in sorted(spaces - set(schema.namespaces) - set(_BUILT_IN))
        ]
    return Plan(tuple(steps))


def apply(db: Database, schema: Schema, *, allow_destructive: bool = False) -> Plan:
    """Apply ``schema`` to ``db``, and return the plan that was carried out.

    Steps run one after the other. If one fails, earlier steps stay done, and a second call continues from there.

    Raises:
        ConstraintViolation: Steps may lose data, and ``allow_destructive`` is not set; nothing was changed.
    """
    plan = diff(db, schema)
    if plan.destructive and not allow_destructive:
        steps = "\n".join(map(str, plan.destructive))
        raise ConstraintViolation(
            f"{len(plan.destructive)} step(s) may lose data; allow_destructive does them:\n{steps}"
        )
    for step in plan:
        step.perform()
    return plan


def _namespaces(admin: Admin, schema: Schema, present: set[str]) -> Iterator[Step]:
    for name, wanted in sorted(schema.namespaces.items()):
        if name not in present:
            changes = tuple(_changes({}, wanted))
            create = partial(admin.namespaces.create, name, wanted)
            yield Step("create", f"namespace {name}", changes, (), create)
            continue
        found = admin.namespaces.describe(name)
        changes = tuple(_changes(found, wanted))
        if changes:
            gone = [key for key in found if key not in wanted]
            alter = partial(admin.namespaces.alter, name, set=wanted, unset=gone)
            yield Step("alter", f"namespace {name}", changes, (), alter)


def _created(db: Database, name: str, schema: Schema) -> Step:
    declared = schema.tables[name]
    if not declared.families:
        raise InvalidArgument(f"table '{name}' must have at least one column family")
    attributes = attributes_of_copy(declared.attributes, name)
    check_indexes(db, schema, name, attributes)

    def perform() -> None:
        db.admin.create_table(
            name,
            declared.families,
            splits=list(declared.splits),
            attributes=attributes,
            configuration=declared.configuration,
        )
        if definitions_of(attributes):
            start_indexes(db, name)

    changes = list(_changes({}, {**attributes, **declared.configuration}))
    changes += build_notes(name, attributes, {}, is_new=True)
    changes += [f"+ family {printable(key)} {_family_text(family)}" for key, family in declared.families.items()]
    changes += [f"split at {len(declared.splits)} keys"] if declared.splits else []
    return Step("create", f"table {name}", tuple(changes), (), perform)


def _dropped(admin: Admin, name: str) -> Step:
    return Step("drop", f"table {name}", (), ("all of its data",), lambda: admin.drop_table(name, force=True))


def _altered(db: Database, name: str, schema: Schema, replaced: Sequence[Definition]) -> list[Step]:
    """A table is altered in one step, which creates the entries of the ``replaced`` indexes again. Others drop the
    entries of its removed indexes."""
    declared = schema.tables[name]
    if not declared.families:
        raise InvalidArgument(f"table '{name}' must have at least one column family")
    found = db.admin.describe(name)
    own = attributes_of_copy(declared.attributes, name, present=found.attributes)
    check_indexes(db, schema, name, own)
    merged = {**found.attributes, **found.configuration}
    wanted = {**own, **declared.configuration}
    attributes = _replaced(found.attributes, own, wanted)
    removed = [key for key, value in attributes.items() if value is None]
    changes: list[str] = []
    losses = list(attribute_losses(removed))
    losses += [f"index {one.name}: its entries are removed, because its strategy changes" for one in replaced]
    changes += _changes(_without_defaults(merged, _TABLE_DEFAULTS), _without_defaults(wanted, _TABLE_DEFAULTS))
    changes += build_notes(name, own, found.attributes, is_new=False)
    families, family_changes, family_losses = _altered_families(found.families, declared.families)
    gone = [key for key in found.families if key not in declared.families]
    changes += family_changes + [f"- family {printable(key)}" for key in gone]
    losses += family_losses + [f"family {printable(key)} and all of its data are removed" for key in gone]
    if not changes and not replaced:
        return []

    def perform() -> None:
        for one in replaced:
            drop_entries(db, one)
            if one.index_table is not None and one.index_table in schema.tables:
                _created(db, one.index_table, schema).perform()
        db.admin.alter_table(
            name,
            families=families,
            remove=gone,
            attributes=attributes,
            configuration=_replaced(found.configuration, declared.configuration, wanted),
        )
        if definitions_of(own):
            repair(db, name)

    step = Step("alter", f"table {name}", tuple(changes), tuple(losses), perform)
    return [step, *(() if schema.complete else orphan_drops(db, schema, name, removed))]


def _altered_families(
    found: Mapping[bytes, Family], declared: Mapping[bytes, Family]
) -> tuple[dict[bytes, Family], list[str], list[str]]:
    """Return the families to set, with a line for each change and each loss."""
    families: dict[bytes, Family] = {}
    changes: list[str] = []
    losses: list[str] = []
    for key, family in declared.items():
        old = found.get(key)
        text = printable(key)
        if old is None:
            families[key] = family
            changes.append(f"+ family {text} {_family_text(family)}")
            continue
        before, after = _settings(old), _settings(family)
        if family.max_versions is None:
            after["VERSIONS"] = before["VERSIONS"]
        lines = list(_changes(before, after))
        if lines:
            families[key] = family
            changes += [f"family {text}: {line}" for line in lines]
            losses += [f"family {text}: {loss}" for loss in _losses(before, after)]
    return families, changes, losses


def _replaced(
    found: Mapping[str, str], declared: Mapping[str, str], wanted: Mapping[str, str]
) -> dict[str, str | None]:
    """The changes that turn ``found`` into the declaration. A cluster keeps both kinds of settings in one place."""
    gone = [key for key in found if key not in wanted and _TABLE_DEFAULTS.get(key) != found[key]]
    return {**dict.fromkeys(gone), **declared}


def _settings(family: Family) -> dict[str, str]:
    """A family's settings without default values, in normalized spelling."""
    attributes = family.to_attributes()
    versions = attributes.pop("VERSIONS", "1")
    rest = _without_defaults({**attributes, **family.configuration}, _FAMILY_DEFAULTS)
    return {"VERSIONS": versions, **rest}


def _without_defaults(settings: Mapping[str, object], defaults: Mapping[str, str]) -> dict[str, str]:
    texts = {key: _spelled(key, as_text(value)) for key, value in settings.items()}
    return {key: text for key, text in texts.items() if defaults.get(key) != text}


def _spelled(key: str, text: str) -> str:
    """Normalize the case of values for which HBase ignores it."""
    if key in _ANY_CASE:
        return text.upper()
    return text.lower() if text.lower() in ("true", "false") else text


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if old != new:
            default = _FAMILY_DEFAULTS.get(key, "unset")
            yield f"{key}: {old if old is not None else default} -> {new if new is not None else default}"


def _losses(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """The data that a changed family no longer keeps."""

    def number(settings: Mapping[str, str], key: str) -> int:
        return int(settings.get(key, _FAMILY_DEFAULTS.get(key, "1")))

    for key, what in (("VERSIONS", "fewer versions are kept"), ("TTL", "cells live shorter")):
        if number(after, key) < number(before, key):
            yield what
    if "TTL" in after and number(after, "MIN_VERSIONS") < number(before, "MIN_VERSIONS"):
        yield "fewer versions outlive their time"
    keeps = [_KEEPS.get(settings.get("KEEP_DELETED_CELLS", "FALSE"), 0) for settings in (before, after)]
    if keeps[1] < keeps[0]:
        yield "deleted cells are removed"


def _family_text(family: Family) -> str:
    settings = {**_settings(family), **({} if family.max_versions else {"VERSIONS": "default"})}
    return ", ".join(f"{key} => '{text}'" for key, text in settings.items())
