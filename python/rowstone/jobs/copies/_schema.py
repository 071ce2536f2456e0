"""Target table of a copy: creation like the source, and differences of their families."""

import contextlib
import logging
from collections.abc import Iterable, Iterator

from rowstone._base.blocking import check_blocking
from rowstone._base.printable import printable
from rowstone._base.schema import TableSchema
from rowstone._core.database import Database
from rowstone.coprocessors._observers import OBSERVED, is_watched
from rowstone.errors import NoSuchColumnFamily, RowstoneError

_log = logging.getLogger("rowstone")


def create_table_like(
    source: Database,
    table: str,
    target: Database,
    target_table: str | None = None,
    *,
    splits: Iterable[str | bytes] | None = None,
) -> bool:
    """Create a table in ``target`` with the descriptor of ``source``'s; return False if one of that name exists.

    It has indexes of its own. A coprocessor index is kept up to date by all writes, those of `copy_table` included; a
    target on a cluster is created without it, with a warning in the log. Build other indexes with `Index.rebuild` once
    the rows are there.

    Args:
        target_table: The name of the new table; by default the same. A missing namespace is created, too.
        splits: Its split keys; by default those of ``source``. An empty list creates one region.

    Raises:
        TableNotFound: ``source`` has no such table.
        InvalidName, InvalidArgument: Nothing was created.
    """
    from rowstone.indexes._create import attributes_of_copy, start_indexes
    from rowstone.indexes._definition import PREFIX
    from rowstone.indexes._entries import check_owners

    check_blocking("source", source)
    check_blocking("target", target)
    schema = source.admin.describe(table)
    wanted = schema.name if target_table is None else target_table
    if splits is None:
        splits = [region.start_key for region in source.admin.regions.list(table) if region.start_key]
    attributes = attributes_of_copy(_supported(schema, target), target._native.admin().canonical_name(wanted))
    with _namespace_of(target, wanted):
        if not target.admin.tables.exists(wanted):
            check_owners(target, attributes)
        is_new = target.create_table(
            wanted,
            schema.families,
            splits=splits,
            attributes=attributes,
            configuration=schema.configuration,
            if_not_exists=True,
        )
        if is_new and any(key.startswith(PREFIX) for key in attributes):
            start_indexes(target, wanted)
    return is_new


def _supported(schema: TableSchema, target: Database) -> dict[str, str]:
    """Return the attributes without the coprocessor indexes if the target is a cluster."""
    from rowstone.indexes._definition import PREFIX

    rest = dict(schema.attributes)
    if target._layers is not None:
        return rest
    left_out = [key for key, value in rest.items() if key.startswith(PREFIX) and is_watched(key, value)]
    for key in left_out:
        del rest[key]
        _log.warning("a cluster cannot maintain %s of table '%s': the copy is without it", key, schema.name)
    if left_out and not any(is_watched(key, value) for key, value in rest.items()):
        rest.pop(OBSERVED, None)
    return rest


@contextlib.contextmanager
def _namespace_of(target: Database, table: str) -> Iterator[None]:
    """Create the table's namespace if it is missing, and drop it again if the table cannot be created."""
    namespace, colon, _ = table.partition(":")
    if not colon or namespace in target.admin.namespaces.list():
        yield
        return
    target.admin.namespaces.create(namespace)
    try:
        yield
    except Exception:
        with contextlib.suppress(RowstoneError):
            target.admin.namespaces.drop(namespace)
        raise


def missing_families(source: TableSchema, target: TableSchema) -> list[bytes]:
    """Return the families of ``source`` that ``target`` lacks, in order."""
    return sorted(set(source.families) - set(target.families))


def check_families(source: TableSchema, target: TableSchema) -> None:
    """Raise `NoSuchColumnFamily` if ``target`` lacks a family of ``source``."""
    if missing := missing_families(source, target):
        raise NoSuchColumnFamily(f"table '{target.name}' lacks the families {', '.join(map(printable, missing))}")


def lossy_families(source: TableSchema, target: TableSchema) -> dict[bytes, list[str]]:
    """Return family settings by which ``target`` keeps other cells than ``source``: versions, TTLs, deletes."""
    differing: dict[bytes, list[str]] = {}
    for name, family in source.families.items():
        other = target.families.get(name)
        for setting in ("max_versions", "min_versions", "ttl_seconds", "keep_deleted_cells", "new_version_behavior"):
            if other is not None and getattr(family, setting) != getattr(other, setting):
                differing.setdefault(name, []).append(setting)
    return differing
