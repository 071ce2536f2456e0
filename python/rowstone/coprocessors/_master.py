"""Callbacks of the store around schema changes."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone._base.schema import TableSchema
from rowstone.coprocessors._calls import Call
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors._observers import MasterObserver
from rowstone.errors import ConstraintViolation, DatabaseClosed

if TYPE_CHECKING:
    from rowstone._core.database import Database

_log = logging.getLogger("rowstone")
BUDGET_MS = 10_000.0


class SchemaHost:
    """The observers of the schema; also updates the observers of tables when their descriptors change."""

    def __init__(self, database: Callable[[], "Database | None"]) -> None:
        # A weak reference: the store refers to this host, and ends its threads when nothing refers to the database.
        self._database = database

    def pre(self, action: str, table: str | None, schema: Any, name: str | None) -> None:
        """Before a change: prevent it from separating an index from its table."""
        if action in ("delete_table", "truncate_table", "modify_table"):
            self._guard(action, table or "", schema)
        self._call_observers(f"pre_{action}", table, schema, name)

    def post(self, action: str, table: str | None, schema: Any, name: str | None) -> None:
        """After a change: first load the observers that the table now names."""
        database = self._database()
        if database is not None:
            self._update(database, action, table)
        self._call_observers(f"post_{action}", table, schema, name)

    def _guard(self, action: str, table: str, schema: Any) -> None:
        database = self._database()
        if database is None:
            raise DatabaseClosed("the database was closed")
        if schema is None and table not in database._native.admin().tables(None):
            return
        found = schema if schema is not None else database._native.admin().describe(table)
        if not any(key.startswith("index$") or key == "INDEX_OF" for key in found[2]):
            return
        from rowstone.indexes._create import guard

        def attributes_of(name: str) -> dict[str, str]:
            admin = database._native.admin()
            return dict(admin.describe(name)[2]) if name in admin.tables(None) else {}

        reason = guard(action, table, found[2], found[1], attributes_of)
        if reason is not None:
            raise ConstraintViolation(reason)

    def _update(self, database: "Database", action: str, table: str | None) -> None:
        observers = database.coprocessors
        if action in ("create_table", "modify_table"):
            observers._reload(table or "")
        elif action in ("clone_snapshot", "restore_snapshot"):
            # A restored snapshot does not name its table.
            for one in [table] if table else database._native.admin().tables(None):
                observers._reload(one)
        elif action == "delete_table":
            observers._forget(table or "")

    def _call_observers(self, hook: str, table: str | None, schema: Any, name: str | None) -> None:
        database = self._database()
        if database is None or not database.coprocessors._masters:
            return
        given: list[Any] = [part for part in (name, table) if part is not None]
        if schema is not None:
            given.append(TableSchema.from_native(schema))
        for _, observer in list(database.coprocessors._masters):
            if getattr(type(observer), hook) is getattr(MasterObserver, hook):
                continue
            function = getattr(observer, hook)
            named = type(observer).__name__
            call = Call(function, observer=named, hook=hook, table=table or name or "", budget_ms=BUDGET_MS)
            call(ObserverContext(self._database, table, hook), *given)
