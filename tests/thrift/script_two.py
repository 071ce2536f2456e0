"""Calls of every method of the second service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.thrift.steps import Kept, Step, step

TABLE = b"thrift_two"
OTHER = "thrift_two_b"
SPLIT = "thrift_two_split"
SPACE = "thrift_space"
MISSING = b"thrift_missing"


def script(t: Any) -> Iterator[Step]:
    """All steps; ``t`` is the module that thriftpy2 made of the interface text."""
    for part in (_namespaces, _tables, _puts, _reads, _deletes, _counters, _checks, _scanners, _regions, _schema, _end):
        yield from part(t)


def _name(t: Any, name: str | bytes, namespace: bytes | None = b"default") -> Any:
    return t.TTableName(ns=namespace, qualifier=name.encode() if isinstance(name, str) else name)


def _family(t: Any, name: bytes, **more: Any) -> Any:
    return t.TColumnFamilyDescriptor(name=name, **more)


def _table(t: Any, name: Any, *families: Any, **more: Any) -> Any:
    return t.TTableDescriptor(tableName=name, columns=list(families), **more)


def _cell(t: Any, family: bytes, qualifier: bytes, value: bytes, timestamp: int | None = None) -> Any:
    return t.TColumnValue(family=family, qualifier=qualifier, value=value, timestamp=timestamp)


def _put(t: Any, row: bytes, *cells: Any, **more: Any) -> Any:
    return t.TPut(row=row, columnValues=[_cell(t, *cell) for cell in cells], **more)


def _namespaces(t: Any) -> Iterator[Step]:
    yield step("getThriftServerType", "which")
    yield step("getClusterId", "which")
    yield step("createNamespace", "with a property", t.TNamespaceDescriptor(SPACE, {"owner": "ann"}))
    yield step("createNamespace", "there already", t.TNamespaceDescriptor(SPACE, {}))
    yield step("getNamespaceDescriptor", "one", SPACE)
    yield step("getNamespaceDescriptor", "the default", "default")
    yield step("getNamespaceDescriptor", "a missing one", "nowhere")
    yield step("modifyNamespace", "another property", t.TNamespaceDescriptor(SPACE, {"place": "Oslo"}))
    yield step("modifyNamespace", "a missing one", t.TNamespaceDescriptor("nowhere", {}))
    yield step("getNamespaceDescriptor", "changed", SPACE)
    yield step("listNamespaces", "all")
    yield step("listNamespaceDescriptors", "all")


def _tables(t: Any) -> Iterator[Step]:
    simple = _table(t, _name(t, TABLE), _family(t, b"f", maxVersions=3), _family(t, b"g"))
    yield step("createTable", "two families", simple, None)
    yield step("createTable", "there already", simple, None)
    full = _family(
        t, b"a", maxVersions=5, minVersions=1, timeToLive=86400, blockSize=8192, inMemory=True, blockCacheEnabled=False,
        bloomnFilterType=t.TBloomFilterType.ROWCOL, compressionType=t.TCompressionAlgorithm.GZ,
        dataBlockEncoding=t.TDataBlockEncoding.FAST_DIFF, keepDeletedCells=t.TKeepDeletedCells.TTL,
        attributes={b"own": b"attribute"}, configuration={"hbase.hstore.compaction.min": "4"},
    )  # fmt: skip
    other = _table(t, _name(t, OTHER), full, attributes={b"OWNER": b"ann"}, durability=t.TDurability.ASYNC_WAL)
    yield step("createTable", "all options", other, None)
    yield step("createTable", "three regions", _table(t, _name(t, SPLIT), _family(t, b"f")), [b"h", b"q"])
    yield step("createTable", "in a namespace", _table(t, _name(t, "t", SPACE.encode()), _family(t, b"f")), None)
    yield step("createTable", "no families", _table(t, _name(t, MISSING)), None)
    yield step("createTable", "a missing namespace", _table(t, _name(t, "t", b"nowhere"), _family(t, b"f")), None)
    yield step("createTable", "the same split twice", _table(t, _name(t, MISSING), _family(t, b"f")), [b"h", b"h"])
    yield step("tableExists", "one", _name(t, TABLE))
    yield step("tableExists", "without a namespace", t.TTableName(qualifier=TABLE))
    yield step("tableExists", "a missing one", _name(t, MISSING))
    yield step("getTableDescriptor", "two families", _name(t, TABLE))
    yield step("getTableDescriptor", "all options", _name(t, OTHER))
    yield step("getTableDescriptor", "a missing one", _name(t, MISSING))
    yield step("getTableDescriptors", "two, one missing", [_name(t, SPLIT), _name(t, MISSING)])
    yield step("getTableDescriptorsByPattern", "some", "thrift_two_s.*", False)
    yield step("getTableDescriptorsByPattern", "none", "nope", True)
    yield step("getTableDescriptorsByNamespace", "one", SPACE)
    yield step("getTableDescriptorsByNamespace", "a missing one", "nowhere")
    yield step("getTableNamesByPattern", "some", "thrift_(two|space).*", False)
    yield step("getTableNamesByPattern", "with the namespace", "thrift_space:.*", False)
    yield step("getTableNamesByPattern", "a part of a name", "two", False)
    yield step("getTableNamesByPattern", "of the system", "hbase:meta", True)
    yield step("getTableNamesByNamespace", "one", SPACE)
    yield step("getTableNamesByNamespace", "a missing one", "nowhere")
    yield step("isTableEnabled", "enabled", _name(t, TABLE))
    yield step("isTableEnabled", "a missing one", _name(t, MISSING))
    yield step("isTableDisabled", "enabled", _name(t, TABLE))
    yield step("isTableDisabled", "a missing one", _name(t, MISSING))
    yield step("isTableAvailable", "enabled", _name(t, TABLE))
    yield step("isTableAvailable", "a missing one", _name(t, MISSING))
    yield step("isTableAvailableWithSplit", "its splits", _name(t, SPLIT), [b"h", b"q"])
    yield step("isTableAvailableWithSplit", "others", _name(t, SPLIT), [b"h", b"x"])
    yield step("isTableAvailableWithSplit", "none", _name(t, SPLIT), None)


def _puts(t: Any) -> Iterator[Step]:
    for number in (1, 2, 3, 4):
        cells = [(b"f", b"a", b"a%d" % number), (b"f", b"b", b"b")]
        yield step("put", f"version {number}", TABLE, _put(t, b"row1", *cells, timestamp=number * 10))
    yield step(
        "put", "a time of its own", TABLE, _put(t, b"row2", (b"f", b"a", b"x", 5), (b"g", b"", b"y"), timestamp=7)
    )
    for name in ("USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL", "FSYNC_WAL"):
        durability = getattr(t.TDurability, name)
        yield step("put", name, TABLE, _put(t, b"row3", (b"f", name.encode(), b"x", 9), durability=durability))
    yield step("put", "attributes", TABLE, _put(t, b"row3", (b"f", b"a", b"x", 9), attributes={b"name": b"value"}))
    yield step("put", "without time", TABLE, _put(t, b"row4", (b"f", b"a", b"x")))
    yield step("put", "nothing", TABLE, _put(t, b"row4"))
    yield step("put", "an empty row", TABLE, _put(t, b"", (b"f", b"a", b"x")))
    yield step("put", "a missing family", TABLE, _put(t, b"row4", (b"nope", b"a", b"x")))
    yield step("put", "a missing table", MISSING, _put(t, b"row4", (b"f", b"a", b"x")))
    visibility = t.TCellVisibility(expression="secret")
    yield step("put", "cell visibility", TABLE, _put(t, b"row4", (b"f", b"v", b"x"), cellVisibility=visibility))
    yield step("putMultiple", "two", TABLE, [_put(t, b"m%d" % n, (b"f", b"a", b"%d" % n, 3)) for n in (1, 2)])
    yield step("putMultiple", "none", TABLE, [])
    yield step("putMultiple", "a missing family", TABLE, [_put(t, b"m3", (b"nope", b"a", b"x"))])
    yield step("putMultiple", "a missing table", MISSING, [_put(t, b"m3", (b"f", b"a", b"x"))])


def _get(t: Any, row: bytes, *columns: tuple[bytes, ...], **more: Any) -> Any:
    wanted = [t.TColumn(*column) for column in columns] or None
    return t.TGet(row=row, columns=wanted, **more)


def _filter(name: str, body: bytes) -> bytes:
    """HBase's message of a filter: its class and what that writes of itself."""
    java_class = f"org.apache.hadoop.hbase.filter.{name}".encode()
    return bytes([0x0A, len(java_class)]) + java_class + bytes([0x12, len(body)]) + body


