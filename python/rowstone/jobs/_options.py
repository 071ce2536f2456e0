"""Further options of jobs, grouped by subject: where a job runs, how it continues, what its files look like."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, TypedDict

from rowstone._base.options.words import Durability, Form

if TYPE_CHECKING:
    from rowstone.jobs._plan import Encoder
    from rowstone.jobs.executors import ExecutorArgument
    from rowstone.jobs.files.text import Decoder

BadLines = Literal["stop", "skip"]


class ParallelOptions(TypedDict, total=False):
    """Workers that process the regions of a job.

    Attributes:
        workers: Number of regions processed in parallel, in threads; 1 by default.
        executor: Where to run instead of threads, such as ``"processes"`` or a Dask client: `ExecutorArgument`. None by
            default. The workers of an export must reach its output.
    """

    workers: int
    executor: ExecutorArgument


class ResumeOptions(TypedDict, total=False):
    """Continuation of a job after an interruption.

    Attributes:
        state: A file that records the progress. While it exists, the job is unfinished, and the same call continues it.
            None (the default) keeps no file. An import always keeps one, by default the name of the imported file
            followed by ``.import.json``.
        restart: Start over, ignoring the state. Off by default.
    """

    state: str | os.PathLike[str] | None
    restart: bool


class SplitOptions(ParallelOptions, ResumeOptions, total=False):
    """Options of jobs that record which regions are done: the keys of `ParallelOptions` and `ResumeOptions`."""


class LineOptions(TypedDict, total=False):
    """Lines of an imported file, and the treatment of malformed ones.

    Attributes:
        separator: Field separator, by default a comma or a tab. TSV has no quotes.
        header: Whether the first line has names. By default it has if ``columns`` is a mapping.
        shuffle: Write the lines in random order: mix 8 MiB of blocks from the whole file at a time. If keys grow along
            the file, all regions then receive writes at once. This reads the file twice. If two lines set one cell,
            either may win. Not for Parquet. Off by default.
        bad_lines: ``"stop"`` (the default) at a malformed line, such as one with too few fields, or ``"skip"`` it.
        bad_file: File for skipped lines, written unchanged; by default none.
    """

    separator: str | None
    header: bool | None
    shuffle: bool
    bad_lines: BadLines
    bad_file: str | os.PathLike[str] | None


class ImportOptions(LineOptions, ResumeOptions, total=False):
    """Further options of `import_file`, with the keys of `LineOptions` and `ResumeOptions`.

    Attributes:
        create: Create the table with the families of ``columns`` if it is missing, once the arguments, the file and
            the progress are checked. A dry run then only checks. Off by default.
        encode: Functions from a column's values to bytes; by default text is UTF-8 and all else is written as JSON.
        encode_key: A function from the fields of ``key`` to the row key. By default None: ``key`` is one field.
        skip_empty: Write no cell for an empty value, instead of an empty one. Off by default.
        durability: Durability of each chunk; ``"FSYNC_WAL"`` by default. Below it, a power loss may lose data recorded
            as done.
        storage_options: Options of the storage of a URL, as for `rowstone.open_root`.
    """

    create: bool
    encode: Mapping[str, Encoder] | None
    encode_key: Callable[..., bytes] | None
    skip_empty: bool
    durability: Durability | None
    storage_options: Mapping[str, str] | None


class FieldOptions(TypedDict, total=False):
    """Contents of the lines and fields of an exported file.

    Attributes:
        layout: ``"rows"`` (the default), a line for each row; or ``"cells"``, one for each cell: row, family,
            qualifier, timestamp, value.
        versions: Versions of each column; 1 by default, None for all. A number other than 1, and timestamps, need
            ``layout="cells"``.
        key: The field of the row key; ``"row"`` by default.
        types: Arrow type names of Parquet fields, by default ``binary``. For example, ``{"row": "string"}`` makes the
            row key UTF-8 text.
        text: Parquet fields that ``types`` does not name are ``string``. Fields with an integer or float type are
            parsed from decimal text. Off by default.
        decode: Functions that convert the values of a column; None by default.
        decode_key: The same for row keys.
    """

    layout: Form
    versions: int | None
    key: str
    types: Mapping[str, str] | None
    text: bool
    decode: Mapping[str, Decoder] | None
    decode_key: Decoder | None


class ExportOptions(FieldOptions, ParallelOptions, total=False):
    """Further options of `export_table`, with the keys of `FieldOptions` and `ParallelOptions`.

    Attributes:
        part_bytes: Upper limit of the table data that is exported again after an interruption, in bytes; 64 MiB by
            default.
        restart: Start over, ignoring an earlier run. Off by default.
        storage_options: Options of the object store of a URL, as for `rowstone.open_root`.
    """

    part_bytes: int
    restart: bool
    storage_options: Mapping[str, str] | None


PARALLEL_DEFAULTS: ParallelOptions = {"workers": 1, "executor": None}
RESUME_DEFAULTS: ResumeOptions = {"state": None, "restart": False}
SPLIT_DEFAULTS: SplitOptions = {**PARALLEL_DEFAULTS, **RESUME_DEFAULTS}
IMPORT_DEFAULTS: ImportOptions = {
    **RESUME_DEFAULTS,
    "separator": None,
    "header": None,
    "shuffle": False,
    "bad_lines": "stop",
    "bad_file": None,
    "create": False,
    "encode": None,
    "encode_key": None,
    "skip_empty": False,
    "durability": "FSYNC_WAL",
    "storage_options": None,
}
EXPORT_DEFAULTS: ExportOptions = {
    **PARALLEL_DEFAULTS,
    "layout": "rows",
    "versions": 1,
    "key": "row",
    "types": None,
    "text": False,
    "decode": None,
    "decode_key": None,
    "part_bytes": 64 << 20,
    "restart": False,
    "storage_options": None,
}
