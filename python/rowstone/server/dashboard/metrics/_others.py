"""Metrics of the log, the master, and other beans of HBase."""

from __future__ import annotations

from collections.abc import Iterator

from rowstone.server.dashboard.metrics._metric import Metric, MetricInput, counter, gauge, missing

WAL = "RegionServer,sub=WAL"
MEMORY = "RegionServer,sub=Memory"
IO = "RegionServer,sub=IO"
REPLICATION = "RegionServer,sub=Replication"
MASTER = "Master,sub=Server"
ASSIGNMENT = "Master,sub=AssignmentManager"
SCAN = "Client,sub=ScanMetrics"


def metrics() -> Iterator[Metric]:
    """All metrics of these beans."""
    yield from _log()
    yield from _memory()
    yield from _master()
    yield from _assignment()
    yield from _replication()
    yield from _scans()


def _log() -> Iterator[Metric]:
    yield counter(WAL, "appendCount", lambda data: data.now.stats.get("log_records", 0), "records written to the log")
    written = "bytes of records written to the log since it was opened"
    yield counter(WAL, "writtenBytes", lambda data: data.now.stats.get("log_appended_bytes", 0), written)
    begun = "log rolls; if one fails, the log accepts no more writes"
    for name in ("rollRequest", "successfulLogRolls"):
        yield counter(WAL, name, lambda data: data.now.stats.get("log_rolls", 0), begun)
    yield from missing(WAL, "SyncTime", "no histogram: `/metrics` has the number of syncs and their total seconds")
    untimed = (
        "records are counted but not timed: writing to the operating system's cache takes as long as a system call"
    )
    yield from missing(WAL, "AppendSize AppendTime slowAppendCount", untimed)
    rolls = "errorRollRequest slowSyncRollRequest lowReplicaRollRequest sizeRollRequest"
    yield from missing(WAL, rolls, "a log is rolled by size or on request only")


def _memory() -> Iterator[Metric]:
    yield gauge(
        MEMORY, "memStoreSize", lambda data: data.now.stats.get("memstore_bytes", 0), "as in the bean of the server"
    )
    yield gauge(
        MEMORY, "blockCacheSize", lambda data: data.now.stats.get("cache_bytes", 0), "as in the bean of the server"
    )
    tuner = (
        "IncreaseBlockCacheSize DecreaseBlockCacheSize IncreaseMemStoreSize DecreaseMemStoreSize tunerDoNothingCounter "
        "aboveHeapOccupancyLowWaterMarkCounter BlockedFlushes UnblockedFlushes blockedFlushGauge unblockedFlushGauge"
    )
    yield from missing(MEMORY, tuner, "the sizes of cache and memstores do not change at run time")
    yield from missing(MEMORY, "memStoreOnHeapSize memStoreOffHeapSize", "there is no Java heap")
    files = "fsChecksumFailureCount fsSlowReadsCount FsReadTime FsPReadTime FsWriteTime"
    yield from missing(IO, files, "not counted; a block with a wrong checksum fails the read")


def _master() -> Iterator[Metric]:
    regions = "all regions: there is one server"
    yield gauge(MASTER, "averageLoad", lambda data: data.now.stats.get("regions", 0), regions)
    yield gauge(
        MASTER, "numRegionServers", lambda data: int(data.now.calls is not None), "this server, if there is one"
    )
    yield gauge(MASTER, "numDeadRegionServers", lambda _: 0, "there is no other server")
    yield gauge(MASTER, "numDrainingRegionServers", lambda _: 0, "there is no other server")
    requests = "received calls"
    yield counter(MASTER, "clusterRequests", lambda data: data.calls.numbers.get("requests", 0), requests, served=True)
    for name in ("masterStartTime", "masterActiveTime", "masterFinishedInitializationTime"):
        yield gauge(MASTER, name, _start, "milliseconds since 1970", served=True)
    yield from missing(MASTER, "splitPlanCount mergePlanCount", "not counted")
    yield from missing(
        MASTER,
        "oldWALsDirSize",
        "not measured; `hbase.master.logcleaner.ttl` and `rowstone.wal.old.max.bytes` limit the retention of logs",
    )
    crashes = "ServerCrashTime ServerCrashSubmittedCount ServerCrashFailedCount"
    yield from missing(MASTER, crashes, "there is no other server")


def _start(data: MetricInput) -> float:
    return data.calls.numbers.get("start_ms", 0)


def _assignment() -> Iterator[Metric]:
    at_once = "always 0: a region is open while its table is enabled"
    for name in ("ritCount", "ritCountOverThreshold", "ritOldestAge"):
        yield gauge(ASSIGNMENT, name, lambda _: 0, at_once)
    checked = (
        "holes overlaps orphanRegionsOnRS orphanRegionsOnFS inconsistentRegions emptyRegionInfoRegions "
        "unknownServerRegions unknownServerOpenRegions deadServerOpenRegions"
    )
    yield from missing(ASSIGNMENT, checked, "one manifest has all regions; `rowstone check` verifies a directory")
    kinds = ("Move", "Split", "Close", "Reopen", "Merge", "Open", "Assign", "Unassign")
    parts = [f"{kind}{part}" for kind in kinds for part in ("SubmittedCount", "FailedCount", "Time")]
    none = "there are no procedures: requests are complete when the call returns"
    yield from missing(ASSIGNMENT, " ".join([*parts, "RitDuration", "operationCount"]), none)


def _replication() -> Iterator[Metric]:
    source = (
        "shippedHFiles uncleanlyClosedLogs closedLogsWithUnknownFileLength walReaderEditsBufferUsage shippedKBs "
        "repeatedLogFileBytes sizeOfHFileRefsQueue logReadInBytes completedRecoverQueues sizeOfLogQueue shippedOps "
        "restartedLogReading failedRecoverQueues ignoredUncleanlyClosedLogContentsInBytes logEditsRead numInitializing "
        "logEditsFiltered shippedBytes completedLogs failedBatches shippedBatches"
    )
    names = [f"source.{name}" for name in source.split()]
    names += [f"sink.{name}" for name in ("appliedHFiles", "appliedOps", "failedBatches", "appliedBatches")]
    names += ["Source.ageOfLastShippedOp", "Sink.ageOfLastAppliedOp"]
    yield from missing(REPLICATION, " ".join(names), "a directory is not replicated")


def _scans() -> Iterator[Metric]:
    told = "not a server metric: with `Scan.setScanMetricsEnabled` clients receive it with each response"
    yield from missing(SCAN, "ROWS_SCANNED ROWS_FILTERED", told)
    counted = (
        "RPC_CALLS REMOTE_RPC_CALLS MILLIS_BETWEEN_NEXTS NOT_SERVING_REGION_EXCEPTION BYTES_IN_RESULTS "
        "BYTES_IN_REMOTE_RESULTS REGIONS_SCANNED RPC_RETRIES"
    )
    yield from missing(SCAN, counted, "clients count it themselves")
    yield from missing(SCAN, "BLOCK_BYTES_SCANNED FS_READ_TIME", "not counted")
