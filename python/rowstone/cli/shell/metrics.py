"""Scan metrics: ``ALL_METRICS`` and ``METRICS``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_NAMES = (
    "BLOCK_BYTES_SCANNED", "BLOCK_READ_OPS_COUNT", "BYTES_IN_REMOTE_RESULTS", "BYTES_IN_RESULTS",
    "BYTES_READ_FROM_BLOCK_CACHE", "BYTES_READ_FROM_FS", "BYTES_READ_FROM_MEMSTORE", "FS_READ_TIME",
    "MILLIS_BETWEEN_NEXTS", "NOT_SERVING_REGION_EXCEPTION", "REGIONS_SCANNED", "REMOTE_RPC_CALLS", "REMOTE_RPC_RETRIES",
    "ROWS_FILTERED", "ROWS_SCANNED", "RPC_CALLS", "RPC_RETRIES", "RPC_SCAN_PROCESSING_TIME", "RPC_SCAN_QUEUE_WAIT_TIME",
)  # fmt: skip


def print_metrics(session: Session, rows: int, size_bytes: int, wanted: Any) -> None:
    """Print HBase's metrics of a scan that returned ``rows`` of ``size_bytes``. Metrics not counted here are 0.

    ``wanted`` names the metrics to print; None means all.
    """
    known = {"BYTES_IN_RESULTS": size_bytes, "ROWS_SCANNED": rows, "REGIONS_SCANNED": 1}
    session.formatter.line()
    session.formatter.header(["METRIC", "VALUE"])
    for name in _NAMES:
        if not isinstance(wanted, list) or not wanted or name in wanted:
            session.formatter.row([name, known.get(name, 0)])
