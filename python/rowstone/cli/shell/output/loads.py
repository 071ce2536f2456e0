"""Server and region metrics in Java's format. Sources: HBase's ``ServerLoad``, ``RegionLoad``."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

_Load = dict[str, Any]

_SUMS = (
    ("numberOfStores", "stores"), ("numberOfStorefiles", "storefiles"),
    ("storefileUncompressedSizeMB", "store_uncompressed_size_mb"), ("storefileSizeMB", "storefile_size_mb"),
    ("compressionRatio", ""), ("memstoreSizeMB", "mem_store_size_mb"),
    ("storefileIndexSizeKB", "storefile_index_size_kb"), ("readRequestsCount", "read_requests_count"),
    ("filteredReadRequestsCount", "filtered_read_requests_count"), ("writeRequestsCount", "write_requests_count"),
    ("rootIndexSizeKB", "root_index_size_kb"), ("totalStaticIndexSizeKB", "total_static_index_size_kb"),
    ("totalStaticBloomSizeKB", "total_static_bloom_size_kb"), ("totalCompactingKVs", "total_compacting_kvs"),
    ("currentCompactedKVs", "current_compacted_kvs"), ("compactionProgressPct", ""),
)  # fmt: skip


def _sum(loads: Iterable[_Load], field: str) -> int:
    return sum(int(load.get(field, 0)) for load in loads)


def _ratio(loads: list[_Load]) -> str | None:
    whole = _sum(loads, "store_uncompressed_size_mb")
    return f"{_sum(loads, 'storefile_size_mb') / whole:.4f}" if whole else None


def _progress(loads: list[_Load]) -> str:
    total = _sum(loads, "total_compacting_kvs")
    return str(_sum(loads, "current_compacted_kvs") / total) if total else "NaN"


def server_text(load: _Load) -> str:
    """The line of a server in ``status 'simple'``."""
    regions = load.get("region_loads", [])
    parts: list[tuple[str, Any]] = [
        ("requestsPerSecond", float(load.get("number_of_requests", 0))),
        ("numberOfOnlineRegions", len(regions)),
        ("usedHeapMB", load.get("used_heap_mb", 0)),
        ("maxHeapMB", load.get("max_heap_mb", 0)),
    ]
    computed = {"compressionRatio": _ratio(regions), "compactionProgressPct": _progress(regions)}
    for name, field in _SUMS:
        value = _sum(regions, field) if field else computed[name]
        if value is not None:
            parts.append((name, value))
    owners = [load, *regions]
    names = {one["name"] for owner in owners for one in owner.get("coprocessors", [])}
    parts.append(("coprocessors", f"[{', '.join(sorted(names))}]"))
    return ", ".join(f"{name}={value}" for name, value in parts)


def region_text(load: _Load) -> str:
    """The line of a region in ``status 'detailed'``. Source: ``RegionLoad.toString``."""
    ratio = _ratio([load])
    parts: list[tuple[str, Any]] = [
        ("numberOfStores", load.get("stores", 0)),
        ("numberOfStorefiles", load.get("storefiles", 0)),
        ("storeRefCount", load.get("store_ref_count", 0)),
        ("storefileUncompressedSizeMB", load.get("store_uncompressed_size_mb", 0)),
        ("lastMajorCompactionTimestamp", load.get("last_major_compaction_ts", 0)),
        ("storefileSizeMB", load.get("storefile_size_mb", 0)),
        *([("compressionRatio", ratio)] if ratio else []),
        ("memstoreSizeMB", load.get("mem_store_size_mb", 0)),
        ("readRequestsCount", load.get("read_requests_count", 0)),
        ("writeRequestsCount", load.get("write_requests_count", 0)),
        ("rootIndexSizeKB", load.get("root_index_size_kb", 0)),
        ("totalStaticIndexSizeKB", load.get("total_static_index_size_kb", 0)),
        ("totalStaticBloomSizeKB", load.get("total_static_bloom_size_kb", 0)),
        ("totalCompactingKVs", load.get("total_compacting_kvs", 0)),
        ("currentCompactedKVs", load.get("current_compacted_kvs", 0)),
        ("compactionProgressPct", _progress([load])),
        ("completeSequenceId", load.get("complete_sequence_id", 0)),
        ("dataLocality", float(load.get("data_locality", 0))),
    ]
    return ", ".join(f"{name}={value}" for name, value in parts)


def sources_text(sources: list[_Load]) -> str:
    """Replication sources of a server, after ``SOURCE:``."""
    by_peer: dict[str, list[_Load]] = {}
    for source in sources:
        by_peer.setdefault(source["peer_id"], []).append(source)
    return "".join(f" PeerID={peer}{''.join(map(_source_text, queues))}" for peer, queues in by_peer.items())


def _source_text(source: _Load) -> str:
    kind = "Recovered" if source.get("recovered") else "Normal"
    text = f"\n         {kind} Queue: {source.get('queue_id', '')}"
    if not source.get("running"):
        return f"{text}\n           No Reader/Shipper threads runnning yet."
    shipped = source["timestamp_of_last_shipped_op"]
    text += "\n           "
    if shipped:
        text += f"AgeOfLastShippedOp={source['age_of_last_shipped_op']}, TimeStampOfLastShippedOp={_date(shipped)}"
    else:
        text += "No Ops shipped since last restart"
    text += f", SizeOfLogQueue={source['size_of_log_queue']}, EditsReadFromLogQueue={source.get('edits_read', 0)}"
    text += f", OpsShippedToTarget={source.get('ops_shipped', 0)}"
    if source.get("edits_since_restart"):
        text += f", TimeStampOfNextToReplicate={_date(source.get('timestamp_of_next_to_replicate', 0))}"
    else:
        text += ", No edits for this source since it started"
    return f"{text}, Replication Lag={source['replication_lag']}"


def sink_text(sink: _Load) -> str:
    """Replication sink of a server, after ``SINK:``."""
    started, applied = sink.get("timestamp_started", 0), sink["timestamp_of_last_applied_op"]
    if started == applied:
        return f" TimeStampStarted={started}, Waiting for OPs... "
    age = sink["age_of_last_applied_op"]
    return f" TimeStampStarted={started}, AgeOfLastAppliedOp={age}, TimeStampsOfLastAppliedOp={_date(applied)}"


def _date(ms: int) -> str:
    """Format a date like Java's ``Date.toString``."""
    return time.strftime("%a %b %d %H:%M:%S %Z %Y", time.localtime(ms // 1000))
