"""Work on whole tables: import, export, count, compare, copy (all resumable), and joins.

| package | duty |
|---|---|
| `copies` | copies and comparisons of tables, digests; backups of running servers |
| `joins` | application-side joins |
| `files` | readers and writers of CSV, TSV, JSON lines and Parquet |
| `splits` | splits by region: claims, progress, access to the table |
| `executors` | where splits run: threads, processes, Dask, Ray |

Example:
    >>> import pathlib, tempfile
    >>> import rowstone as rs
    >>> from rowstone import jobs
    >>> with tempfile.TemporaryDirectory() as folder, rs.connect(":memory:") as db:
    ...     file = pathlib.Path(folder) / "people.csv"
    ...     _ = file.write_text("id,age\\nann,41\\nbob,27\\n")
    ...     _ = db.create_table("people", ["f"])
    ...     print(jobs.import_file(db, "people", file, {"f:a": "age"}, key="id").rows)
    ...     print(db.table("people").get("bob")["f:a"])
    2
    b'27'
"""

from rowstone.jobs._count import count_rows, summarize_table
from rowstone.jobs._export import export_table
from rowstone.jobs._export_job import Exported
from rowstone.jobs._import import Imported, import_file
from rowstone.jobs._options import (
    ExportOptions,
    FieldOptions,
    ImportOptions,
    LineOptions,
    ParallelOptions,
    ResumeOptions,
    SplitOptions,
)
from rowstone.jobs._plan import Encoder
from rowstone.jobs._summary import ColumnSummary, Summary
from rowstone.jobs.copies._compare import compare_tables
from rowstone.jobs.copies._compare_rows import Comparison, Difference
from rowstone.jobs.copies._copy import copy_table
from rowstone.jobs.copies._copy_rows import Copied
from rowstone.jobs.copies._hashes import HashComparison, RangeHash, compare_hashes, hash_table
from rowstone.jobs.copies._schema import create_table_like
from rowstone.jobs.executors import Dask, Executor, ExecutorArgument, Futures, InProcess, Processes, Ray, Threads
from rowstone.jobs.files.records import BadInput
from rowstone.jobs.files.text import Decoder
from rowstone.jobs.joins import Join, JoinCost, Joined, join

__all__ = [
    "BadInput",
    "ColumnSummary",
    "Comparison",
    "Copied",
    "Dask",
    "Decoder",
    "Difference",
    "Encoder",
    "Executor",
    "ExecutorArgument",
    "ExportOptions",
    "Exported",
    "FieldOptions",
    "Futures",
    "HashComparison",
    "ImportOptions",
    "Imported",
    "InProcess",
    "Join",
    "JoinCost",
    "Joined",
    "LineOptions",
    "ParallelOptions",
    "Processes",
    "RangeHash",
    "Ray",
    "ResumeOptions",
    "SplitOptions",
    "Summary",
    "Threads",
    "compare_hashes",
    "compare_tables",
    "copy_table",
    "count_rows",
    "create_table_like",
    "export_table",
    "hash_table",
    "import_file",
    "join",
    "summarize_table",
]
