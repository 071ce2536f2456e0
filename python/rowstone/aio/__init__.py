"""Rowstone for asyncio: the same names, to be awaited.

```python
async with rs.aio.connect("./crawl") as db:
    table = db.table("webtable")
    row = await table.get("com.cnn.www")
    async for row in table.scan(prefix="com."):
        ...
    async with table.batch() as batch:
        await batch.put("com.cnn.www", {"anchor:cnnsi.com": "CNN"})
```

The classes are derived from those of `rowstone`: calls that access the store run on the database's own threads and are
awaited. docs/how-to/asyncio.md explains the effect of cancelling a call.

Example:
    >>> import asyncio, rowstone as rs
    >>> async def main():
    ...     async with rs.aio.connect(":memory:") as db:
    ...         await db.create_table("t", ["f"])
    ...         table = db.table("t")
    ...         await asyncio.gather(*(table.put(f"r{number}", {"f:q": "v"}) for number in range(3)))
    ...         return [row.key async for row in table.scan()]
    >>> asyncio.run(main())
    [b'r0', b'r1', b'r2']
"""

from rowstone.aio._admin import (
    Admin,
    Groups,
    Labels,
    Logs,
    Master,
    Metrics,
    Namespaces,
    Permissions,
    Quotas,
    Regions,
    Replication,
    Servers,
    Snapshots,
    Switches,
    Tables,
)
from rowstone.aio._connect import Connecting, connect
from rowstone.aio._database import Database
from rowstone.aio._index import Index, IndexQuery
from rowstone.aio._scanner import Scanner
from rowstone.aio._table import Table, TableView
from rowstone.aio._writer import BufferedWriter

__all__ = [
    "Admin",
    "BufferedWriter",
    "Connecting",
    "Database",
    "Groups",
    "Index",
    "IndexQuery",
    "Labels",
    "Logs",
    "Master",
    "Metrics",
    "Namespaces",
    "Permissions",
    "Quotas",
    "Regions",
    "Replication",
    "Scanner",
    "Servers",
    "Snapshots",
    "Switches",
    "Table",
    "TableView",
    "Tables",
    "connect",
]
