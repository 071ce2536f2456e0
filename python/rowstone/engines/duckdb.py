"""Tables as views of DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.lazy import import_optional
from rowstone.engines._source import Source
from rowstone.engines.arrow import arrow_dataset

if TYPE_CHECKING:
    import duckdb


def duckdb_view(connection: duckdb.DuckDBPyConnection, name: str, source: Source) -> None:
    """Register a table as a view of a connection; each query reads the table again.

    DuckDB passes the columns that a query needs, and the conditions that compare columns with constants. The view
    exists until ``connection.unregister(name)``, or the connection is closed.

    Raises:
        ImportError: It needs DuckDB and pyarrow.

    Example:
        >>> import duckdb
        >>> import rowstone as rs
        >>> from rowstone.engines import RowSchema, Source, duckdb_view
        >>> with rs.connect(":memory:") as db, duckdb.connect() as connection:
        ...     _ = db.create_table("people", ["f"])
        ...     for name, age in [("ann", 41), ("bob", 17)]:
        ...         db.table("people").put(name, {"f:age": age.to_bytes(4, "big")})
        ...     duckdb_view(connection, "people", Source(db, "people", RowSchema("text", {"age": ("f:age", "int32")})))
        ...     connection.sql("SELECT * FROM people WHERE row >= 'b' AND age < 18").fetchall()
        [('bob', 17)]
    """
    import_optional("duckdb", "duckdb_view", "duckdb")
    connection.register(name, arrow_dataset(source))