def _reads(t: Any) -> Iterator[Step]:
    yield step("get", "a row", TABLE, _get(t, b"row1"))
    yield step("get", "a row of two families", TABLE, _get(t, b"row2"))
    yield step("get", "a missing row", TABLE, _get(t, b"nobody"))
    yield step("get", "a column", TABLE, _get(t, b"row1", (b"f", b"a")))
    yield step("get", "a family", TABLE, _get(t, b"row2", (b"g",)))
    yield step("get", "an empty qualifier", TABLE, _get(t, b"row2", (b"g", b"")))
    yield step("get", "versions", TABLE, _get(t, b"row1", maxVersions=9))
    yield step("get", "no versions", TABLE, _get(t, b"row1", maxVersions=0))
    yield step("get", "a timestamp", TABLE, _get(t, b"row1", timestamp=20))
    yield step("get", "a range of times", TABLE, _get(t, b"row1", timeRange=t.TTimeRange(20, 40), maxVersions=9))
    yield step("get", "a range that is none", TABLE, _get(t, b"row1", timeRange=t.TTimeRange(40, 20)))
    both = t.TTimeRange(30, 40)
    yield step("get", "a timestamp and a range", TABLE, _get(t, b"row1", timestamp=20, timeRange=both))
    yield step("get", "a filter", TABLE, _get(t, b"row1", filterString=b"ValueFilter(=, 'binary:b')"))
    yield step("get", "a filter that is none", TABLE, _get(t, b"row1", filterString=b"Nope('x')"))
    yield step("get", "a filter's message", TABLE, _get(t, b"row1", filterBytes=_filter("KeyOnlyFilter", b"\x08\x01")))
    yield step("get", "a message of no filter", TABLE, _get(t, b"row1", filterBytes=_filter("NopeFilter", b"")))
    yield step("get", "what is no message", TABLE, _get(t, b"row1", filterBytes=b"\xff\xff"))
    yield step("get", "one cell of a family", TABLE, _get(t, b"row1", storeLimit=1))
    yield step("get", "the second cell of a family", TABLE, _get(t, b"row1", storeLimit=1, storeOffset=1))
    yield step("get", "whether there is one", TABLE, _get(t, b"row1", existence_only=True))
    yield step("get", "past the cache", TABLE, _get(t, b"row1", (b"f", b"a"), cacheBlocks=False))
    yield step("get", "strong consistency", TABLE, _get(t, b"m1", consistency=t.TConsistency.STRONG, targetReplicaId=0))
    yield step("get", "labels", TABLE, _get(t, b"m1", authorizations=t.TAuthorization(labels=["secret"])))
    yield step("get", "attributes", TABLE, _get(t, b"m1", attributes={b"name": b"value"}))
    yield step("get", "a missing family", TABLE, _get(t, b"row1", (b"nope",)))
    yield step("get", "a missing table", MISSING, _get(t, b"row1"))
    yield step("get", "an empty row", TABLE, _get(t, b""))
    yield step("getMultiple", "one of three missing", TABLE, [_get(t, b"m1"), _get(t, b"nobody"), _get(t, b"m2")])
    yield step("getMultiple", "none", TABLE, [])
    yield step("getMultiple", "a missing family", TABLE, [_get(t, b"m1", (b"nope",))])
    yield step("exists", "a row", TABLE, _get(t, b"row1"))
    yield step("exists", "a missing row", TABLE, _get(t, b"nobody"))
    yield step("exists", "a missing column", TABLE, _get(t, b"row1", (b"f", b"nope")))
    yield step("exists", "a missing table", MISSING, _get(t, b"row1"))
    yield step("existsAll", "two, one missing", TABLE, [_get(t, b"row1"), _get(t, b"nobody")])
    yield step("existsAll", "none", TABLE, [])


