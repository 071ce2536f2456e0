"""From the values of the script language to calls of the Python package and back to text.

Everything that depends on the spelling of the package's API is here and in `store.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.script import commands as c
from tests.script.answers import cell_text
from tests.script.fill import puts_of
from tests.script.parse import after_prefix
from tests.script.runners.base import CannotAnswer

ALL_VERSIONS = (1 << 31) - 1

FAMILY_OPTIONS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "VERSIONS": ("max_versions", int),
    "MINV": ("min_versions", int),
    "TTL": ("ttl_seconds", int),
    "KDC": ("keep_deleted_cells", str),
    "NVB": ("new_version_behavior", lambda text: text == "true"),
    "BLOOM": ("bloom_filter", str),
    "ENC": ("data_block_encoding", str),
    "COMP": ("compression", str),
    "BLOCKSIZE": ("block_bytes", int),
}


def family_of(rs: Any, spec: c.FamilySpec) -> Any:
    """The package's Family for a family of a `table` command."""
    arguments: dict[str, Any] = {}
    configuration: dict[str, str] = {}
    for key, text in spec.options.items():
        if key in FAMILY_OPTIONS:
            name, convert = FAMILY_OPTIONS[key]
            arguments[name] = convert(text)
        else:
            configuration[key] = text
    if configuration:
        arguments["configuration"] = configuration
    return rs.Family(**arguments)


# ---- writes


def mutation_of(rs: Any, mutation: c.Mutation) -> Any:
    """The package's mutation object."""
    if isinstance(mutation, c.Put):
        return rs.Put(mutation.row, [put_entry(mutation)], **ttl_option(mutation))
    if isinstance(mutation, c.Delete):
        return _delete_of(rs, mutation)
    options = {**ttl_option(mutation), **range_option(mutation.time_range)}
    if isinstance(mutation, c.Increment):
        return rs.Increment(mutation.row, list(mutation.amounts), **options)
    return rs.Append(mutation.row, list(mutation.suffixes), **options)


def put_entry(put: c.Put) -> tuple[Any, ...]:
    """(column, value) or (column, value, timestamp)"""
    entry = (put.column, put.value)
    return entry if put.timestamp is None else (*entry, put.timestamp)


def _delete_of(rs: Any, delete: c.Delete) -> Any:
    refuse_ttl(delete)
    if delete.kind == "row":
        return rs.Delete(delete.row, **timestamp_option(delete))
    built = rs.Delete(delete.row)
    column = (delete.family, delete.qualifier)
    if delete.kind == "family":
        return built.add_family(delete.family, delete.timestamp)
    if delete.kind == "family_version":
        return built.add_family_version(delete.family, delete.timestamp)
    if delete.kind == "columns":
        return built.add_columns(column, delete.timestamp)
    for _ in range(delete.count):
        built = built.add_column(column, delete.timestamp)
    return built


def delete_arguments(delete: c.Delete) -> tuple[list[Any], dict[str, Any]] | None:
    """(columns, options) for `Table.delete`; None for what only a Delete object can say."""
    refuse_ttl(delete)
    column = (delete.family, delete.qualifier)
    if delete.kind == "row":
        return [], timestamp_option(delete)
    if delete.kind == "family":
        return [delete.family], timestamp_option(delete)
    if delete.kind == "family_version":
        return [delete.family], {"version": delete.timestamp}
    if delete.kind == "columns":
        return [column], timestamp_option(delete)
    if delete.count > 1:
        return None
    return [column], {"version": "latest" if delete.timestamp is None else delete.timestamp}


def refuse_ttl(delete: c.Delete) -> None:
    """A Delete with a time to live cannot be written in Python."""
    if delete.ttl_ms is not None:
        raise CannotAnswer("a Delete takes no ttl")


def timestamp_option(mutation: c.Delete) -> dict[str, Any]:
    return {} if mutation.timestamp is None else {"timestamp": mutation.timestamp}


def ttl_option(mutation: c.Put | c.Increment | c.Append) -> dict[str, Any]:
    return {} if mutation.ttl_ms is None else {"ttl_ms": mutation.ttl_ms}


def range_option(time_range: c.TimeRange | None) -> dict[str, Any]:
    return {} if time_range in (None, (0, c.LATEST)) else {"time_range": time_range}


def fill_rows(fill: c.Fill) -> Iterable[tuple[bytes, list[tuple[Any, ...]]]]:
    """(row, data) of every put of a `fill` command."""
    for put in puts_of(fill):
        yield put.row, [put_entry(put)]


# ---- reads


def read_options(read: c.Read) -> dict[str, Any]:
    """The keyword arguments a scan and a get share, without those that have their default."""
    options: dict[str, Any] = range_option(read.time_range)
    if read.families or read.columns:
        options["columns"] = [*read.families, *read.columns]
    if read.versions != 1:
        options["versions"] = ALL_VERSIONS if read.versions is None else read.versions
    if read.family_time_ranges:
        options["family_time_ranges"] = dict(read.family_time_ranges)
    if read.cells_per_family >= 0:
        options["cells_per_family"] = read.cells_per_family
    if read.offset_per_family:
        options["offset_per_family"] = read.offset_per_family
    return options


def scan_options(rows: c.Rows, read: c.Read) -> dict[str, Any]:
    """The keyword arguments of `Table.scan`."""
    options = read_options(read)
    if read.raw:
        options["raw"] = True
    if read.uncommitted:
        options["isolation"] = "READ_UNCOMMITTED"
    options |= _row_options(rows)
    if rows.reverse:
        options["reverse"] = True
    if rows.limit is not None and rows.limit > 0:
        options["limit"] = rows.limit
    if rows.batch > 0:
        options["batch"] = rows.batch
    return options


def _row_options(rows: c.Rows) -> dict[str, Any]:
    whole_prefix = rows.prefix is not None and (
        rows.start, rows.stop, rows.include_start, rows.include_stop, rows.reverse
    ) == (rows.prefix, after_prefix(rows.prefix), True, False, False)  # fmt: skip
    if whole_prefix:
        return {"prefix": rows.prefix}
    options: dict[str, Any] = {}
    if rows.start:
        options["start"] = rows.start
        if not rows.include_start:
            options["include_start"] = False
    if rows.stop:
        options["stop"] = rows.stop
        if rows.include_stop:
            options["include_stop"] = True
    return options


def row_texts(row: Any) -> list[str]:
    """The cells of a Row, each as text."""
    return [
        cell_text(
            cell.row,
            (cell.family, cell.qualifier),
            cell.timestamp,
            str(cell.type),
            cell.value,
            cell.tags or (),
        )
        for cell in row.cells
    ]
