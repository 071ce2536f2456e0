"""Export of a table to files: split by split, then joined if one file was requested."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from rowstone._base.blocking import check_blocking
from rowstone._base.options import as_list, check_number, with_defaults
from rowstone._base.printable import printable
from rowstone._base.remote.folder import is_url
from rowstone._base.schema import as_bytes
from rowstone._base.targets import local_path
from rowstone._core.database import Database
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.jobs._export_job import Exported, ExportJob
from rowstone.jobs._options import EXPORT_DEFAULTS, ExportOptions
from rowstone.jobs._shape import cells_shape, rows_shape
from rowstone.jobs._urls import export_url
from rowstone.jobs.executors import executor_of
from rowstone.jobs.files.text import Decoder
from rowstone.jobs.files.writers import EXPORT_FORMATS, ExportFormat
from rowstone.jobs.splits.state import bytes_of_setting, is_text, key_setting

ExportColumns = Mapping[str, str] | Mapping[bytes, str] | Sequence[str | bytes]


def export_table(
    db: Database,
    table: str,
    out: str | os.PathLike[str],
    columns: ExportColumns | None = None,
    *,
    format: ExportFormat | None = None,
    start: str | bytes | None = None,
    stop: str | bytes | None = None,
    time_range: tuple[int | None, int | None] | None = None,
    dry_run: bool = False,
    progress: Callable[[Exported], None] | None = None,
    **options: Unpack[ExportOptions],
) -> Exported:
    """Export rows from ``start`` (included) to ``stop`` (excluded), in chunks of about 8 MiB; return the outcome.

    Args:
        out: A file that ends with ``.parquet``, ``.csv`` or ``.jsonl``; or a folder for many files, with ``format``.
            Also in an object store: ``s3://bucket/web.parquet``.
        columns: ``{"f:q": "field"}``, or columns that keep their names. By default all that any row has (1000 at
            most), which are found by reading all keys first. Rows without any of them are left out.
        time_range: Only cells from the first time (included) to the second (excluded), in milliseconds.
        dry_run: Return what would be exported, without reading values.
        progress: Called after each chunk if memory is shared, otherwise after each split.
        options: Lines for rows or cells, types and conversion: see `FieldOptions`. Workers: see `ParallelOptions`.
            Continuation after an interruption: see `ExportOptions`.

    An unfinished export keeps parts and progress next to ``out``, in ``OUT.export``, or within a folder in
    ``OUT/.export``. The same call then continues. Complete parts are kept, so each row is exported once. Concurrent
    writes may be missing. An export to an object store is made among the temporary files, then uploaded; it starts over
    after an interruption. A folder is complete when it has ``_SUCCESS``.

    Raises:
        ExistsError: ``out`` exists. InvalidArgument: A value does not fit its type; the message names row and field.

    Source: HBase's ``Export``.
    """
    given = with_defaults(export_table, options, EXPORT_DEFAULTS)
    check_blocking("db", db)
    if is_url(out):
        span: dict[str, Any] = {"start": start, "stop": stop, "time_range": time_range}
        run = partial(export_table, db, table, columns=columns, progress=progress, **span)
        return export_url(run, os.fspath(out), format, given, dry_run=dry_run)
    layout, versions, key = given["layout"], given["versions"], given["key"]
    out, named = Path(local_path(out)), _fields_of(columns)
    form = _format(out, format)
    _check(layout, versions, named, given["types"])
    check_number("part_bytes", given["part_bytes"])
    if not isinstance(key, str):
        raise InvalidType(f"key must be the name of a field, not {type(key).__name__}")
    runner = executor_of(given["executor"], given["workers"])
    types, text = dict(given["types"] or {}), given["text"] and form == "parquet"
    decoders, decode_key = _decoders_of(given["decode"]), given["decode_key"]
    job = ExportJob(db, db.table(table).name, out, form, is_folder=out.suffix != f".{form}")
    job.begin(
        {"layout": layout, "versions": versions, "key": key, "types": types, "text": text, "columns": named}
        | {"start": key_setting(start, "start"), "stop": key_setting(stop, "stop"), "time_range": time_range},
        restart=given["restart"],
    )
    if layout == "cells":
        job.plan(start, stop, {}, lambda names: cells_shape(decoders, decode_key, versions, text))
    else:
        job.plan(start, stop, named, lambda names: rows_shape(names, key, types, decoders, decode_key, text))
    job.check(start, stop, time_range)
    return job.done if dry_run else job.run(runner, given["part_bytes"], time_range, progress)


def _decoders_of(decode: Mapping[str, Decoder] | None) -> dict[bytes, Decoder]:
    return {as_bytes(column): decoder for column, decoder in (decode or {}).items()}


def _check(layout: str, versions: int | None, columns: object, types: object) -> None:
    if layout not in ("rows", "cells"):
        raise InvalidArgument(f"layout is {layout!r}: there are 'rows' and 'cells'")
    if layout == "rows" and versions != 1:
        raise InvalidArgument(f"versions is {versions}: a line for each row has one; use layout='cells'")
    if layout == "cells" and (columns or types):
        raise InvalidArgument("a line for each cell has its own fields: leave columns and types out")


def _format(out: Path, given: str | None) -> str:
    found = given or out.suffix.removeprefix(".")
    if found not in EXPORT_FORMATS:
        named = f"'{found}'" if found else "not known"
        raise InvalidArgument(f"the format of '{out}' is {named}: there are {', '.join(EXPORT_FORMATS)}")
    return found


def _fields_of(columns: ExportColumns | None) -> dict[str, str] | None:
    """The columns, as text that keeps bytes that are not UTF-8, with their fields."""
    if columns is None:
        return None
    if isinstance(columns, Mapping):
        return {key_setting(column, "column"): name for column, name in columns.items()}
    found = [key_setting(column, "column") for column in as_list("columns", columns)]
    if no_text := [bytes_of_setting(column) for column in found if not is_text(column)]:
        raise InvalidArgument(
            f"column '{printable(no_text[0])}' is no text: name its field, as in {{{no_text[0]!r}: 'x'}}"
        )
    return {column: column for column in found}
