"""Work on whole tables: import, export, count, compare, copy (all resumable), and joins.

| package | duty |
|---|---|
| `transfer` | copies and comparisons of tables in one pass; live backups |
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

from rowstone.jobs._compare import compare, copy
from rowstone.jobs._count import count_rows, summarize
from rowstone.jobs._export import export_table
from rowstone.jobs._export_job import Exported
from rowstone.jobs._hashes import HashComparison, RangeHash, compare_hashes, hash_table
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
from rowstone.jobs._shape import find_columns
from rowstone.jobs._summary import ColumnSummary, Summary
from rowstone.jobs.executors import Dask, Executor, ExecutorArgument, Futures, InProcess, Processes, Ray, Threads
from rowstone.jobs.files.records import BadInput
from rowstone.jobs.files.text import Decoder
from rowstone.jobs.joins import Join, JoinCost, Joined, join

__all__ = [
    "BadInput",
    "ColumnSummary",
    "Dask",
    "Decoder",
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
    "compare",
    "compare_hashes",
    "copy",
    "count_rows",
    "export_table",
    "find_columns",
    "hash_table",
    "import_file",
    "join",
    "summarize",
]
