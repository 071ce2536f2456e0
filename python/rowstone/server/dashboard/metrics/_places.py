"""Beans of tables and regions. Sources: HBase's ``MetricsTableSource``, ``MetricsRegionSource``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rowstone.server.dashboard.metrics._values import Value

if TYPE_CHECKING:
    from rowstone._base.stores import StoreReport, StoreStats

_NUMBERS = {
    "storeFileCount": "store_files",
    "storeFileSize": "store_file_bytes",
    "memStoreSize": "memstore_bytes",
    "numReferenceFiles": "reference_files",
    "readRequestCount": "region_reads",
    "writeRequestCount": "region_writes",
}
"""Metrics of a region or a table, by the names of `StoreStats`."""
_OF_TABLES = {"staticIndexSize": "index_bytes", "staticBloomSize": "bloom_bytes"}
_COUNTERS = ("readRequestCount", "writeRequestCount")


def of_tables(stores: StoreReport) -> Iterator[Value]:
    """HBase's metrics of each table."""
    store_counts = Counter(one.table for one in stores)
    region_counts = Counter(one.table for one in stores.sums("region"))
    for one in stores.sums("table"):
        prefix = _table(one.table)
        yield from _numbers(prefix, one, _NUMBERS | _OF_TABLES)
        reads, writes = one.region_reads or 0, one.region_writes or 0
        yield Value(f"{prefix}_metric_totalRequestCount", reads + writes, True, "reads and writes")
        size = (one.store_file_bytes or 0) + (one.memstore_bytes or 0)
        regions = region_counts[one.table]
        yield Value(f"{prefix}_metric_tableSize", size, False, "files and recent writes")
        yield Value(f"{prefix}_metric_averageRegionSize", size // max(regions, 1), False, "the same by regions")
        yield Value(f"{prefix}_metric_regionCount", regions, False, "regions")
        yield Value(f"{prefix}_metric_storeCount", store_counts[one.table], False, "families of regions")


def of_regions(stores: StoreReport) -> Iterator[Value]:
    """HBase's metrics of each region."""
    store_counts = Counter(one.region for one in stores)
    for one in stores.sums("region"):
        prefix = f"{_table(one.table)}_region_{one.region}"
        yield from _numbers(prefix, one, _NUMBERS)
        yield Value(f"{prefix}_metric_storeCount", store_counts[one.region], False, "families")


def _numbers(prefix: str, one: StoreStats, names: dict[str, str]) -> Iterator[Value]:
    for name, key in names.items():
        yield Value(f"{prefix}_metric_{name}", getattr(one, key) or 0, name in _COUNTERS, f"`{key}` of the stores")


def _table(name: str) -> str:
    """Prefix of a table's metrics.

    >>> _table("n:t"), _table("t")
    ('Namespace_n_table_t', 'Namespace_default_table_t')
    """
    namespace, separator, table = name.partition(":")
    space, rest = (namespace, table) if separator else ("default", namespace)
    return f"Namespace_{space}_table_{re.sub(r'[^A-Za-z0-9_.-]', '_', rest)}"
