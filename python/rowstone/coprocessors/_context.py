"""Context of an observed call, passed to the observer."""

from typing import TYPE_CHECKING, Any

from rowstone import _native
from rowstone.errors import DatabaseClosed, InvalidArgument

if TYPE_CHECKING:
    from rowstone._core.database import Database

Mutation = _native.Put | _native.Delete | _native.Increment | _native.Append


class ObserverContext:
    """First argument of every hook. It belongs to one call of one hook.

    Source: HBase's ``ObserverContext``.
    """

    __slots__ = ("_bypassed", "_database", "_hook", "_others", "_result", "_table")

    def __init__(self, database: Any, table: str | None, hook: str) -> None:
        self._database = database
        self._table = table
        self._hook = hook
        self._bypassed = False
        self._result: Any = None
        self._others: list[tuple[str, Mutation]] | None = None

    @property
    def table(self) -> str:
        """The name of the table; empty for a schema change that concerns no table."""
        return self._table or ""

    @property
    def hook(self) -> str:
        """The name of the hook."""
        return self._hook

    @property
    def database(self) -> "Database":
        """The database. A hook's own calls are observed too: do not write to the observed table."""
        database: Database | None = self._database()
        if database is None:
            raise DatabaseClosed("the database was closed")
        return database

    def bypass(self, result: Any = None) -> None:
        """Skip the operation: the caller receives ``result``, and later observers are not called.

        Args:
            result: What the caller receives. For a get, an increment or an append: a list of cells (default: none).
                For a check-and-mutate: whether its condition counts as met.

        Raises:
            InvalidArgument: The hook runs after the operation, or its operation cannot be skipped.
        """
        if self._hook not in BYPASSABLE:
            raise InvalidArgument(f"{self._hook} cannot be bypassed; these can: {', '.join(sorted(BYPASSABLE))}")
        self._bypassed = True
        self._result = result

    def also(self, table: str, mutation: Mutation) -> None:
        """Add a put or a delete of another table to the write; both go into the same log record.

        Only in `RegionObserver.pre_batch_mutate`. The other table's observers are not called. Source: HBase's
        ``MiniBatchOperationInProgress.addOperationsFromCP``, which is for rows of the same region.
        """
        if self._hook != "pre_batch_mutate":
            raise InvalidArgument(f"{self._hook} cannot add changes; pre_batch_mutate can")
        if self._others is None:
            self._others = []
        self._others.append((table, mutation))


BYPASSABLE = frozenset({"pre_put", "pre_delete", "pre_increment", "pre_append", "pre_get_op", "pre_check_and_mutate"})
