"""Indexes for asyncio."""

from collections.abc import AsyncIterator
from itertools import islice
from typing import Any

from rowstone import _native
from rowstone import indexes as blocking
from rowstone.aio._threads import Threads
from rowstone.aio._twin import signed_as, twin_of
from rowstone.indexes._definition import Definition
from rowstone.indexes._explain import Explanation

_ROWS_AT_ONCE = 100


@twin_of(blocking.IndexQuery)
class IndexQuery:
    """Rows of an index, for ``async for``. Created by `Index.query`; iterate, then call `explain`."""

    def __init__(self, threads: Threads, query: blocking.IndexQuery) -> None:
        self._threads = threads
        self._query = query

    def _blocking(self) -> blocking.IndexQuery:
        return self._query

    async def __aiter__(self) -> AsyncIterator[_native.Row]:
        rows = iter(self._query)
        while batch := await self._threads.run(lambda: list(islice(rows, _ROWS_AT_ONCE))):
            for row in batch:
                yield row

    def explain(self) -> Explanation:
        """Return the access path, and its cost once it was read."""
        return self._query.explain()


@twin_of(blocking.Index)
class Index:
    """A secondary index: the methods of `rowstone.indexes.Index`, awaited. Returned by `Database.create_index`.

    `query` itself is not awaited: ``async for row in index.query(equals="Oslo")``.

    Example:
        >>> import asyncio, rowstone as rs
        >>> async def main():
        ...     async with rs.aio.connect(":memory:") as db:
        ...         await db.create_table("people", ["f"])
        ...         index = await db.create_index("people", "by_town", "f:town", strategy="coprocessor")
        ...         await db.table("people").put("ann", {"f:town": "Oslo"})
        ...         return [row.key async for row in index.query(equals="Oslo")]
        >>> asyncio.run(main())
        [b'ann']
    """

    def __init__(self, threads: Threads, index: blocking.Index) -> None:
        self._threads = threads
        self._index = index

    def _blocking(self) -> blocking.Index:
        return self._index

    @property
    def definition(self) -> Definition:
        """Its definition."""
        return self._index.definition

    @property
    def name(self) -> str:
        """Its name, unique within its table."""
        return self._index.name

    @signed_as(blocking.Index.query)
    def query(self, *args: Any, **options: Any) -> IndexQuery:
        return IndexQuery(self._threads, self._index.query(*args, **options))

    def __repr__(self) -> str:
        return f"<aio: {self._index!r}>"
