"""The ``webtable`` with which HBase's reference guide explains the data model."""

from rowstone._base.schema import Family
from rowstone._core.database import Database
from rowstone._core.table import Table

PAGE = "<html>..."

_CELLS: tuple[tuple[str, str, str, int], ...] = (
    ("com.cnn.www", "contents:html", PAGE, 3),
    ("com.cnn.www", "contents:html", PAGE, 5),
    ("com.cnn.www", "contents:html", PAGE, 6),
    ("com.cnn.www", "anchor:my.look.ca", "CNN.com", 8),
    ("com.cnn.www", "anchor:cnnsi.com", "CNN", 9),
    ("com.example.www", "contents:html", PAGE, 5),
    ("com.example.www", "people:author", "John Doe", 5),
)


def webtable(db: Database, name: str = "webtable") -> Table:
    """Return the reference guide's table: two rows, families ``anchor``, ``contents``, ``people``, versions t3 to t9.

    It is created in ``db`` if it is missing, and keeps ten versions.

    Source: HBase reference guide, data model, tables 1 to 3.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     print(rs.examples.webtable(db).physical_view("anchor"))
        Row Key      Time Stamp  Column Family anchor
        -----------  ----------  -----------------------------
        com.cnn.www  t9          anchor:cnnsi.com = "CNN"
        com.cnn.www  t8          anchor:my.look.ca = "CNN.com"
    """
    family = Family(max_versions=10)
    db.create_table(name, {"contents": family, "anchor": family, "people": family}, if_not_exists=True)
    table = db.table(name)
    for row, column, value, timestamp in _CELLS:
        table.put(row, {column: value}, timestamp=timestamp)
    return table
