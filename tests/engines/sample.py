"""A table with missing values of several types, and the rows that engines should see of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import rowstone as rs
from rowstone import codecs
from rowstone.engines import RowSchema

SCHEMA = RowSchema(
    "text",
    {
        "age": ("f:age", "int32"),
        "town": ("f:town", "text"),
        "score": ("f:score", "float64"),
        "visits": ("f:visits", "int64"),
    },
)
TOWNS = ("Oslo", "Bern", "Rome", "Ølby")
Record = dict[str, Any]


def records(count: int) -> list[Record]:
    """The rows, in key order. Every third has no age, every fifth no town; one score is NaN."""
    return [
        {
            "row": f"r{n:05}",
            "age": None if n % 3 == 0 else n % 90 - 10,
            "town": None if n % 5 == 0 else TOWNS[n % 4],
            "score": float("nan") if n == 7 else n / 8,
            "visits": n % 11,
        }
        for n in range(count)
    ]


def fill(db: rs.Database, name: str, count: int, regions: int = 4, splits: Sequence[str] | None = None) -> rs.Table:
    """Create the table with a number of regions, and write the rows."""
    points = [f"r{n * count // regions:05}" for n in range(1, regions)] if splits is None else splits
    db.create_table(name, {"f": rs.Family(max_versions=3)}, splits=list(points))
    codecs.declare(db, name, {f"f:{one}": SCHEMA.field(one).kind for one in ("age", "town", "score", "visits")})
    typed = codecs.typed(db.table(name))
    with typed.batch() as batch:
        for record in records(count):
            values = {f"f:{one}": value for one, value in record.items() if one != "row" and value is not None}
            batch.put(record["row"], values)
    return db.table(name)


def rows_of(table: rs.Table) -> list[Record]:
    """The rows as the row API reads them."""
    fields = [field for field in SCHEMA.fields if field.column is not None]
    typed = codecs.typed(table, {field.column: field.kind for field in fields if field.column})
    return [
        {"row": row.key.decode(), **{field.name: row.get(field.column) for field in fields}} for row in typed.scan()
    ]


def same(found: Iterable[Record], wanted: Iterable[Record]) -> None:
    """Both have the same rows, in any order; NaN is equal to itself."""
    by_key: Callable[[Record], str] = lambda record: str(record.get("row"))  # noqa: E731
    assert repr(sorted(found, key=by_key)) == repr(sorted(wanted, key=by_key))


def cells(table: rs.Table) -> list[tuple[bytes, bytes, bytes, int]]:
    """All cells of all versions: row, qualifier, value, timestamp."""
    with table.scan(versions=None) as rows:
        return [(row.key, cell.qualifier, cell.value, cell.timestamp) for row in rows for cell in row.cells]
