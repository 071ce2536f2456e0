"""The bean ``RegionServer,sub=Server``: regions, files, memory, cache, requests, operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rowstone.server.dashboard.metrics._metric import Metric, MetricInput, counter, gauge, missing, sizes, times

BEAN = "RegionServer,sub=Server"
_UNCOUNTED = "not counted"
_ONE_CACHE = "there is one cache, and one replica of each region"
_NO_HDFS = "files are read from the machine's own disk, without HDFS"


def metrics() -> Iterator[Metric]:
    """All metrics of the bean."""
    yield from _stores()
    yield from _cache()
    yield from _requests()
    yield from _operations()
    yield from _missing()


def _stat(name: str) -> Callable[[MetricInput], float]:
    return lambda data: data.now.stats.get(name, 0)


def _sum(name: str) -> Callable[[MetricInput], float]:
    return lambda data: data.stores[name]


def _number(name: str) -> Callable[[MetricInput], float]:
    return lambda data: data.calls.numbers.get(name, 0)


def _stores() -> Iterator[Metric]:
    for name, key in (
        ("regionCount", "regions"), ("storeCount", "stores"), ("hlogFileCount", "logs"), ("hlogFileSize", "log_bytes"),
        ("storeFileCount", "store_files"), ("storeFileSize", "store_file_bytes"), ("memStoreSize", "memstore_bytes"),
        ("numReferenceFiles", "reference_files"),
    ):  # fmt: skip
        yield gauge(BEAN, name, _stat(key), f"`{key}` of `db.admin.metrics.stats()`")
    for name in ("storeFileIndexSize", "staticIndexSize"):
        yield gauge(BEAN, name, _sum("index_bytes"), "`index_bytes` of all stores: the data index, before compression")
    yield gauge(BEAN, "staticBloomSize", _sum("bloom_bytes"), "`bloom_bytes` of all stores")
    yield gauge(BEAN, "averageRegionSize", _average_region, "bytes of files and memstores per region")
    yield gauge(BEAN, "percentFilesLocal", lambda _: 100, "100: all files are local")
    yield gauge(BEAN, "percentFilesLocalPrimaryRegions", lambda _: 100, "100: all files are local")
    due = "stores with files that a compaction would merge now"
    yield gauge(BEAN, "compactionQueueLength", _sum("stores_to_compact"), due)
    for name in ("flushedCellsSize", "flushedOutputBytes"):
        yield counter(BEAN, name, _sum("flushed_bytes"), "`flushed_bytes` of all stores")
    for name in ("compactedCellsSize", "compactedOutputBytes"):
        yield counter(
            BEAN, name, _sum("compacted_bytes"), "`compacted_bytes` of all stores, including major compactions"
        )
    read = "`compacted_input_bytes` of all stores, including major compactions"
    yield counter(BEAN, "compactedInputBytes", _sum("compacted_input_bytes"), read)
    yield gauge(BEAN, "maxStoreFileCount", _stat("most_store_files"), "largest number of files in a store")
    for name, key, says in (
        ("splitRequestCount", "splits_asked", "splits requested by an administrator or by a region's size"),
        ("splitSuccessCount", "splits", "splits that succeeded"),
        (
            "mutationsWithoutWALCount",
            "unlogged_mutations",
            "writes with `SKIP_WAL`; a batch counts once for each region",
        ),
        ("mutationsWithoutWALSize", "unlogged_bytes", "bytes of cells in writes with `SKIP_WAL`"),
        ("blockedRequestCount", "blocked_writes", "writes that waited for a flush"),
        ("updatesBlockedTime", "blocked_ms", "milliseconds that writes waited for a flush"),
    ):
        yield counter(BEAN, name, _stat(key), says)


def _average_region(data: MetricInput) -> float:
    stats = data.now.stats
    held = stats.get("store_file_bytes", 0) + stats.get("memstore_bytes", 0)
    return held // stats["regions"] if stats.get("regions") else 0


def _cache() -> Iterator[Metric]:
    for names, key in (
        (("blockCacheSize", "l1CacheSize"), "cache_bytes"),
        (("blockCacheCount", "l1CacheCount"), "cache_blocks"),
    ):
        for name in names:
            yield gauge(BEAN, name, _stat(key), f"`{key}` of `db.admin.metrics.stats()`")
    for name in ("blockCacheFreeSize", "l1CacheFreeSize"):
        yield gauge(BEAN, name, _cache_free, "`cache_limit_bytes` minus `cache_bytes` of `db.admin.metrics.stats()`")
    for name in ("blockCacheHitCount", "l1CacheHitCount"):
        yield counter(BEAN, name, _stat("cache_hits"), "`cache_hits` of `db.admin.metrics.stats()`")
    for name in ("blockCacheMissCount", "l1CacheMissCount"):
        yield counter(BEAN, name, _stat("cache_misses"), "`cache_misses` of `db.admin.metrics.stats()`")
    for name in ("blockCacheEvictionCount", "l1CacheEvictionCount"):
        yield counter(BEAN, name, _stat("cache_evictions"), "evicted blocks")
    yield gauge(
        BEAN,
        "blockCacheCountHitPercent",
        lambda data: 100 * _hit_ratio(data),
        "share of requested blocks found in the cache",
    )
    yield gauge(BEAN, "l1CacheHitRatio", _hit_ratio, "share of requested blocks found in the cache")
    yield gauge(
        BEAN,
        "l1CacheMissRatio",
        lambda data: 1 - _hit_ratio(data) if _count_requests(data) else 0,
        "share of requested blocks not found in the cache",
    )


def _cache_free(data: MetricInput) -> float:
    return data.now.stats.get("cache_limit_bytes", 0) - data.now.stats.get("cache_bytes", 0)


def _count_requests(data: MetricInput) -> int:
    return data.now.stats.get("cache_hits", 0) + data.now.stats.get("cache_misses", 0)


def _hit_ratio(data: MetricInput) -> float:
    return round(data.now.stats.get("cache_hits", 0) / _count_requests(data), 4) if _count_requests(data) else 0


def _requests() -> Iterator[Metric]:
    yield counter(BEAN, "readRequestCount", _stat("read_requests"), "rows read in all regions since they were opened")
    yield counter(BEAN, "writeRequestCount", _stat("write_requests"), "mutations in all regions since they were opened")
    yield counter(
        BEAN,
        "totalRowActionRequestCount",
        lambda data: data.now.rows,
        "rows read, and mutations, in all regions since they were opened",
    )
    for name, key in (("readRequestRatePerSecond", "read_requests"), ("writeRequestRatePerSecond", "write_requests")):
        yield gauge(BEAN, name, lambda data, key=key: round(data.rate(key), 1), f"recent growth of `{key}`")  # type: ignore[misc]
    yield counter(BEAN, "totalRequestCount", _number("requests"), "received calls", served=True)
    for method in ("Get", "Scan", "Multi", "Mutate"):
        yield counter(BEAN, f"rpc{method}RequestCount", lambda data, method=method: data.calls.of(method),  # type: ignore[misc]
                      f"calls of `{method}`", served=True)  # fmt: skip
    passed, failed = "client conditions that held", "client conditions that did not hold"
    yield counter(BEAN, "checkMutatePassedCount", _number("checks_passed"), passed, served=True)
    yield counter(BEAN, "checkMutateFailedCount", _number("checks_failed"), failed, served=True)
    yield gauge(BEAN, "activeScanners", _number("open_scanners"), "open scanners of clients", served=True)
    expired = "scanners closed because their lease expired"
    yield counter(BEAN, "scannerLeaseExpiredCount", _number("expired_scanners"), expired, served=True)
    started = "milliseconds since 1970"
    yield gauge(BEAN, "regionServerStartTime", _number("start_ms"), started, served=True)


def _operations() -> Iterator[Metric]:
    alone, batch = "single calls", "multis with at least one such mutation"
    yield times(BEAN, "Get", "calls of `Get`, and gets in multis with their share of the time", "Get", "get_of_multi")
    yield times(BEAN, "Put", alone, "put")
    yield times(BEAN, "PutBatch", batch, "put_batch")
    yield times(BEAN, "Delete", alone, "delete")
    yield times(BEAN, "DeleteBatch", batch, "delete_batch")
    yield times(BEAN, "Increment", "single calls, and actions in multis with their share of the time", "increment")
    yield times(BEAN, "Append", "single calls, and actions in multis with their share of the time", "append")
    yield times(BEAN, "CheckAndPut", "calls of `Mutate` with a condition and a put", "check_and_put")
    yield times(BEAN, "CheckAndDelete", "calls of `Mutate` with a condition and a delete", "check_and_delete")
    all_checks = ("check_and_put", "check_and_delete", "check_and_mutate")
    yield times(BEAN, "CheckAndMutate", "all calls with a condition", *all_checks)
    yield times(BEAN, "ScanTime", "calls of `Scan`", "Scan")
    yield sizes(BEAN, "ScanSize", "bytes of cells in a scan response", "scan_size")
    for name, series in (
        ("Put", ("put", "put_batch")), ("Get", ("Get", "get_of_multi")), ("Delete", ("delete", "delete_batch")),
        ("Increment", ("increment",)), ("Append", ("append",)),
    ):  # fmt: skip
        slow = "operations that took more than a second"
        yield counter(BEAN, f"slow{name}Count", lambda data, series=series: _slow(data, series), slow, served=True)  # type: ignore[misc]


def _slow(data: MetricInput, names: tuple[str, ...]) -> int:
    return sum(data.calls.slow.get(name, 0) for name in names)


def _missing() -> Iterator[Metric]:
    yield from missing(BEAN, "maxStoreFileAge minStoreFileAge avgStoreFileAge", _UNCOUNTED)
    heap = "no cell is in a Java heap: `memStoreSize` counts all of them"
    yield from missing(BEAN, "memStoreHeapSize memStoreOffHeapSize", heap)
    bloom = "bloomFilterRequestsCount bloomFilterNegativeResultsCount bloomFilterEligibleRequestsCount"
    yield from missing(BEAN, bloom, _UNCOUNTED)
    yield from missing(BEAN, "percentFilesLocalSecondaryRegions", "regions have no replicas")
    hdfs = "totalBytesRead localBytesRead shortCircuitBytesRead zeroCopyBytesRead hedgedReads hedgedReadWins hedgedReadOpsInCurThread"  # noqa: E501
    yield from missing(BEAN, hdfs, _NO_HDFS)
    queues = "splitQueueLength smallCompactionQueueLength largeCompactionQueueLength flushQueueLength"
    yield from missing(BEAN, queues, "there are no such queues: one thread flushes and one compacts")
    yield from missing(BEAN, "blockCacheExpressHitPercent blockCacheHitCachingCount blockCacheMissCachingCount",
                       "reads that do not fill the cache are not counted separately")  # fmt: skip
    yield from missing(BEAN, "blockCacheFailedInsertionCount", _UNCOUNTED)
    second = " ".join(f"l2Cache{part}" for part in (
        "Size", "FreeSize", "Count", "EvictionCount", "HitCount", "MissCount", "HitRatio", "MissRatio"))  # fmt: skip
    primary = "blockCacheHitCountPrimary blockCacheMissCountPrimary blockCacheEvictionCountPrimary"
    yield from missing(BEAN, f"{second} {primary}", _ONE_CACHE)
    kinds = ("Data", "LeafIndex", "BloomChunk", "Meta", "RootIndex", "IntermediateIndex", "FileInfo",
             "GeneralBloomMeta", "DeleteFamilyBloom", "Trailer")  # fmt: skip
    blocks = [f"blockCache{kind}{what}Count" for kind in kinds for what in ("Hit", "Miss")]
    yield from missing(
        BEAN, " ".join([*blocks, "blockCacheDataBlockCount"]), "kinds of blocks are not counted separately"
    )
    allocator = (
        "HeapAllocationBytes",
        "PoolAllocationBytes",
        "HeapAllocationRatio",
        "TotalBufferCount",
        "UsedBufferCount",
    )
    java = "PauseTimeWithGc PauseTimeWithoutGc pauseInfoThresholdExceeded pauseWarnThresholdExceeded"
    buffers = " ".join(f"ByteBuffAllocator{part}" for part in allocator)
    yield from missing(BEAN, f"{buffers} {java}", "there is no JVM")
    yield from missing(BEAN, "filteredReadRequestCount rpcFullScanRequestCount blockBytesScannedCount", _UNCOUNTED)
    scanned = " ".join(f"{name}BlockBytesScanned" for name in ("Get", "Scan", "Append", "Increment", "CheckAndMutate"))
    yield from missing(BEAN, scanned, _UNCOUNTED)
    cells = "flushedCellsCount compactedCellsCount majorCompactedCellsCount flushedMemstoreBytes"
    yield from missing(BEAN, cells, "bytes are counted, not cells")
    major = "majorCompactedCellsSize majorCompactedInputBytes majorCompactedOutputBytes"
    yield from missing(BEAN, major, "included in `compactedOutputBytes`")
    mob = ("cellsCountCompactedFromMob cellsCountCompactedToMob cellsSizeCompactedFromMob cellsSizeCompactedToMob "
           "mobFlushCount mobFlushedCellsCount mobFlushedCellsSize mobScanCellsCount mobScanCellsSize")  # fmt: skip
    yield from missing(BEAN, mob, "for MOB files, `db.admin.metrics.stats()` only has `mob_files` and `mob_file_bytes`")
    yield from missing(BEAN, "mobFileCacheCount mobFileCacheHitPercent mobFileCacheAccessCount mobFileCacheMissCount "
                       "mobFileCacheEvictedCount", "MOB files have no separate cache")  # fmt: skip
    yield from missing(BEAN, "SplitTime", _UNCOUNTED)
    parts = ("Time", "InputFileCount", "InputSize", "OutputFileCount", "OutputSize")
    compactions = " ".join(f"{kind}{part}" for kind in ("Compaction", "MajorCompaction") for part in parts)
    totals = "no histogram: `/metrics` has their number and total seconds by table"
    yield from missing(BEAN, f"{compactions} FlushTime FlushMemstoreSize FlushOutputSize", totals)
    yield from missing(BEAN, "Replay Bulkload Bulkload_count", "not timed")
    rates = ("mean_rate", "1min_rate", "5min_rate", "15min_rate")
    queries = [f"Server{kind}QueryPerSecond_{rate}" for kind in ("Read", "Write") for rate in ("count", *rates)]
    bulk = [f"Bulkload_{rate}" for rate in rates]
    yield from missing(
        BEAN,
        " ".join([*queries, *bulk]),
        "`readRequestRatePerSecond` and `writeRequestRatePerSecond` have the recent rates",
    )
