"""Calls of every method of the first service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.thrift.steps import Kept, Step, step

TABLE = b"thrift_one"
OTHER = b"thrift_one_b"
MISSING = b"thrift_missing"
NO_ATTRIBUTES: dict[bytes, bytes] = {}
LATEST = 2**63 - 1


def script(t: Any) -> Iterator[Step]:
    """All steps; ``t`` is the module that thriftpy2 made of the interface text."""
    for part in (_tables, _puts, _reads, _deletes, _counters, _checks, _scanners, _disabled):
        yield from part(t)


def _put(t: Any, column: bytes, value: bytes | None, **more: Any) -> Any:
    return t.Mutation(column=column, value=value, **more)


def _delete(t: Any, column: bytes) -> Any:
    return t.Mutation(isDelete=True, column=column)


def _families(t: Any) -> list[Any]:
    return [
        t.ColumnDescriptor(name=b"f:"),
        t.ColumnDescriptor(name=b"g", maxVersions=1, bloomFilterType="ROWCOL", inMemory=True, timeToLive=86400),
    ]


def _tables(t: Any) -> Iterator[Step]:
    yield step("getThriftServerType", "which")
    yield step("getClusterId", "which")
    yield step("createTable", "two families", TABLE, _families(t))
    yield step("createTable", "there already", TABLE, _families(t))
    yield step("createTable", "one family, all options", OTHER, [
        t.ColumnDescriptor(name=b"a:", maxVersions=7, compression="GZ", bloomFilterType="ROW", blockCacheEnabled=True)
    ])  # fmt: skip
    yield step("createTable", "no families", MISSING, [])
    yield step("createTable", "a family without a name", MISSING, [t.ColumnDescriptor(name=b"")])
    yield step("createTable", "no such Bloom filter", MISSING, [t.ColumnDescriptor(name=b"f", bloomFilterType="X")])
    yield step("createTable", "no such compression", MISSING, [t.ColumnDescriptor(name=b"f", compression="X")])
    yield step("createTable", "no versions", MISSING, [t.ColumnDescriptor(name=b"f", maxVersions=0)])
    yield step("createTable", "a name that is none", b"a b", [t.ColumnDescriptor(name=b"f")])
    yield step("createTable", "a namespace that is missing", b"nowhere:t", [t.ColumnDescriptor(name=b"f")])
    yield step("getTableNames", "those of this script")
    yield step("getTableNamesWithIsTableEnabled", "those of this script")
    yield step("getColumnDescriptors", "two families", TABLE)
    yield step("getColumnDescriptors", "all options", OTHER)
    yield step("getColumnDescriptors", "a missing table", MISSING)
    yield step("getTableRegions", "one region", TABLE, keep="regions")
    yield step("getTableRegions", "a missing table", MISSING)
    yield step("getRegionInfo", "a table's first row", TABLE + b",,99999999999999")
    yield step("getRegionInfo", "the region's own name", lambda kept: kept["regions"][0].name)
    yield step("getRegionInfo", "before all tables", b"\x01")
    yield step("isTableEnabled", "enabled", TABLE)
    yield step("isTableEnabled", "a missing table", MISSING)
    yield step("enableTable", "enabled already", TABLE)
    yield step("enableTable", "a missing table", MISSING)
    yield step("disableTable", "a missing table", MISSING)
    yield step("compact", "a table", OTHER)
    yield step("compact", "a region", lambda kept: kept["regions"][0].name)
    yield step("compact", "a missing table", MISSING)
    yield step("majorCompact", "a table", OTHER)
    yield step("majorCompact", "a missing table", MISSING)


def _puts(t: Any) -> Iterator[Step]:
    for number in (1, 2, 3, 4):
        values = [_put(t, b"f:a", b"a%d" % number), _put(t, b"f:b", b"b")]
        yield step("mutateRowTs", f"version {number}", TABLE, b"row1", values, number * 10, NO_ATTRIBUTES)
    yield step("mutateRow", "puts", TABLE, b"row2", [_put(t, b"f:a", b"x"), _put(t, b"g:a", b"y")], NO_ATTRIBUTES)
    yield step("mutateRow", "a put without value", TABLE, b"row2", [_put(t, b"f:none", None)], NO_ATTRIBUTES)
    yield step("mutateRow", "past the log", TABLE, b"row2", [_put(t, b"f:w", b"w", writeToWAL=False)], NO_ATTRIBUTES)
    yield step("mutateRow", "attributes", TABLE, b"row2", [_put(t, b"f:z", b"z")], {b"name": b"value"})
    yield step("mutateRow", "a put of a family", TABLE, b"row2", [_put(t, b"f", b"x")], NO_ATTRIBUTES)
    yield step("mutateRow", "an empty qualifier", TABLE, b"row2", [_put(t, b"f:", b"empty")], NO_ATTRIBUTES)
    yield step("mutateRow", "a missing family", TABLE, b"row2", [_put(t, b"nope:a", b"x")], NO_ATTRIBUTES)
    yield step("mutateRow", "a missing table", MISSING, b"row2", [_put(t, b"f:a", b"x")], NO_ATTRIBUTES)
    yield step("mutateRow", "an empty row", TABLE, b"", [_put(t, b"f:a", b"x")], NO_ATTRIBUTES)
    yield step("mutateRow", "nothing", TABLE, b"row2", [], NO_ATTRIBUTES)
    yield step("mutateRow", "put and delete of a column", TABLE, b"row3",
               [_put(t, b"f:a", b"x"), _delete(t, b"f:a"), _put(t, b"f:b", b"y")], NO_ATTRIBUTES)  # fmt: skip
    yield step("getRow", "after a delete and a put", TABLE, b"row3", NO_ATTRIBUTES)
    rows = [t.BatchMutation(row=b"many%d" % number, mutations=[_put(t, b"f:a", b"%d" % number)]) for number in range(5)]
    yield step("mutateRows", "puts", TABLE, rows, NO_ATTRIBUTES)
    both = [
        t.BatchMutation(row=b"many0", mutations=[_delete(t, b"f:a"), _put(t, b"f:b", b"later")]),
        t.BatchMutation(row=b"many1", mutations=[_delete(t, b"f")]),
    ]
    yield step("mutateRows", "puts and deletes", TABLE, both, NO_ATTRIBUTES)
    yield step("mutateRows", "a missing family", TABLE,
               [t.BatchMutation(row=b"r", mutations=[_put(t, b"nope:a", b"x")])], NO_ATTRIBUTES)  # fmt: skip
    yield step("mutateRows", "a missing table", MISSING, rows, NO_ATTRIBUTES)
    yield step("mutateRows", "a put of a family", TABLE,
               [t.BatchMutation(row=b"r", mutations=[_put(t, b"f", b"x")])], NO_ATTRIBUTES)  # fmt: skip
    yield step("mutateRows", "nothing", TABLE, [], NO_ATTRIBUTES)
    yield step("mutateRowsTs", "at a time", TABLE, rows[2:4], 77, NO_ATTRIBUTES)


def _reads(t: Any) -> Iterator[Step]:
    no = NO_ATTRIBUTES
    yield step("get", "a column", TABLE, b"row1", b"f:a", no)
    yield step("get", "a family", TABLE, b"row1", b"f", no)
    yield step("get", "an empty qualifier", TABLE, b"row2", b"f:", no)
    yield step("get", "a missing row", TABLE, b"nobody", b"f:a", no)
    yield step("get", "a missing column", TABLE, b"row1", b"f:nope", no)
    yield step("get", "a missing family", TABLE, b"row1", b"nope:a", no)
    yield step("get", "a missing table", MISSING, b"row1", b"f:a", no)
    yield step("get", "an empty row", TABLE, b"", b"f:a", no)
    yield step("getVer", "two", TABLE, b"row1", b"f:a", 2, no)
    yield step("getVer", "many of a family", TABLE, b"row1", b"f", 100, no)
    yield step("getVer", "none", TABLE, b"row1", b"f:a", 0, no)
    yield step("getVer", "fewer than none", TABLE, b"row1", b"f:a", -1, no)
    yield step("getVerTs", "older than 40", TABLE, b"row1", b"f:a", 40, 10, no)
    yield step("getVerTs", "older than 41", TABLE, b"row1", b"f:a", 41, 1, no)
    yield step("getVerTs", "older than 0", TABLE, b"row1", b"f:a", 0, 1, no)
    yield step("getVerTs", "a negative time", TABLE, b"row1", b"f:a", -5, 1, no)
    yield step("getRow", "a row", TABLE, b"row1", no)
    yield step("getRow", "a row of two families", TABLE, b"row2", no)
    yield step("getRow", "a missing row", TABLE, b"nobody", no)
    yield step("getRow", "a missing table", MISSING, b"row1", no)
    yield step("getRowWithColumns", "a column", TABLE, b"row2", [b"f:a"], no)
    yield step("getRowWithColumns", "a family", TABLE, b"row2", [b"g"], no)
    yield step("getRowWithColumns", "a column behind its family", TABLE, b"row2", [b"f", b"f:a"], no)
    yield step("getRowWithColumns", "a family behind its column", TABLE, b"row2", [b"f:a", b"f"], no)
    yield step("getRowWithColumns", "no columns", TABLE, b"row2", [], no)
    yield step("getRowWithColumns", "a missing family", TABLE, b"row2", [b"nope"], no)
    yield step("getRowTs", "older than 25", TABLE, b"row1", 25, no)
    yield step("getRowTs", "the end of time", TABLE, b"row1", LATEST, no)
    yield step("getRowWithColumnsTs", "older than 25", TABLE, b"row1", [b"f:a"], 25, no)
    yield step("getRows", "some, one missing", TABLE, [b"row1", b"nobody", b"many4"], no)
    yield step("getRows", "none", TABLE, [], no)
    yield step("getRows", "a missing table", MISSING, [b"row1"], no)
    yield step("getRowsWithColumns", "a column", TABLE, [b"row1", b"row2"], [b"f:a"], no)
    yield step("getRowsWithColumns", "a missing family", TABLE, [b"row1"], [b"nope:a"], no)
    yield step("getRowsTs", "older than 25", TABLE, [b"row1", b"row2"], 25, no)
    yield step("getRowsWithColumnsTs", "older than 25", TABLE, [b"row1", b"row2"], [b"f:b"], 25, no)


def _deletes(t: Any) -> Iterator[Step]:
    no = NO_ATTRIBUTES

    def fill(row: bytes) -> Iterator[Step]:
        for time in (10, 20, 30):
            values = [_put(t, b"f:a", b"a"), _put(t, b"f:", b"empty"), _put(t, b"g:c", b"c")]
            yield step("mutateRowTs", f"fill {row.decode()} at {time}", TABLE, row, values, time, no)

    for name, columns in ((b"d1", b"f:a"), (b"d2", b"f"), (b"d3", b"f:")):
        yield from fill(name)
        yield step("deleteAll", f"{columns.decode()}", TABLE, name, columns, no)
        yield step("getRow", f"after deleting {columns.decode()}", TABLE, name, no)
    yield from fill(b"d4")
    yield step("deleteAllTs", "a column up to 20", TABLE, b"d4", b"f:a", 20, no)
    yield step("getVer", "after deleting up to 20", TABLE, b"d4", b"f:a", 9, no)
    yield step("deleteAllTs", "a family up to 20", TABLE, b"d4", b"g", 20, no)
    yield step("getVer", "after deleting the family up to 20", TABLE, b"d4", b"g", 9, no)
    yield step("deleteAll", "a missing family", TABLE, b"d4", b"nope:a", no)
    yield step("deleteAll", "a missing table", MISSING, b"d4", b"f:a", no)
    yield from fill(b"d5")
    yield step("deleteAllRowTs", "up to 20", TABLE, b"d5", 20, no)
    yield step("getVer", "after deleting the row up to 20", TABLE, b"d5", b"f", 9, no)
    yield step("deleteAllRow", "all", TABLE, b"d5", no)
    yield step("getRow", "after deleting it", TABLE, b"d5", no)
    yield step("deleteAllRow", "a missing table", MISSING, b"d5", no)
    yield from fill(b"d6")
    yield step("mutateRowTs", "a delete of an empty qualifier", TABLE, b"d6", [_delete(t, b"f:")], 20, no)
    yield step("getVer", "after that", TABLE, b"d6", b"f", 9, no)


def _counters(t: Any) -> Iterator[Step]:
    def increment(row: bytes, column: bytes, amount: int, table: bytes = TABLE) -> Any:
        return t.TIncrement(table=table, row=row, column=column, ammount=amount)

    yield step("atomicIncrement", "a new counter", TABLE, b"count", b"f:n", 5)
    yield step("atomicIncrement", "less", TABLE, b"count", b"f:n", -7)
    yield step("atomicIncrement", "by nothing", TABLE, b"count", b"f:n", 0)
    yield step("atomicIncrement", "a family", TABLE, b"count", b"f", 3)
    yield step("atomicIncrement", "what is no number", TABLE, b"row1", b"f:a", 1)
    yield step("atomicIncrement", "a missing family", TABLE, b"count", b"nope:n", 1)
    yield step("atomicIncrement", "a missing table", MISSING, b"count", b"f:n", 1)
    yield step("increment", "one", increment(b"count", b"f:m", 2))
    yield step("increment", "without a row", increment(b"", b"f:m", 2))
    yield step("increment", "a family", increment(b"count", b"f", 2))
    yield step("increment", "a missing table", increment(b"count", b"f:m", 2, MISSING))
    yield step("incrementRows", "two", [increment(b"count", b"f:m", 2), increment(b"count2", b"f:m", 9)])
    yield step("incrementRows", "none", [])
    yield step("getRow", "the counters", TABLE, b"count", NO_ATTRIBUTES)

    def append(row: bytes, columns: list[bytes], values: list[bytes], table: bytes = TABLE) -> Any:
        return t.TAppend(table=table, row=row, columns=columns, values=values)

    yield step("append", "new values", append(b"log", [b"f:b", b"f:a"], [b"1", b"2"]))
    yield step("append", "more", append(b"log", [b"f:a"], [b"3"]))
    yield step("append", "more values than columns", append(b"log", [b"f:a"], [b"3", b"4"]))
    yield step("append", "without a row", append(b"", [b"f:a"], [b"3"]))
    yield step("append", "a missing family", append(b"log", [b"nope:a"], [b"3"]))
    yield step("append", "a missing table", append(b"log", [b"f:a"], [b"3"], MISSING))


def _checks(t: Any) -> Iterator[Step]:
    no = NO_ATTRIBUTES
    yield step("checkAndPut", "a missing one, expected", TABLE, b"check", b"f:a", None, _put(t, b"f:a", b"1"), no)
    yield step("checkAndPut", "a missing one, not so", TABLE, b"check", b"f:a", None, _put(t, b"f:a", b"2"), no)
    yield step("checkAndPut", "the value", TABLE, b"check", b"f:a", b"1", _put(t, b"f:b", b"3"), no)
    yield step("checkAndPut", "another value", TABLE, b"check", b"f:a", b"9", _put(t, b"f:b", b"4"), no)
    yield step("checkAndPut", "an empty value", TABLE, b"check", b"f:none", b"", _put(t, b"f:e", b"5"), no)
    yield step("checkAndPut", "a family alone", TABLE, b"check", b"f", b"1", _put(t, b"f:b", b"3"), no)
    yield step("checkAndPut", "a put of a family", TABLE, b"check", b"f:a", b"1", _put(t, b"f", b"3"), no)
    yield step("checkAndPut", "a missing family", TABLE, b"check", b"nope:a", b"1", _put(t, b"f:b", b"3"), no)
    yield step("checkAndPut", "a missing table", MISSING, b"check", b"f:a", b"1", _put(t, b"f:b", b"3"), no)
    yield step("getRow", "what was checked", TABLE, b"check", no)


def _scanners(t: Any) -> Iterator[Step]:
    no = NO_ATTRIBUTES
    rows = [
        t.BatchMutation(row=b"s%02d" % number, mutations=[
            _put(t, b"f:a", b"a%d" % number), _put(t, b"f:b", b"b%d" % number), _put(t, b"g:c", b"c%d" % number)
        ])
        for number in range(12)
    ]  # fmt: skip
    yield step("mutateRowsTs", "rows to scan", TABLE, rows, 50, no)

    def opened(method: str, label: str, *arguments: Any) -> Iterator[Step]:
        def number(kept: Kept) -> Any:
            return kept[f"{method} {label}"]

        yield step(method, label, TABLE, *arguments, keep=f"{method} {label}")
        yield step("scannerGet", f"{method} {label}", number)
        yield step("scannerGetList", f"{method} {label}", number, 100)
        yield step("scannerGetList", f"{method} {label}, at its end", number, 100)
        yield step("scannerClose", f"{method} {label}", number)

    yield from opened("scannerOpen", "from a row", b"s10", [], no)
    yield from opened("scannerOpen", "a column", b"s10", [b"f:a"], no)
    yield from opened("scannerOpenWithStop", "two rows", b"s03", b"s05", [b"g"], no)
    yield from opened("scannerOpenWithStop", "to itself", b"s03", b"s03", [b"g"], no)
    yield from opened("scannerOpenWithPrefix", "a prefix", b"s0", [b"f:b"], no)
    yield from opened("scannerOpenWithPrefix", "no such prefix", b"zz", [], no)
    yield from opened("scannerOpenTs", "older than 51", b"s10", [b"f:a"], 51, no)
    yield from opened("scannerOpenTs", "older than 50", b"s10", [b"f:a"], 50, no)
    yield from opened("scannerOpenWithStopTs", "older than 51", b"s03", b"s05", [], 51, no)
    scans = {
        "everything by default": t.TScan(startRow=b"s09", stopRow=b"s11"),
        "older than 51": t.TScan(startRow=b"s09", stopRow=b"s11", timestamp=51, columns=[b"f:a"]),
        "a filter": t.TScan(startRow=b"s", filterString=b"ValueFilter(=, 'binary:a7')"),
        "sorted columns": t.TScan(startRow=b"s10", sortColumns=True),
        "backwards": t.TScan(startRow=b"s02", stopRow=b"s00", reversed=True),
        "pieces of rows": t.TScan(startRow=b"s11", batchSize=2),
        "caching, past the cache": t.TScan(startRow=b"s11", caching=2, cacheBlocks=False),
        "no columns": t.TScan(startRow=b"s11", columns=[]),
        "a missing family": t.TScan(startRow=b"s11", columns=[b"nope"]),
    }
    for label, scan in scans.items():
        yield from opened("scannerOpenWithScan", label, scan, no)
    yield step("scannerOpenWithScan", "a filter that is none", TABLE, t.TScan(filterString=b"Nope('x')"), no)
    yield step("scannerOpen", "a missing table", MISSING, b"", [], no, keep="missing")
    yield step("scannerGetList", "a missing table", lambda kept: kept["missing"], 1)
    yield step("scannerGet", "no such scanner", 1_000_000)
    yield step("scannerGetList", "no such scanner", 1_000_000, 5)
    yield step("scannerClose", "no such scanner", 1_000_000)
    yield step("scannerOpen", "to be closed", TABLE, b"", [], no, keep="closed")
    yield step("scannerClose", "an open one", lambda kept: kept["closed"])
    yield step("scannerClose", "a closed one", lambda kept: kept["closed"])
    yield step("scannerGet", "a closed one", lambda kept: kept["closed"])
    yield step("scannerOpen", "to be asked for nothing", TABLE, b"s11", [], no, keep="nothing")
    yield step("scannerGetList", "no rows", lambda kept: kept["nothing"], 0)
    yield step("scannerGetList", "one row after that", lambda kept: kept["nothing"], 1)


def _disabled(t: Any) -> Iterator[Step]:
    no = NO_ATTRIBUTES
    yield step("deleteTable", "enabled", OTHER)
    yield step("disableTable", "enabled", OTHER)
    yield step("disableTable", "disabled already", OTHER)
    yield step("isTableEnabled", "disabled", OTHER)
    yield step("getTableNamesWithIsTableEnabled", "one disabled")
    yield step("getRow", "of a disabled table", OTHER, b"row", no)
    yield step("mutateRow", "of a disabled table", OTHER, b"row", [_put(t, b"a:a", b"x")], no)
    yield step("enableTable", "disabled", OTHER)
    yield step("disableTable", "again", OTHER)
    yield step("deleteTable", "disabled", OTHER)
    yield step("deleteTable", "a missing table", OTHER)
    yield step("getTableNames", "what is left")