def _deletes(t: Any) -> Iterator[Step]:
    def fill(row: bytes) -> Iterator[Step]:
        for time in (10, 20, 30):
            cells = [(b"f", b"a", b"a"), (b"f", b"", b"empty"), (b"g", b"c", b"c")]
            yield step("put", f"fill {row.decode()} at {time}", TABLE, _put(t, row, *cells, timestamp=time))

    kinds = t.TDeleteType
    deletes: dict[str, dict[str, Any]] = {
        "a row": {},
        "a row up to 20": {"timestamp": 20},
        "no columns": {"columns": [], "timestamp": 20},
        "a column": {"columns": [t.TColumn(b"f", b"a")]},
        "a column up to 20": {"columns": [t.TColumn(b"f", b"a", 20)]},
        "a version": {"columns": [t.TColumn(b"f", b"a", 20)], "deleteType": kinds.DELETE_COLUMN},
        "the newest version": {"columns": [t.TColumn(b"f", b"a")], "deleteType": kinds.DELETE_COLUMN},
        "a family without saying so": {"columns": [t.TColumn(b"f")]},
        "a family": {"columns": [t.TColumn(b"f")], "deleteType": kinds.DELETE_FAMILY},
        "a family up to 20": {"columns": [t.TColumn(b"f", None, 20)], "deleteType": kinds.DELETE_FAMILY},
        "a family at 20": {"columns": [t.TColumn(b"f", None, 20)], "deleteType": kinds.DELETE_FAMILY_VERSION},
        "a family at no time": {"columns": [t.TColumn(b"f")], "deleteType": kinds.DELETE_FAMILY_VERSION},
        "past the log": {"columns": [t.TColumn(b"g")], "deleteType": kinds.DELETE_FAMILY,
                         "durability": t.TDurability.SKIP_WAL},
    }  # fmt: skip
    for number, (label, options) in enumerate(deletes.items()):
        row = b"d%02d" % number
        yield from fill(row)
        yield step("deleteSingle", label, TABLE, t.TDelete(row=row, **options))
        yield step("get", f"after deleting {label}", TABLE, _get(t, row, maxVersions=9))
    yield step("deleteSingle", "a missing family", TABLE, t.TDelete(row=b"d01", columns=[t.TColumn(b"nope", b"a")]))
    yield step("deleteSingle", "a missing table", MISSING, t.TDelete(row=b"d01"))
    yield from fill(b"d51")
    yield from fill(b"d52")
    yield step("deleteMultiple", "two rows", TABLE, [t.TDelete(row=b"d51"), t.TDelete(row=b"d52", timestamp=20)])
    yield step("getMultiple", "after deleting two rows", TABLE, [_get(t, b"d51"), _get(t, b"d52")])
    yield step("deleteMultiple", "none", TABLE, [])
    yield step("deleteMultiple", "a missing table", MISSING, [t.TDelete(row=b"d51")])
    mutations = [t.TMutation(put=_put(t, b"d53", (b"f", b"a", b"x", 40))),
                 t.TMutation(deleteSingle=t.TDelete(row=b"d53", columns=[t.TColumn(b"g", b"c")]))]  # fmt: skip
    yield from fill(b"d53")
    yield step("mutateRow", "a put and a delete", TABLE, t.TRowMutations(row=b"d53", mutations=mutations))
    yield step("get", "after both", TABLE, _get(t, b"d53"))
    other = [t.TMutation(put=_put(t, b"another", (b"f", b"a", b"x", 40)))]
    yield step("mutateRow", "of another row", TABLE, t.TRowMutations(row=b"d53", mutations=other))
    yield step("mutateRow", "a missing table", MISSING, t.TRowMutations(row=b"d53", mutations=mutations))


