"""Copying tables between databases, and comparing them cell by cell: the functions behind ``rowstone copy``.

Example:
    >>> import rowstone as rs
    >>> from rowstone.jobs import transfer
    >>> with rs.connect(":memory:") as here, rs.connect(":memory:") as there:
    ...     _ = here.create_table("t", {"f": rs.Family(max_versions=3)})
    ...     here.table("t").put("row", {"f:q": "old"}, timestamp=1)
    ...     here.table("t").put("row", {"f:q": "new"}, timestamp=2)
    ...     _ = transfer.create_like(here, "t", there)
    ...     print(transfer.copy_table(here.table("t"), there.table("t")).cells)
    ...     print(transfer.compare_tables(here.table("t"), there.table("t")).are_equal)
    2
    True
"""

from rowstone.jobs.transfer._compare import Comparison, Difference, compare_tables
from rowstone.jobs.transfer._copy import Copied, copy_table
from rowstone.jobs.transfer._schema import create_like, lossy_families, missing_families

__all__ = [
    "Comparison",
    "Copied",
    "Difference",
    "compare_tables",
    "copy_table",
    "create_like",
    "lossy_families",
    "missing_families",
]
