"""Tables, their families, and the locations of their regions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rowstone import _native
from rowstone.errors import InvalidArgument, NoSuchColumnFamily, TableNotFound
from rowstone.server.thrift._failures import io_failure
from rowstone.server.thrift._regions import META, in_order, locations_of, user_tables
from rowstone.server.thrift._session import Session, table_name
from rowstone.server.thrift.two._descriptors import (
    family_of,
    table_descriptor,
    table_name_of,
    table_settings_of,
)
from rowstone.server.thrift.two._structs import DOCUMENT, name_of


def get_table_descriptor(session: Session, table: Any) -> Any:
    """A table's description."""
    return table_descriptor(session.database.admin.describe(name_of(table)))


def get_table_descriptors(session: Session, tables: list[Any]) -> Any:
    """The descriptions of several tables; missing tables are skipped."""
    admin = session.database.admin
    names = [name_of(table) for table in tables]
    return [table_descriptor(admin.describe(name)) for name in names if admin.tables.exists(name)]


def table_exists(session: Session, table: Any) -> bool:
    """Whether a table exists."""
    return session.database.admin.tables.exists(name_of(table))


def get_table_descriptors_by_pattern(session: Session, pattern: str | None, with_system: bool) -> Any:
    """Descriptions of tables whose names match."""
    admin = session.database.admin
    return [table_descriptor(admin.describe(name)) for name in _matching(session, pattern, with_system)]


def get_table_descriptors_by_namespace(session: Session, name: str) -> Any:
    """Descriptions of the tables of a namespace."""
    admin = session.database.admin
    return [table_descriptor(admin.describe(table)) for table in admin.tables.list(name)]


def get_table_names_by_pattern(session: Session, pattern: str | None, with_system: bool) -> Any:
    """Table names that match."""
    return [table_name_of(name) for name in _matching(session, pattern, with_system)]


def get_table_names_by_namespace(session: Session, name: str) -> Any:
    """Names of the tables of a namespace."""
    return [table_name_of(table) for table in session.database.admin.tables.list(name)]


def _matching(session: Session, pattern: str | None, with_system: bool) -> list[str]:
    matches = _matcher(pattern)
    names = in_order({*session.database.tables(), META}) if with_system else user_tables(session.database)
    # A table of the default namespace also matches with its namespace.
    return [name for name in names if matches(name) or (":" not in name and matches(f"default:{name}"))]


def _matcher(pattern: str | None) -> Callable[[str], object]:
    return (lambda name: True) if pattern is None else _native.Pattern(pattern).matches


def create_table(session: Session, descriptor: Any, splits: list[bytes] | None) -> None:
    """Create a table."""
    families = {one.name: family_of(one) for one in descriptor.columns or ()}
    if not families:
        text = "Table should have at least one column family"
        raise io_failure("org.apache.hadoop.hbase.DoNotRetryIOException", text, can_retry=False)
    attributes, configuration = table_settings_of(descriptor)
    session.database.create_table(
        name_of(descriptor.tableName),
        families,
        splits=splits or None,
        attributes=attributes,
        configuration=configuration,
    )


def modify_table(session: Session, descriptor: Any) -> None:
    """Replace a table's description: families and attributes that are not given are removed."""
    admin = session.database.admin
    name = name_of(descriptor.tableName)
    schema = admin.describe(name)
    families = {one.name: family_of(one) for one in descriptor.columns or ()}
    attributes, configuration = table_settings_of(descriptor)
    admin.alter_table(
        name,
        families=families,
        remove=[family for family in schema.families if family not in families],
        attributes={**dict.fromkeys(schema.attributes), **attributes},
        configuration={**dict.fromkeys(schema.configuration), **configuration},
    )


def delete_table(session: Session, table: Any) -> None:
    """Delete a disabled table."""
    session.database.admin.drop_table(name_of(table))


def truncate_table(session: Session, table: Any, preserve_splits: bool) -> None:
    """Truncate a disabled table and enable it."""
    session.database.admin.truncate_table(name_of(table), preserve_splits=preserve_splits)


def enable_table(session: Session, table: Any) -> None:
    """Enable a table."""
    session.database.admin.enable_table(name_of(table))


def disable_table(session: Session, table: Any) -> None:
    """Disable a table."""
    session.database.admin.disable_table(name_of(table))


def is_table_enabled(session: Session, table: Any) -> bool:
    """Whether a table is enabled."""
    return session.database.admin.tables.is_enabled(name_of(table))


def is_table_disabled(session: Session, table: Any) -> bool:
    """Whether a table is disabled."""
    return not session.database.admin.tables.is_enabled(name_of(table))


def is_table_available(session: Session, table: Any) -> bool:
    """Whether a table exists and all its regions are served."""
    name = name_of(table)
    return session.database.admin.tables.exists(name) and session.database.admin.tables.is_enabled(name)


def is_table_available_with_split(session: Session, table: Any, splits: list[bytes] | None) -> bool:
    """Whether a table exists with regions that start at these keys."""
    return is_table_available(session, table) and (
        not splits or sorted(splits) == session.database.admin.regions.split_keys(name_of(table))
    )


_INVALID_FAMILY = "org.apache.hadoop.hbase.InvalidFamilyOperationException"


def add_column_family(session: Session, table: Any, descriptor: Any) -> None:
    """Add a family."""
    with _report_families():
        session.database.admin.tables.add_family(name_of(table), descriptor.name, family_of(descriptor))


def modify_column_family(session: Session, table: Any, descriptor: Any) -> None:
    """Change a family to a new description."""
    with _report_families():
        session.database.admin.tables.modify_family(name_of(table), descriptor.name, family_of(descriptor))


def delete_column_family(session: Session, table: Any, column: bytes) -> None:
    """Delete a family and its data."""
    with _report_families():
        session.database.admin.tables.delete_family(name_of(table), column)


@contextmanager
def _report_families() -> Iterator[None]:
    """Report an existing or missing family as HBase's master does."""
    try:
        yield
    except (InvalidArgument, NoSuchColumnFamily) as error:
        raise io_failure(_INVALID_FAMILY, str(error), can_retry=False) from None


def get_region_location(session: Session, table: bytes, row: bytes, reload: bool | None) -> Any:
    """The region that contains a row."""
    locations = [location for location in locations_of(session, table_name(table)) if location[0].start_key <= row]
    return _location(*locations[-1])


def get_all_region_locations(session: Session, table: bytes) -> Any:
    """All regions of a table; none if the table does not exist."""
    try:
        return [_location(*location) for location in locations_of(session, table_name(table))]
    except TableNotFound:
        return []


def _location(region: Any, server: tuple[str, int, int]) -> Any:
    info = DOCUMENT.THRegionInfo(
        regionId=region.region_id,
        tableName=region.table.encode(),
        startKey=region.start_key,
        endKey=region.end_key,
        offline=False,
        split=False,
        replicaId=0,
    )
    return DOCUMENT.THRegionLocation(DOCUMENT.TServerName(*server), info)
