"""Base classes of observers, with every hook as a no-op; and the attribute of tables that need observers."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from rowstone import _native
from rowstone._base.options.words import Durability
from rowstone.coprocessors._context import ObserverContext
from rowstone.errors import CoprocessorError

if TYPE_CHECKING:
    from rowstone._base.schema import TableSchema
    from rowstone._core.database import Database


class RegionObserver:
    """Observes the operations of a table. Override the hooks that you need; the others cost nothing.

    A hook that raises before an operation vetoes it: nothing is changed, and the caller receives the exception, with a
    note that names the observer. If a hook raises after the operation, the caller receives that exception too, but the
    operation stays done. A ``pre_`` hook may return another object of the same kind and row to replace the operation.
    Hooks run on the caller's thread, concurrently if several threads call.

    Source: HBase's ``RegionObserver``, whose names these are; ``docs/how-to/coprocessors.md`` lists what differs.

    Example:
        >>> import rowstone as rs
        >>> class Upper(rs.coprocessors.RegionObserver):
        ...     def pre_put(self, context, put, durability):
        ...         return rs.Put(put.row, [(cell.column, cell.value.upper()) for cell in put.cells])
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     db.coprocessors.attach("t", Upper())
        ...     db.table("t").put("row", {"f:q": "value"})
        ...     print(db.table("t")["row"]["f:q"])
        b'VALUE'
    """

    def pre_put(self, context: ObserverContext, put: _native.Put, durability: Durability) -> "_native.Put | None":
        """Before a put, alone or in a batch, is checked and its row is locked."""

    def post_put(self, context: ObserverContext, put: _native.Put, durability: Durability) -> None:
        """After a put is visible."""

    def pre_delete(
        self, context: ObserverContext, delete: _native.Delete, durability: Durability
    ) -> "_native.Delete | None":
        """Before a delete."""

    def post_delete(self, context: ObserverContext, delete: _native.Delete, durability: Durability) -> None:
        """After a delete is visible."""

    def pre_increment(self, context: ObserverContext, increment: _native.Increment) -> "_native.Increment | None":
        """Before an increment."""

    def post_increment(self, context: ObserverContext, increment: _native.Increment, result: _native.Row) -> None:
        """After an increment; ``result`` has the new values."""

    def pre_append(self, context: ObserverContext, append: _native.Append) -> "_native.Append | None":
        """Before an append."""

    def post_append(self, context: ObserverContext, append: _native.Append, result: _native.Row) -> None:
        """After an append; ``result`` has the new values."""

    def pre_get_op(self, context: ObserverContext, get: _native.Get) -> "_native.Get | None":
        """Before a get or exists."""

    def post_get_op(
        self, context: ObserverContext, get: _native.Get, row: _native.Row
    ) -> "Sequence[_native.Cell] | None":
        """After a get. If it returns a list of cells, the caller receives that instead."""

    def pre_scanner_open(self, context: ObserverContext, scan: _native.Scan) -> "_native.Scan | None":
        """Before a scan opens: a scan of the table when embedded, of one region's part on a server."""

    def post_scanner_open(self, context: ObserverContext, scan: _native.Scan) -> None:
        """After a scan was opened."""

    def pre_check_and_mutate(
        self, context: ObserverContext, mutations: _native.RowMutations
    ) -> "_native.RowMutations | None":
        """Before a check-and-mutate; a single put or delete goes to `pre_check_and_put` or `pre_check_and_delete`."""
        if len(mutations.mutations) == 1:
            [only] = mutations.mutations
            if isinstance(only, _native.Put):
                self.pre_check_and_put(context, only)
            elif isinstance(only, _native.Delete):
                self.pre_check_and_delete(context, only)
        return None

    def pre_check_and_put(self, context: ObserverContext, put: _native.Put) -> None:
        """Before a check-and-mutate of one put. `pre_put` is called after it, whatever the result of the check."""

    def pre_check_and_delete(self, context: ObserverContext, delete: _native.Delete) -> None:
        """Before a check-and-mutate of one delete."""

    def post_check_and_mutate(self, context: ObserverContext, mutations: _native.RowMutations, success: bool) -> None:
        """After a check-and-mutate; ``success`` tells whether the condition held."""

    def pre_batch_mutate(self, context: ObserverContext, rows: Sequence[bytes], cells: Sequence[_native.Cell]) -> None:
        """Before a write is applied: its ``rows`` are locked, its ``cells`` final (timestamps, counters, markers).

        It may read, and add changes of other tables with `ObserverContext.also`; it may not write. Without cells the
        rows are only inspected, to build an index. It may be called again for the same write.
        """

    def post_batch_mutate(self, context: ObserverContext, cells: Sequence[_native.Cell]) -> None:
        """After such a write is visible; its rows are still locked."""

    def pre_flush(self, context: ObserverContext, region: str) -> None:
        """Before recent cells of a region are flushed to files; on the thread that flushes."""

    def post_flush(self, context: ObserverContext, region: str) -> None:
        """After such a flush."""

    def pre_compact(self, context: ObserverContext, region: str, family: bytes | None, major: bool) -> None:
        """Before files of a region are merged, of one family or of all (None)."""

    def post_compact(self, context: ObserverContext, region: str, family: bytes | None, major: bool) -> None:
        """After such a compaction."""