def _counters(t: Any) -> Iterator[Step]:
    def increment(*columns: Any, **more: Any) -> Any:
        return t.TIncrement(row=b"count", columns=[t.TColumnIncrement(*one) for one in columns], **more)

    yield step("increment", "two new counters", TABLE, increment((b"f", b"n", 5), (b"g", b"m", -2)))
    yield step("increment", "by one, not said", TABLE, increment((b"f", b"n")))
    yield step("increment", "in silence", TABLE, increment((b"f", b"n", 4), returnResults=False))
    yield step("increment", "by nothing", TABLE, increment((b"f", b"n", 0), durability=t.TDurability.SYNC_WAL))
    yield step("increment", "no columns", TABLE, increment())
    yield step("increment", "a missing family", TABLE, increment((b"nope", b"n", 1)))
    yield step("increment", "a missing table", MISSING, increment((b"f", b"n", 1)))
    yield step(
        "increment", "what is no number", TABLE, t.TIncrement(row=b"row1", columns=[t.TColumnIncrement(b"f", b"a", 1)])
    )

    def append(*cells: Any, **more: Any) -> Any:
        return t.TAppend(row=b"log", columns=[_cell(t, *one) for one in cells], **more)

    yield step("append", "two new values", TABLE, append((b"f", b"b", b"1"), (b"f", b"a", b"2")))
    yield step("append", "more", TABLE, append((b"f", b"a", b"3")))
    yield step("append", "in silence", TABLE, append((b"f", b"a", b"4"), returnResults=False))
    yield step("append", "after that", TABLE, append((b"f", b"a", b"5")))
    yield step("append", "a missing family", TABLE, append((b"nope", b"a", b"5")))
    yield step("append", "a missing table", MISSING, append((b"f", b"a", b"5")))


