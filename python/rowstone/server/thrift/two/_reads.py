"""Conversion of ``TGet`` and ``TScan`` for the store, and of rows to ``TResult``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.errors import UnsupportedOperation
from rowstone.server.columns import wanted_columns
from rowstone.server.thrift._arguments import LATEST, parsed, time_range, unpacked, versions_of

if TYPE_CHECKING:
    from rowstone._native import Row

_TYPES = {"Put": 4, "Delete": 8, "DeleteFamilyVersion": 10, "DeleteColumn": 12, "DeleteFamily": 14}


def get_options(get: Any) -> dict[str, Any]:
    """The options for `rowstone.Table.get`, without the row.

    Visibility labels (``authorizations``) have no effect, since no cell has labels.
    """
    options = _options(get)
    if get.timestamp is not None and get.timestamp != LATEST:
        options.pop("time_range", None)
        options["timestamp"] = get.timestamp
    if get.storeLimit is not None and get.storeLimit >= 0:
        options["cells_per_family"] = get.storeLimit
    if get.storeOffset is not None and get.storeOffset > 0:
        options["offset_per_family"] = get.storeOffset
    return options


def scan_options(scan: Any) -> dict[str, Any]:
    """The options for `rowstone.Table.scan`."""
    options = _options(scan)
    start, stop = scan.startRow or b"", scan.stopRow or b""
    # Equal start and stop rows select that row, as in HBase's ``setStartRow`` and ``setStopRow``.
    options |= {"start": start, "stop": stop, "include_stop": start == stop and start != b""}
    options["reverse"] = bool(scan.reversed)
    if scan.batchSize is not None and scan.batchSize > 0:
        options["batch"] = scan.batchSize
    if scan.limit is not None and scan.limit > 0:
        options["limit"] = scan.limit
    if scan.colFamTimeRangeMap:
        options["family_time_ranges"] = {
            family: _range(one)["time_range"] for family, one in scan.colFamTimeRangeMap.items()
        }
    return options


def _options(read: Any) -> dict[str, Any]:
    """The options common to both."""
    if read.targetReplicaId is not None and read.targetReplicaId > 0:
        raise UnsupportedOperation(f"regions have no replica {read.targetReplicaId}")
    options: dict[str, Any] = {"columns": wanted_columns((one.family, one.qualifier) for one in read.columns or ())}
    if read.timeRange is not None:
        options |= _range(read.timeRange)
    if read.maxVersions is not None:
        options["versions"] = versions_of(read.maxVersions)
    if read.cacheBlocks is not None:
        options["cache_blocks"] = read.cacheBlocks
    if read.filterString is not None:
        options["filter"] = parsed(read.filterString)
    if read.filterBytes is not None:
        options["filter"] = unpacked(read.filterBytes)
    return options


def _range(one: Any) -> dict[str, Any]:
    found = time_range(one.minStamp, one.maxStamp)
    return {} if found["time_range"] == (0, LATEST) else found


EMPTY: tuple[Any, ...] = (None, [], False, False)
"""``TResult`` of a missing row."""


def result_of(row: Row) -> tuple[Any, ...]:
    """``TResult`` of a row: a plain tuple, with one per cell."""
    if not row:
        return EMPTY
    values = [(cell.family, cell.qualifier, cell.value, cell.timestamp, None, _TYPES[cell.type]) for cell in row.cells]
    return row.key, values, False, row.is_partial
