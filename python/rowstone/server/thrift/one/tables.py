"""Tables and families of the first service, the type of the gateway and the id of the cluster."""

from __future__ import annotations

from typing import Any

from rowstone._base.schema import FOREVER_SECONDS, Family
from rowstone.admin._areas.regions import is_region
from rowstone.errors import InvalidArgument, InvalidName, TableExists, TableNotFound
from rowstone.server.thrift._failures import io_failure
from rowstone.server.thrift._regions import locations_of, region_at, user_tables
from rowstone.server.thrift._session import Session, cluster_id, table_name
from rowstone.server.thrift.one._structs import DOCUMENT, already_exists, illegal_argument, java_illegal_argument

_REGION_VERSION = 1


def enable_table(session: Session, table: bytes) -> None:
    """Enable a table."""
    session.database.admin.enable_table(table_name(table))


def disable_table(session: Session, table: bytes) -> None:
    """Disable a table."""
    session.database.admin.disable_table(table_name(table))


def is_table_enabled(session: Session, table: bytes) -> bool:
    """Whether a table is enabled."""
    return session.database.admin.tables.is_enabled(table_name(table))


def compact(session: Session, table_or_region: bytes) -> None:
    """Compact some files; returns when that is done."""
    _compact(session, table_or_region, major=False)


def major_compact(session: Session, table_or_region: bytes) -> None:
    """Compact all files. (HBase's gateway compacts some, and so does this one.)"""
    _compact(session, table_or_region, major=True)


def _compact(session: Session, table_or_region: bytes, *, major: bool) -> None:
    admin = session.database.admin
    if is_region(table_or_region):
        admin.regions.compact(table_or_region, major=major)
    else:
        name = table_name(table_or_region)
        (admin.major_compact if major else admin.compact)(name)


def get_table_names(session: Session) -> list[bytes]:
    """The names of all tables except HBase's own."""
    return [name.encode() for name in user_tables(session.database)]


def get_table_names_with_is_table_enabled(session: Session) -> dict[bytes, bool]:
    """All tables, and whether they are enabled."""
    return {name.encode(): session.database.admin.tables.is_enabled(name) for name in user_tables(session.database)}


def get_column_descriptors(session: Session, table: bytes) -> Any:
    """The families by name, with a trailing colon."""
    families = session.database.admin.describe(table_name(table)).families
    return {name + b":": _described(name + b":", family) for name, family in families.items()}


def _described(name: bytes, family: Family) -> Any:
    attributes = family.to_attributes()
    return DOCUMENT.ColumnDescriptor(
        name=name,
        maxVersions=1 if family.max_versions is None else family.max_versions,
        compression=family.compression,
        inMemory=family.in_memory,
        bloomFilterType=family.bloom_filter,
        blockCacheEnabled=family.block_cache,
        timeToLive=FOREVER_SECONDS if family.ttl_seconds is None else int(attributes["TTL"]),
    )


def get_table_regions(session: Session, table: bytes) -> Any:
    """The table's regions; none if the table does not exist."""
    try:
        locations = locations_of(session, table_name(table))
    except TableNotFound:
        return []
    return [_region(*location) for location in locations]


def get_region_info(session: Session, row: bytes) -> Any:
    """The region whose row in ``hbase:meta`` is the last that does not sort after ``row``."""
    location = region_at(session, row)
    if location is None:
        raise io_failure("java.io.IOException", f"Cannot find row in hbase:meta, row={row!r}")
    return _region(*location)


def _region(region: Any, server: tuple[str, int, int]) -> Any:
    host, port, _ = server
    return DOCUMENT.TRegionInfo(
        region.start_key, region.end_key, region.region_id, region.name, _REGION_VERSION, host.encode(), port
    )


def create_table(session: Session, table: bytes, descriptors: list[Any]) -> None:
    """Create a table with this service's defaults: three versions, no Bloom filter, no block cache."""
    name = table_name(table)
    if session.database.admin.tables.exists(name):
        raise already_exists()
    try:
        families = {_family_name(one.name): _family(one) for one in descriptors or ()}
        if not families:
            raise io_failure(
                "org.apache.hadoop.hbase.DoNotRetryIOException",
                "Table should have at least one column family",
                can_retry=False,
            )
        session.database.create_table(name, families)
    except TableExists:
        raise already_exists() from None
    except (InvalidArgument, InvalidName) as error:
        raise java_illegal_argument(str(error)) from None


def _family_name(name: bytes | None) -> bytes:
    if not name:
        raise illegal_argument("column name is empty")
    return name.partition(b":")[0]


def _family(one: Any) -> Family:
    return Family(
        max_versions=one.maxVersions,
        compression=one.compression.upper(),
        in_memory=one.inMemory,
        bloom_filter=one.bloomFilterType,
        block_cache=one.blockCacheEnabled,
        ttl_seconds=one.timeToLive if 0 < one.timeToLive < FOREVER_SECONDS else None,
    )


def delete_table(session: Session, table: bytes) -> None:
    """Delete a disabled table."""
    name = table_name(table)
    if not session.database.admin.tables.exists(name):
        raise io_failure("java.io.IOException", "table does not exist")
    session.database.admin.drop_table(name)


def get_thrift_server_type(session: Session) -> int:
    """``TThriftServerType.ONE``"""
    return DOCUMENT.enums["TThriftServerType"]["ONE"]


def get_cluster_id(session: Session) -> str:
    """The cluster's id, or that of the directory."""
    return cluster_id(session.database)
