"""Translation of happybase's scan arguments to those of `rowstone.Table.scan`."""

from numbers import Integral
from typing import TYPE_CHECKING, Any

from rowstone.happybase.util import ensure_bytes
from rowstone.server.columns import columns_of

if TYPE_CHECKING:
    from rowstone import Row


_MOST_ROWS = 2**31 - 1


def scan_options(compat: str, **given: Any) -> dict[str, Any]:
    """Options of `rowstone.Table.scan` for checked arguments of happybase's scan."""
    _check(compat, given)
    options = options_of(given["timestamp"])
    options["columns"] = columns_of(given["columns"])
    options["caching"] = min(given["batch_size"] or _MOST_ROWS, _MOST_ROWS)
    options["reverse"] = bool(given["reverse"])
    if given["row_prefix"] is not None:
        options["prefix"] = given["row_prefix"]
    else:
        options |= _range(given["row_start"], given["row_stop"])
    if given["scan_batching"] is not None:
        options["batch"] = given["scan_batching"]
    elif given["limit"] is not None:
        # With partial rows the limit counts pieces, so the caller enforces it.
        options["limit"] = given["limit"]
    if given["filter"] is not None:
        options["filter"] = given["filter"]
    return options


def _check(compat: str, given: dict[str, Any]) -> None:
    check_columns(given["columns"])
    for name in ("batch_size", "limit", "scan_batching"):
        if given[name] is not None and given[name] < 1:
            raise ValueError(f"{name!r} must be >= 1")
    for name, oldest in (("sorted_columns", "0.96"), ("reverse", "0.98")):
        if given[name] and compat < oldest:
            raise NotImplementedError(f"{name!r} is only supported in HBase >= {oldest}")
    if given["filter"] is not None and compat == "0.90":
        raise NotImplementedError("'filter' is not supported in HBase 0.90")
    if given["row_prefix"] is not None and (given["row_start"] is not None or given["row_stop"] is not None):
        raise TypeError("'row_prefix' cannot be combined with 'row_start' or 'row_stop'")


def _range(start: str | bytes | None, stop: str | bytes | None) -> dict[str, Any]:
    first, end = ensure_bytes(start or b""), ensure_bytes(stop or b"")
    # As in HBase, a scan from a row to itself reads that row, since callers cannot express it otherwise.
    return {"start": first, "stop": end, "include_stop": first == end and first != b""}


def check_columns(columns: object) -> None:
    """Raise `TypeError` unless the value is None, a tuple or a list."""
    if columns is not None and not isinstance(columns, (tuple, list)):
        raise TypeError("'columns' must be a tuple or list")


def options_of(timestamp: int | None) -> dict[str, Any]:
    """Options of a read of cells strictly older than ``timestamp``."""
    if timestamp is None:
        return {}
    if not isinstance(timestamp, Integral):
        raise TypeError("'timestamp' must be an integer")
    return {"time_range": (0, timestamp)}


def row_dict(row: "Row", include_timestamp: bool) -> dict[bytes, Any]:
    """A row's newest values by column, or pairs (value, timestamp), in column order."""
    if include_timestamp:
        return {cell.column: (cell.value, cell.timestamp) for cell in row.cells}
    return row.to_dict()