class MasterObserver:
    """Observes schema changes; a hook that raises before a change vetoes it.

    Source: HBase's ``MasterObserver``, whose names these are.

    Example:
        >>> import rowstone as rs
        >>> class Keep(rs.coprocessors.MasterObserver):
        ...     def pre_delete_table(self, context, table):
        ...         raise rs.errors.ConstraintViolation(f"table '{table}' stays")
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     db.coprocessors.attach_master(Keep())
        ...     try:
        ...         db.drop_table("t", force=True)
        ...     except rs.errors.ConstraintViolation as error:
        ...         print(error)
        table 't' stays
    """

    def pre_create_table(self, context: ObserverContext, table: str, schema: "TableSchema") -> None:
        """Before a table is created."""

    def post_create_table(self, context: ObserverContext, table: str, schema: "TableSchema") -> None:
        """After a table was created."""

    def pre_modify_table(self, context: ObserverContext, table: str, schema: "TableSchema") -> None:
        """Before a table's descriptor is replaced by ``schema``."""

    def post_modify_table(self, context: ObserverContext, table: str, schema: "TableSchema") -> None:
        """After the descriptor was replaced."""

    def pre_delete_table(self, context: ObserverContext, table: str) -> None:
        """Before a disabled table is dropped."""

    def post_delete_table(self, context: ObserverContext, table: str) -> None:
        """After the table was dropped."""

    def pre_truncate_table(self, context: ObserverContext, table: str) -> None:
        """Before a table is truncated."""

    def post_truncate_table(self, context: ObserverContext, table: str) -> None:
        """After the table was truncated."""

    def pre_enable_table(self, context: ObserverContext, table: str) -> None:
        """Before a table is enabled."""

    def post_enable_table(self, context: ObserverContext, table: str) -> None:
        """After the table was enabled."""

    def pre_disable_table(self, context: ObserverContext, table: str) -> None:
        """Before a table is disabled."""

    def post_disable_table(self, context: ObserverContext, table: str) -> None:
        """After the table was disabled."""

    def pre_create_namespace(self, context: ObserverContext, namespace: str) -> None:
        """Before a namespace is created."""

    def post_create_namespace(self, context: ObserverContext, namespace: str) -> None:
        """After a namespace was created."""

    def pre_modify_namespace(self, context: ObserverContext, namespace: str) -> None:
        """Before a namespace's properties are replaced."""

    def post_modify_namespace(self, context: ObserverContext, namespace: str) -> None:
        """After the properties were replaced."""

    def pre_delete_namespace(self, context: ObserverContext, namespace: str) -> None:
        """Before a namespace is dropped."""

    def post_delete_namespace(self, context: ObserverContext, namespace: str) -> None:
        """After a namespace was dropped."""

    def pre_snapshot(self, context: ObserverContext, snapshot: str, table: str) -> None:
        """Before a snapshot is taken."""

    def post_snapshot(self, context: ObserverContext, snapshot: str, table: str) -> None:
        """After a snapshot was taken."""

    def pre_clone_snapshot(self, context: ObserverContext, snapshot: str, table: str) -> None:
        """Before a table is created from a snapshot."""

    def post_clone_snapshot(self, context: ObserverContext, snapshot: str, table: str) -> None:
        """After the table was created."""

    def pre_restore_snapshot(self, context: ObserverContext, snapshot: str) -> None:
        """Before a table is reset to a snapshot."""

    def post_restore_snapshot(self, context: ObserverContext, snapshot: str) -> None:
        """After the table was reset."""

    def pre_delete_snapshot(self, context: ObserverContext, snapshot: str) -> None:
        """Before a snapshot is deleted."""

    def post_delete_snapshot(self, context: ObserverContext, snapshot: str) -> None:
        """After a snapshot was deleted."""


class Refusing(RegionObserver):
    """Replaces a missing observer: refuses all writes that the observer should have seen."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def _refuse(self) -> NoReturn:
        raise CoprocessorError(self.reason)

    def pre_put(self, context: ObserverContext, put: Any, durability: Durability) -> None:
        self._refuse()

    def pre_delete(self, context: ObserverContext, delete: Any, durability: Durability) -> None:
        self._refuse()

    def pre_increment(self, context: ObserverContext, increment: Any) -> None:
        self._refuse()

    def pre_append(self, context: ObserverContext, append: Any) -> None:
        self._refuse()


OBSERVED = "OBSERVED"


def is_watched(key: str, value: str | None) -> bool:
    """Whether an attribute names a constraint or an index that an observer maintains."""
    if value is None:
        return False
    return key.startswith("constraint$") or (key.startswith("index$") and '"strategy":"coprocessor"' in value)


def change(
    database: "Database",
    table: str,
    attributes: "Mapping[str, str | None] | Callable[[TableSchema], Mapping[str, str | None]]",
) -> None:
    """Change the attributes that name constraints or indexes, and OBSERVED, in one change of the descriptor.

    Args:
        attributes: The changes, or a function that returns them for the current descriptor. It is called again if the
            descriptor was changed at the same time.
    """
    observers = database.coprocessors
    with observers._expecting(database._native.admin().canonical_name(table)) as expected:

        def changes(schema: "TableSchema") -> dict[str, str | None]:
            given = attributes(schema) if callable(attributes) else attributes
            after = {key: value for key, value in {**schema.attributes, **given}.items() if value is not None}
            must_observe = any(is_watched(key, value) for key, value in after.items())
            expected.clear()
            expected.update((key, value) for key, value in given.items() if value is not None)
            if must_observe:
                observers._reload(schema.name)
            return {**given, OBSERVED: "true" if must_observe else None}

        database.admin._change_attributes(table, changes)
