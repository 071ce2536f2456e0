"""Query engines over tables: predicates and projections become key ranges, columns and filters of HBase.

| name | duty |
|---|---|
| `RowSchema` | names and types of a table's columns, for every engine |
| `Source`, `Sink` | reads and writes of a table, in parts that tasks of an engine process |
| `plan`, `Plan` | the part of a predicate that the store evaluates, and the rest |
| `scan_polars`, `duckdb_view`, `arrow_dataset` | tables in Polars, in DuckDB, and as datasets of pyarrow |
| `spark`, `dask`, `ray` | modules for these libraries, imported when they are used |
"""

from rowstone.engines._infer import Inferred
from rowstone.engines._predicate import And, Compare, In, IsNull, Not, Opaque, Or, Predicate, StartsWith
from rowstone.engines._schema import Field, RowSchema
from rowstone.engines._source import Source, Split
from rowstone.engines.arrow import arrow_dataset
from rowstone.engines.duckdb import duckdb_view
from rowstone.engines.planner.plan import Plan, plan
from rowstone.engines.polars import scan_polars
from rowstone.engines.writing.sink import Sink

__all__ = [
    "And",
    "Compare",
    "Field",
    "In",
    "Inferred",
    "IsNull",
    "Not",
    "Opaque",
    "Or",
    "Plan",
    "Predicate",
    "RowSchema",
    "Sink",
    "Source",
    "Split",
    "StartsWith",
    "arrow_dataset",
    "duckdb_view",
    "plan",
    "scan_polars",
]