def _checks(t: Any) -> Iterator[Step]:
    def put(value: bytes, row: bytes = b"check") -> Any:
        return _put(t, row, (b"f", b"a", value))

    where = (TABLE, b"check", b"f", b"a")
    yield step("checkAndPut", "a missing one, expected", *where, None, put(b"5"))
    yield step("checkAndPut", "a missing one, not so", *where, None, put(b"6"))
    yield step("checkAndPut", "the value", *where, b"5", put(b"5"))
    yield step("checkAndPut", "another value", *where, b"9", put(b"7"))
    yield step("checkAndPut", "a put of another row", *where, b"5", put(b"7", b"another"))
    yield step("checkAndPut", "a missing family", TABLE, b"check", b"nope", b"a", b"5", put(b"7"))
    yield step("checkAndPut", "a missing table", MISSING, b"check", b"f", b"a", b"5", put(b"7"))
    for name in ("LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL", "GREATER"):
        for value in (b"4", b"5", b"6"):
            mutations = t.TRowMutations(row=b"check", mutations=[t.TMutation(put=put(b"5"))])
            operator = getattr(t.TCompareOp, name)
            yield step("checkAndMutate", f"{name} {value.decode()}", *where, operator, value, mutations)
    both = [t.TMutation(put=_put(t, b"check", (b"f", b"b", b"b"))),
            t.TMutation(deleteSingle=t.TDelete(row=b"check", columns=[t.TColumn(b"f", b"a")]))]  # fmt: skip
    mutations = t.TRowMutations(row=b"check", mutations=both)
    yield step("checkAndMutate", "without a value", *where, t.TCompareOp.EQUAL, None, mutations)
    yield step("checkAndMutate", "a put and a delete", *where, t.TCompareOp.EQUAL, b"5", mutations)
    yield step("get", "after the put and the delete", TABLE, _get(t, b"check"))
    yield step("checkAndMutate", "a missing table", MISSING, *where[1:], t.TCompareOp.EQUAL, b"5", mutations)
    delete = t.TDelete(row=b"check", columns=[t.TColumn(b"f", b"b")])
    yield step("checkAndDelete", "another value", TABLE, b"check", b"f", b"b", b"x", delete)
    yield step("checkAndDelete", "the value", TABLE, b"check", b"f", b"b", b"b", delete)
    yield step("checkAndDelete", "a missing one", TABLE, b"check", b"f", b"b", None, delete)
    yield step("checkAndDelete", "a missing table", MISSING, b"check", b"f", b"b", None, delete)


def _scanners(t: Any) -> Iterator[Step]:
    puts = [_put(t, b"s%02d" % n, (b"f", b"a", b"a%d" % n), (b"f", b"b", b"b"), (b"g", b"c", b"c"), timestamp=50)
            for n in range(12)]  # fmt: skip
    yield step("putMultiple", "rows to scan", TABLE, puts)
    column = t.TColumn(b"f", b"a")
    scans = {
        "everything by default": t.TScan(startRow=b"s10"),
        "two rows": t.TScan(startRow=b"s03", stopRow=b"s05", columns=[column]),
        "to itself": t.TScan(startRow=b"s03", stopRow=b"s03", columns=[column]),
        "a family": t.TScan(startRow=b"s11", columns=[t.TColumn(b"g")]),
        "a range of times": t.TScan(startRow=b"s11", timeRange=t.TTimeRange(10, 50)),
        "a range of a family": t.TScan(startRow=b"s11", colFamTimeRangeMap={b"f": t.TTimeRange(10, 50)}),
        "a filter": t.TScan(startRow=b"s", filterString=b"ValueFilter(=, 'binary:a7')"),
        "a filter's message": t.TScan(startRow=b"s", filterBytes=_filter("PrefixFilter", b"\x0a\x03s07")),
        "backwards": t.TScan(startRow=b"s02", stopRow=b"s00", reversed=True),
        "pieces of rows": t.TScan(startRow=b"s11", batchSize=2),
        "a limit": t.TScan(startRow=b"s", limit=2, columns=[column]),
        "versions": t.TScan(startRow=b"row1", stopRow=b"row2", maxVersions=9),
        "a stream": t.TScan(startRow=b"s11", readType=t.TReadType.STREAM, caching=5, cacheBlocks=False),
        "a missing family": t.TScan(columns=[t.TColumn(b"nope")]),
    }
    for label, scan in scans.items():

        def number(kept: Kept, label: str = label) -> Any:
            return kept[label]

        yield step("openScanner", label, TABLE, scan, keep=label)
        yield step("getScannerRows", label, number, 1)
        yield step("getScannerRows", f"{label}, the rest", number, 100)
        yield step("getScannerRows", f"{label}, at its end", number, 100)
        yield step("closeScanner", label, number)
        yield step("getScannerResults", label, TABLE, scan, 3)
    yield step("openScanner", "a filter that is none", TABLE, t.TScan(filterString=b"Nope('x')"))
    yield step("openScanner", "a missing table", MISSING, t.TScan(), keep="missing")
    yield step("getScannerRows", "a missing table", lambda kept: kept["missing"], 1)
    yield step("getScannerResults", "a missing table", MISSING, t.TScan(), 1)
    yield step("getScannerRows", "no such scanner", 1_000_000, 1)
    yield step("closeScanner", "no such scanner", 1_000_000)


