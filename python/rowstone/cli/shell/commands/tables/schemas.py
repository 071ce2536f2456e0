"""Parse the arguments of ``create`` and ``alter`` into families and table settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rowstone import Family, TableSchema
from rowstone.cli.shell.checks import hash_of, legal_family
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.output.descriptions import FAMILY_DEFAULTS
from rowstone.cli.shell.output.times import seconds_of, size_of
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

FAMILY_ATTRIBUTES = {
    *FAMILY_DEFAULTS, "CACHE_DATA_ON_WRITE", "CACHE_INDEX_ON_WRITE", "CACHE_BLOOMS_ON_WRITE", "EVICT_BLOCKS_ON_CLOSE",
    "IN_MEMORY_COMPACTION", "COMPRESS_TAGS", "PREFETCH_BLOCKS_ON_OPEN", "IS_MOB", "MOB_THRESHOLD",
    "NEW_VERSION_BEHAVIOR", "ENCRYPTION", "ENCRYPTION_KEY", "COMPRESSION_COMPACT", "COMPRESSION_COMPACT_MAJOR",
    "COMPRESSION_COMPACT_MINOR", "STORAGE_POLICY", "MOB_COMPACT_PARTITION_POLICY", "DFS_REPLICATION",
}  # fmt: skip
TABLE_ATTRIBUTES = {
    "OWNER", "MAX_FILESIZE", "READONLY", "COMPACTION_ENABLED", "SPLIT_ENABLED", "MERGE_ENABLED",
    "NORMALIZATION_ENABLED", "NORMALIZER_TARGET_REGION_COUNT", "NORMALIZER_TARGET_REGION_SIZE",
    "NORMALIZER_TARGET_REGION_SIZE_MB", "MEMSTORE_FLUSHSIZE", "DURABILITY", "PRIORITY", "FLUSH_POLICY",
    "REGION_MEMSTORE_REPLICATION", "SPLIT_POLICY", "REGION_REPLICATION", "ERASURE_CODING_POLICY",
}  # fmt: skip
_CODECS = ("LZO", "LZMA", "GZ", "ZSTD", "LZ4", "BROTLI", "NONE", "SNAPPY", "BZIP2")
_CHOICES = {
    "COMPRESSION": ("Compression", _CODECS),
    "COMPRESSION_COMPACT": ("Compression", _CODECS),
    "COMPRESSION_COMPACT_MAJOR": ("Compression", _CODECS),
    "COMPRESSION_COMPACT_MINOR": ("Compression", _CODECS),
    "BLOOMFILTER": ("BloomFilter type", ("NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH")),
    "MOB_COMPACT_PARTITION_POLICY": ("MOB_COMPACT_PARTITION_POLICY", ("DAILY", "WEEKLY", "MONTHLY")),
}
_ENUMERATIONS = {
    "DATA_BLOCK_ENCODING": (
        "org.apache.hadoop.hbase.io.encoding.DataBlockEncoding",
        ("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"),
    ),
    "KEEP_DELETED_CELLS": ("org.apache.hadoop.hbase.KeepDeletedCells", ("FALSE", "TRUE", "TTL")),
    "DURABILITY": (
        "org.apache.hadoop.hbase.client.Durability",
        ("USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL", "FSYNC_WAL"),
    ),
}
_SANITY = "Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks"


@dataclass
class Change:
    """A requested schema change, in the terms of `rowstone.Admin`."""

    families: dict[str, Family] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    attributes: dict[str, str | None] = field(default_factory=dict)
    configuration: dict[str, str | None] = field(default_factory=dict)


def family_from(argument: Any, old: Family | None, session: Session) -> tuple[str, Family]:
    """Name and description of a family from a name or a hash. Attributes that are not given stay as in ``old``.

    Raises:
        ArgumentMistake: The attribute does not accept the value; the message is HBase's.
    """
    given = {"NAME": argument} if not isinstance(argument, dict) else dict(argument)
    name = legal_family(given.pop("NAME"))
    attributes = dict(old.to_attributes()) if old is not None else {}
    configuration = {key: to_s(value) for key, value in (old.configuration if old is not None else {}).items()}
    for words, target in (("METADATA", attributes), ("CONFIGURATION", configuration)):
        if given.get(words) is not None:
            settings = hash_of(given.pop(words), f"{words} must be a Hash type")
            target.update({to_s(key): to_s(value) for key, value in settings.items()})
    for key in [key for key in given if key in FAMILY_ATTRIBUTES]:
        attributes[key] = family_value(key, given.pop(key))
    for key in given:
        session.formatter.line(f"Unknown argument ignored for column family {name}: {to_s(key)}")
    _check_family(name, attributes)
    return name, Family.from_attributes(attributes, configuration)


def family_value(key: str, value: Any) -> str:
    """A value in the form that HBase stores. Raises `ArgumentMistake`."""
    text = to_s(value)
    if key == "TTL":
        seconds = seconds_of(text)
        return str(seconds)
    if key in ("BLOCKSIZE", "MOB_THRESHOLD"):
        return str(size_of(text))
    if key in _CHOICES:
        kind, choices = _CHOICES[key]
        if text.upper() not in choices:
            raise ArgumentMistake(f"{kind} {text.upper()} is not supported. Use one of {' '.join(choices)}")
        return text.upper()
    if key in _ENUMERATIONS:
        return _enumerated(key, text.upper() if key == "KEEP_DELETED_CELLS" else text)
    if key == "VERSIONS" and _whole(text) <= 0:
        raise ArgumentMistake("Maximum versions must be positive")
    if key in ("MIN_VERSIONS", "REPLICATION_SCOPE", "DFS_REPLICATION"):
        _whole(text)
    return text


def _enumerated(key: str, text: str) -> str:
    kind, choices = _ENUMERATIONS[key]
    if text not in choices:
        raise ArgumentMistake(f"No enum constant {kind}.{text}")
    return text


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ArgumentMistake(f'For input string: "{text}"') from None


def _check_family(name: str, attributes: dict[str, str]) -> None:
    """The checks of HBase's master. Source: ``TableDescriptorChecker``."""
    if seconds_of(attributes.get("TTL", "FOREVER")) <= 0:
        raise _insane(f"TTL for column family {name} must be positive.")
    lowest, highest = int(attributes.get("MIN_VERSIONS", 0)), int(attributes.get("VERSIONS") or 1)
    if lowest < 0:
        raise _insane(f"Min versions for column family {name} must be positive.")
    if lowest > highest:
        raise _insane(f"Min versions for column family {name} must be less than the Max versions.")
    if not 1024 <= int(attributes.get("BLOCKSIZE", 65536)) <= 16 * 1024 * 1024:
        raise _insane(f"Block size for column family {name} must be between 1K and 16MB.")


