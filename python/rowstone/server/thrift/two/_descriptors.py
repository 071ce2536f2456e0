"""Conversion of tables and families to and from Thrift descriptors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rowstone._base.schema import FOREVER_SECONDS, Family, TableSchema, as_text
from rowstone.server.thrift.two._structs import DOCUMENT, choice, number_of

# A descriptor's field, HBase's attribute, its default; in the order in which HBase shows them.
_NUMBERS = (
    ("blockSize", "BLOCKSIZE", 65536),
    ("dfsReplication", "DFS_REPLICATION", 0),
    ("maxVersions", "VERSIONS", 1),
    ("minVersions", "MIN_VERSIONS", 0),
    ("scope", "REPLICATION_SCOPE", 0),
    ("timeToLive", "TTL", FOREVER_SECONDS),
)
_SWITCHES = (
    ("blockCacheEnabled", "BLOCKCACHE", True),
    ("cacheBloomsOnWrite", "CACHE_BLOOMS_ON_WRITE", False),
    ("cacheDataOnWrite", "CACHE_DATA_ON_WRITE", False),
    ("cacheIndexesOnWrite", "CACHE_INDEX_ON_WRITE", False),
    ("compressTags", "COMPRESS_TAGS", True),
    ("evictBlocksOnClose", "EVICT_BLOCKS_ON_CLOSE", False),
    ("inMemory", "IN_MEMORY", False),
)
_CHOICES = (
    ("bloomnFilterType", "BLOOMFILTER", "TBloomFilterType", "ROW"),
    ("compressionType", "COMPRESSION", "TCompressionAlgorithm", "NONE"),
    ("dataBlockEncoding", "DATA_BLOCK_ENCODING", "TDataBlockEncoding", "NONE"),
    ("keepDeletedCells", "KEEP_DELETED_CELLS", "TKeepDeletedCells", "FALSE"),
)
# Attributes that HBase writes into every description, given or not.
_ALWAYS = {
    "BLOOMFILTER": "ROW",
    "IN_MEMORY": "false",
    "VERSIONS": "1",
    "KEEP_DELETED_CELLS": "FALSE",
    "DATA_BLOCK_ENCODING": "NONE",
    "COMPRESSION": "NONE",
    "TTL": str(FOREVER_SECONDS),
    "MIN_VERSIONS": "0",
    "BLOCKCACHE": "true",
    "BLOCKSIZE": "65536",
    "REPLICATION_SCOPE": "0",
}


_ALWAYS_OF_TABLES = {"IS_META": "false", "hbase.store.file-tracker.impl": "DEFAULT"}


def table_descriptor(schema: TableSchema) -> Any:
    """The ``TTableDescriptor`` of a table."""
    values = {**_ALWAYS_OF_TABLES, **schema.configuration, **schema.attributes}
    return DOCUMENT.TTableDescriptor(
        tableName=table_name_of(schema.name),
        columns=[family_descriptor(name, family) for name, family in schema.families.items()],
        attributes={name.encode(): as_text(value).encode() for name, value in values.items()},
        durability=number_of("TDurability", schema.attributes.get("DURABILITY", ""), "USE_DEFAULT"),
    )


def table_name_of(name: str) -> Any:
    """The ``TTableName`` of a table."""
    namespace, colon, qualifier = name.rpartition(":")
    return DOCUMENT.TTableName(namespace.encode() if colon else b"default", qualifier.encode())


def family_descriptor(name: bytes, family: Family) -> Any:
    """The ``TColumnFamilyDescriptor`` of a family."""
    attributes = {**_ALWAYS, **family.to_attributes()}
    fields: dict[str, Any] = {field: int(attributes.get(key, default)) for field, key, default in _NUMBERS}
    for field, key, default in _SWITCHES:
        fields[field] = attributes[key].lower() == "true" if key in attributes else default
    for field, key, enum, standard in _CHOICES:
        fields[field] = number_of(enum, attributes.get(key, standard).upper(), standard)
    return DOCUMENT.TColumnFamilyDescriptor(
        name=name,
        attributes={key.encode(): value.encode() for key, value in attributes.items()},
        configuration={key: as_text(value) for key, value in family.configuration.items()} or None,
        **fields,
    )


def family_of(descriptor: Any) -> Family:
    """The family described by a ``TColumnFamilyDescriptor``: its attributes, overridden by its fields."""
    attributes = _texts(descriptor.attributes)
    for field, key, _ in (*_NUMBERS, *_SWITCHES):
        value = getattr(descriptor, field)
        if value is not None:
            attributes[key] = as_text(value)
    for field, key, enum, standard in _CHOICES:
        value = getattr(descriptor, field)
        if value is not None:
            attributes[key] = choice(enum, value, standard)
    return Family.from_attributes(attributes, descriptor.configuration or {})


def table_settings_of(descriptor: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Attributes and configuration of a ``TTableDescriptor``, which stores both in one map."""
    values = _texts(descriptor.attributes)
    for name, value in _ALWAYS_OF_TABLES.items():
        if values.get(name) == value:
            del values[name]
    if descriptor.durability is not None:
        values["DURABILITY"] = choice("TDurability", descriptor.durability, "USE_DEFAULT")
    configuration = {name: value for name, value in values.items() if "." in name}
    return {name: value for name, value in values.items() if name not in configuration}, configuration


def _texts(attributes: Mapping[bytes, bytes] | None) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in (attributes or {}).items()}