def _regions(t: Any) -> Iterator[Step]:
    yield step("getAllRegionLocations", "three", SPLIT.encode())
    yield step("getAllRegionLocations", "a missing table", MISSING)
    yield step("getRegionLocation", "the second", SPLIT.encode(), b"i", False, keep="second")
    yield step("getRegionLocation", "the last, looked up", SPLIT.encode(), b"q", True)
    yield step("getRegionLocation", "a missing table", MISSING, b"q", False)

    def servers(kept: Kept) -> Any:
        # One server's name is not valid for the other.
        return [kept["second"].serverName]

    yield step("getSlowLogResponses", "of its server", servers, t.TLogQueryFilter(limit=5))
    yield step("clearSlowLogResponses", "of its server", servers)
    yield step("getSlowLogResponses", "after that", servers, t.TLogQueryFilter(logType=t.TLogType.LARGE_LOG))


def _schema(t: Any) -> Iterator[Step]:
    table = _name(t, TABLE)
    yield step("addColumnFamily", "a new one", table, _family(t, b"h", maxVersions=2))
    yield step("addColumnFamily", "there already", table, _family(t, b"h"))
    yield step("addColumnFamily", "a missing table", _name(t, MISSING), _family(t, b"h"))
    yield step("modifyColumnFamily", "versions", table, _family(t, b"h", maxVersions=9))
    yield step("modifyColumnFamily", "a missing one", table, _family(t, b"nope"))
    yield step("getTableDescriptor", "three families", table)
    yield step("deleteColumnFamily", "one", table, b"h")
    yield step("deleteColumnFamily", "a missing one", table, b"h")
    changed = _table(t, table, _family(t, b"f", maxVersions=4), attributes={b"OWNER": b"bob"})
    yield step("modifyTable", "one family less", changed)
    yield step("modifyTable", "a missing one", _table(t, _name(t, MISSING), _family(t, b"f")))
    yield step("getTableDescriptor", "one family less", table)


def _end(t: Any) -> Iterator[Step]:
    other = _name(t, OTHER)
    yield step("deleteTable", "enabled", other)
    yield step("truncateTable", "enabled", other, False)
    yield step("disableTable", "enabled", other)
    yield step("disableTable", "disabled already", other)
    yield step("disableTable", "a missing one", _name(t, MISSING))
    yield step("isTableEnabled", "disabled", other)
    yield step("isTableDisabled", "disabled", other)
    yield step("isTableAvailable", "disabled", other)
    yield step("get", "of a disabled table", OTHER.encode(), _get(t, b"row"))
    yield step("enableTable", "disabled", other)
    yield step("enableTable", "enabled already", other)
    yield step("enableTable", "a missing one", _name(t, MISSING))
    yield step("disableTable", "one to be truncated", _name(t, SPLIT))
    yield step("truncateTable", "with its splits", _name(t, SPLIT), True)
    yield step("truncateTable", "a missing one", _name(t, MISSING), True)
    yield step("getAllRegionLocations", "after truncating", SPLIT.encode())
    yield step("disableTable", "again", other)
    yield step("deleteTable", "disabled", other)
    yield step("deleteTable", "a missing one", other)
    yield step("deleteNamespace", "with tables", SPACE)
    inside = _name(t, "t", SPACE.encode())
    yield step("disableTable", "in a namespace", inside)
    yield step("deleteTable", "in a namespace", inside)
    yield step("deleteNamespace", "empty", SPACE)
    yield step("deleteNamespace", "a missing one", SPACE)
    yield step("getTableNamesByPattern", "what is left", "thrift_(two|space).*", False)