def _insane(message: str) -> ShellError:
    return ShellError(f"org.apache.hadoop.hbase.DoNotRetryIOException: {message} {_SANITY}")


def take_table_settings(given: dict[Any, Any], change: Change) -> None:
    """Move the table's attributes, METADATA and CONFIGURATION from ``given`` to ``change``.

    Raises:
        ArgumentMistake: The attribute does not accept the value.
    """
    for key in [key for key in given if key in TABLE_ATTRIBUTES]:
        text = to_s(given.pop(key))
        if key in ("MAX_FILESIZE", "MEMSTORE_FLUSHSIZE"):
            text = str(size_of(text))
        key = {"NORMALIZER_TARGET_REGION_SIZE": "NORMALIZER_TARGET_REGION_SIZE_MB"}.get(key, key)  # as HBase stores it
        change.attributes[key] = _enumerated(key, text) if key in _ENUMERATIONS else text
    for words, target in (("METADATA", change.attributes), ("CONFIGURATION", change.configuration)):
        if given.get(words) is not None:
            settings = hash_of(given.pop(words), f"{words} must be a Hash type")
            target.update({to_s(key): None if value is None else to_s(value) for key, value in settings.items()})


def old_family(schema: TableSchema, name: Any) -> Family | None:
    """The current description of the family, or None."""
    return schema.families.get(to_s(name).encode(errors="surrogateescape"))
