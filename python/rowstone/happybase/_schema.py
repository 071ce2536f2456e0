"""Families and regions in the format of the Thrift gateway."""

from collections.abc import Mapping
from typing import Any, cast

from rowstone._base.options.words import BloomFilter, Compression
from rowstone._base.schema import FOREVER_SECONDS, Family
from rowstone.admin import RegionInfo
from rowstone.happybase.util import camel_case_to_pep8, pep8_to_camel_case

# The gateway's option names and defaults: they differ from those of HBase's shell.
_DEFAULTS: dict[str, Any] = {
    "maxVersions": 3,
    "compression": "NONE",
    "inMemory": False,
    "bloomFilterType": "NONE",
    "bloomFilterVectorSize": 0,
    "bloomFilterNbHashes": 0,
    "blockCacheEnabled": False,
    "timeToLive": -1,
}


def family_of(options: Mapping[str, Any] | None) -> Family:
    """Create a family from options of ``create_table``.

    Raises:
        TypeError: An option is unknown.
    """
    given = {pep8_to_camel_case(name): value for name, value in (options or {}).items()}
    for name in options or {}:
        if pep8_to_camel_case(name) not in _DEFAULTS:
            known = ", ".join(map(camel_case_to_pep8, _DEFAULTS))
            raise TypeError(f"family option '{name}' is unknown; there are: {known}")
    values = {**_DEFAULTS, **given}
    return Family(
        max_versions=values["maxVersions"],
        compression=cast("Compression", _text(values["compression"]).upper()),
        in_memory=bool(values["inMemory"]),
        bloom_filter=cast("BloomFilter", _text(values["bloomFilterType"])),
        block_cache=bool(values["blockCacheEnabled"]),
        ttl_seconds=values["timeToLive"] if values["timeToLive"] > 0 else None,
    )


def described(name: bytes, family: Family) -> dict[str, Any]:
    """A family's entry in ``Table.families()``."""
    attributes = family.to_attributes()
    return {
        "name": name + b":",
        "max_versions": 1 if family.max_versions is None else family.max_versions,
        "compression": family.compression.encode(),
        "in_memory": family.in_memory,
        "bloom_filter_type": family.bloom_filter.encode(),
        "bloom_filter_vector_size": 0,
        "bloom_filter_nb_hashes": 0,
        "block_cache_enabled": family.block_cache,
        "time_to_live": FOREVER_SECONDS if family.ttl_seconds is None else int(attributes["TTL"]),
    }


def region_described(region: RegionInfo) -> dict[str, Any]:
    """A region's entry in ``Table.regions()``. An embedded region has no server: port 0 of this machine."""
    return {
        "start_key": region.start_key,
        "end_key": region.end_key,
        "id": region.region_id,
        "name": region.name,
        "version": 1,
        "server_name": b"localhost",
        "port": 0,
    }


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
