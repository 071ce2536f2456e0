"""Translation of happybase's scan arguments to those of `rowstone.Table.scan`."""

from typing import Any

from rowstone.happybase._reads import check_columns, options_of
from rowstone.happybase.util import ensure_bytes
from rowstone.server.columns import columns_of

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
