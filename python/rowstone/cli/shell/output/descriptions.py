"""Schemas as HBase prints them, for ``describe``, in the iteration order of Java's ``HashMap``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rowstone import Family, TableSchema
from rowstone.cli.shell.output.times import seconds_of, seconds_text, size_text
from rowstone.cli.shell.values import to_text

FAMILY_DEFAULTS: Mapping[str, str] = {
    "BLOOMFILTER": "ROW",
    "REPLICATION_SCOPE": "0",
    "VERSIONS": "1",
    "MIN_VERSIONS": "0",
    "COMPRESSION": "NONE",
    "TTL": "FOREVER",
    "BLOCKSIZE": "65536",
    "IN_MEMORY": "false",
    "BLOCKCACHE": "true",
    "KEEP_DELETED_CELLS": "FALSE",
    "DATA_BLOCK_ENCODING": "NONE",
    "INDEX_BLOCK_ENCODING": "NONE",
}
"""Attributes that HBase prints for every family, in the order in which its builder sets them."""

_FAMILY_RESERVED = {
    *FAMILY_DEFAULTS, "ENCRYPTION", "ENCRYPTION_KEY", "IS_MOB", "MOB_THRESHOLD", "MOB_COMPACT_PARTITION_POLICY",
}  # fmt: skip
_TABLE_RESERVED = {
    "DURABILITY", "MAX_FILESIZE", "READONLY", "MEMSTORE_FLUSHSIZE", "FLUSH_POLICY", "REGION_REPLICATION",
    "REGION_MEMSTORE_REPLICATION", "PRIORITY", "IS_META", "ERASURE_CODING_POLICY",
}  # fmt: skip
_TABLE_DEFAULTS = {
    "READONLY": "false", "MEMSTORE_FLUSHSIZE": "134217728", "DURABILITY": "USE_DEFAULT", "REGION_REPLICATION": "1",
    "PRIORITY": "0", "IS_META": "false", "COMPACTION_ENABLED": "true",
}  # fmt: skip
FILE_TRACKER = {"hbase.store.file-tracker.impl": "DEFAULT"}
"""Metadata that HBase writes into every table that it creates."""


def table_text(name: str, schema: TableSchema) -> str:
    """The line of the table's own attributes. Source: ``TableDescriptor.toStringTableAttributes``."""
    values = {**FILE_TRACKER, **schema.configuration, **schema.attributes}
    known = [key for key in sorted(values) if key in _TABLE_RESERVED or key.startswith("coprocessor$")]
    reserved = [key for key in known if not _is_default(key, values[key])]
    own = [key for key in sorted(values) if key not in known]
    parts = [f"{key} => '{_table_value(key, values[key])}'" for key in reserved]
    if own:
        parts.append(f"METADATA => {_pairs({key: values[key] for key in own})}")
    return f"{name}, {{TABLE_ATTRIBUTES => {{" + ", ".join(parts) + "}}"


def family_text(name: bytes, family: Family) -> str:
    """The text of a family. Source: ``ColumnFamilyDescriptor.toString``, which prints in ``HashMap`` order."""
    values = {**FAMILY_DEFAULTS, **family.to_attributes()}
    defaults = in_map_order(FAMILY_DEFAULTS, text_hash)
    order = in_map_order([*defaults, *(key for key in values if key not in FAMILY_DEFAULTS)], bytes_hash, capacity=32)
    parts = [f"NAME => '{to_text(name)}'"]
    parts += [f"{key} => '{_family_value(key, values[key])}'" for key in order if key in _FAMILY_RESERVED]
    configuration = {key: str(family.configuration[key]) for key in in_map_order(family.configuration, text_hash)}
    own = {key: values[key] for key in order if key not in _FAMILY_RESERVED}
    if own:
        parts.append(f"METADATA => {_pairs(own)}")
    if configuration:
        parts.append(f"CONFIGURATION => {_pairs(configuration)}")
    return "{" + ", ".join(parts) + "}"


def schema_text(schema: TableSchema) -> str:
    """A whole table schema in one line, as in HBase's error messages."""
    families = ", ".join(family_text(name, family) for name, family in schema.families.items())
    table = table_text("", schema).removeprefix(", ")
    return f"'{schema.name}', {table}, {families}"


def namespace_text(name: str, properties: Mapping[str, str]) -> str:
    """The text of a namespace with its properties."""
    parts = [f"NAME => '{name}'", *(f"{key} => '{properties[key]}'" for key in sorted(properties))]
    return "{" + ", ".join(parts) + "}"


def _pairs(values: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"'{key}' => '{value}'" for key, value in values.items()) + "}"


def _is_default(key: str, value: str) -> bool:
    return _TABLE_DEFAULTS.get(key, "").lower() == value.lower()


def _table_value(key: str, value: str) -> str:
    return size_text(int(value)) if key in ("MAX_FILESIZE", "MEMSTORE_FLUSHSIZE") and value.isdigit() else value


def _family_value(key: str, value: str) -> str:
    if key == "TTL":
        return seconds_text(seconds_of(value))
    return size_text(int(value)) if key == "BLOCKSIZE" and value.isdigit() else value


def text_hash(text: str) -> int:
    """``String.hashCode``, as 32 bits."""
    code = 0
    for unit in text.encode("utf-16-be")[1::2] if text.isascii() else map(ord, text):
        code = (31 * code + unit) & 0xFFFFFFFF
    return code


def bytes_hash(text: str) -> int:
    """``Bytes.hashCode`` of HBase, as 32 bits: bytes are signed."""
    code = 1
    for byte in text.encode():
        code = (31 * code + (byte - 256 if byte > 127 else byte)) & 0xFFFFFFFF
    return code


def in_map_order(keys: Iterable[str], hash_of: Callable[[str], int], *, capacity: int = 16) -> list[str]:
    """``keys``, put one after the other into a map of at least ``capacity`` places, in its order.

    >>> in_map_order(["TTL", "VERSIONS", "BLOCKSIZE"], bytes_hash)
    ['VERSIONS', 'TTL', 'BLOCKSIZE']
    """
    names = list(dict.fromkeys(keys))
    while len(names) > capacity * 3 // 4:
        capacity *= 2
    buckets: dict[int, list[str]] = {}
    for name in names:
        code = hash_of(name)
        buckets.setdefault((code ^ (code >> 16)) & (capacity - 1), []).append(name)
    return [name for place in sorted(buckets) for name in buckets[place]]
