"""``/status/cluster`` and ``/version/cluster``: a cluster's status from its master, a directory's from this process."""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from collections.abc import Callable

from rowstone._base.stores import StoreStats
from rowstone._core.database import Database
from rowstone.admin import ServerStatus
from rowstone.errors import UnsupportedOperation
from rowstone.server.rest.messages.shapes import Message

HBASE_VERSION = "2.6.4"
"""HBase version of a directory, as `rowstone serve` reports it, too."""
_MEBIBYTE = 1 << 20
_KIBIBYTE = 1 << 10


class Load:
    """Current numbers of a database; requests per second are measured between two calls."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._started_ms = time.time_ns() // 1_000_000
        self._counted = (clock(), 0)

    def hbase_version(self, database: Database) -> str:
        """The HBase version of a cluster, or the one that a directory emulates."""
        try:
            return database.admin.servers.status().hbase_version
        except UnsupportedOperation:
            return HBASE_VERSION

    def status(self, database: Database, address: str) -> Message:
        """The message of ``/status/cluster``."""
        try:
            status = database.admin.servers.status()
        except UnsupportedOperation:
            return self._of_directory(database, address)
        by_region = _regions(database)
        places = {
            place.region.encoded_name: place.server
            for table in database.tables()
            for place in database.admin.regions.locations(table)
        }
        nodes = [
            _node(server, [message for name, message in by_region.items() if places.get(name) == server.name])
            for server in status.servers
        ]
        return _status(nodes, status.dead_servers, [server.regions for server in status.servers])

    def _of_directory(self, database: Database, address: str) -> Message:
        regions = list(_regions(database).values())
        requests = sum(region["readRequestsCount"] + region["writeRequestsCount"] for region in regions)
        node = {
            "name": address,
            "startCode": self._started_ms,
            "requests": self._rate(requests),
            "heapSizeMB": _memory_bytes() // _MEBIBYTE,
            "maxHeapSizeMB": _limit_bytes() // _MEBIBYTE,
            "Region": regions,
        }
        return _status([node], [], [len(regions)])

    def _rate(self, requests: int) -> int:
        with self._lock:
            before, count = self._counted
            now = self._clock()
            self._counted = (now, requests)
        return int(max(requests - count, 0) / max(now - before, 1.0))


def _status(nodes: list[Message], dead: list[str], regions: list[int]) -> Message:
    return {
        "regions": sum(regions),
        "requests": sum(node["requests"] for node in nodes),
        "averageLoad": sum(regions) / len(regions) if regions else 0.0,
        "LiveNodes": nodes,
        "DeadNodes": dead,
    }


def _node(server: ServerStatus, regions: list[Message]) -> Message:
    host, port, started = server.name.split(",")
    return {
        "name": f"{host}:{port}",
        "startCode": int(started),
        "requests": server.requests_per_second,
        "heapSizeMB": server.heap_used_bytes // _MEBIBYTE,
        "maxHeapSizeMB": server.heap_max_bytes // _MEBIBYTE,
        "Region": regions,
    }


def _regions(database: Database) -> dict[str, Message]:
    """The regions of all tables, by encoded name."""
    names = {
        region.encoded_name: region.name for table in database.tables() for region in database.admin.regions.list(table)
    }
    stores: dict[str, int] = {}
    report = database.admin.metrics.stores()
    for one in report:
        stores[one.region or ""] = stores.get(one.region or "", 0) + 1
    return {
        one.region: _region(one, names[one.region], stores[one.region])
        for one in report.sums("region")
        if one.region is not None and one.region in names
    }


def _region(stats: StoreStats, name: bytes, stores: int) -> Message:
    return {
        "name": name,
        "stores": stores,
        "storefiles": stats.store_files or 0,
        "storefileSizeMB": _units(stats.store_file_bytes, _MEBIBYTE),
        "memStoreSizeMB": _units(stats.memstore_bytes, _MEBIBYTE),
        "storefileIndexSizeKB": _units(stats.index_bytes, _KIBIBYTE),
        "readRequestsCount": stats.region_reads or 0,
        "writeRequestsCount": stats.region_writes or 0,
        "rootIndexSizeKB": _units(stats.index_bytes, _KIBIBYTE),
        "totalStaticIndexSizeKB": _units(stats.index_bytes, _KIBIBYTE),
        "totalStaticBloomSizeKB": _units(stats.bloom_bytes, _KIBIBYTE),
        "totalCompactingKVs": 0,
        "currentCompactedKVs": 0,
    }


def _units(value: int | None, size: int) -> int:
    """Convert bytes to whole units; as in HBase, less than one counts as one."""
    return max(value // size, 1) if value else 0


def _memory_bytes() -> int:
    """Peak memory of this process."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * _KIBIBYTE


def _limit_bytes() -> int:
    """Memory limit of this process, or the machine's memory."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return machine if limit == resource.RLIM_INFINITY else min(limit, machine)
