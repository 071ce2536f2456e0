"""Registry of a database's observers, with their order and their cost."""

import copy
import threading
import weakref
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone import _native
from rowstone.coprocessors._allowed import patterns_of
from rowstone.coprocessors._calls import Call, ObserverStats
from rowstone.coprocessors._described import described
from rowstone.coprocessors._host import COMPACT, FLUSH, HOOKS, TableHost
from rowstone.coprocessors._master import SchemaHost
from rowstone.coprocessors._observers import MasterObserver, RegionObserver
from rowstone.errors import DatabaseClosed, InvalidArgument, InvalidType, NotFoundError, UnsupportedOperation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rowstone._core.database import Database

PRIORITY_SYSTEM = 536_870_911
PRIORITY_USER = 1_073_741_823
PRIORITY_LOWEST = 2_147_483_647
BUDGET_MS = 1_000.0
# Databases whose flushes call Python. They must not be collected while one of their threads waits for the interpreter.
_kept: "set[Database]" = set()


@dataclass(frozen=True)
class Attached:
    """An observer as `Coprocessors.attached` lists it.

    ``source`` is ``"program"`` if `Coprocessors.attach` was called, ``"table"`` if the table descriptor names it.
    """

    observer: str
    priority: int
    source: str


class _Entry:
    def __init__(self, table: str, observer: RegionObserver, *, priority: int, budget_ms: float, source: str) -> None:
        self.observer = observer
        self.name = type(observer).__name__
        self.priority = priority
        self.source = source
        self.calls = {
            hook: Call(getattr(observer, hook), observer=self.name, hook=hook, table=table, budget_ms=budget_ms)
            for hook in HOOKS
            if overrides(observer, hook)
        }


def overrides(observer: RegionObserver, hook: str) -> bool:
    """Whether an observer overrides a hook."""
    names = [hook]
    if hook == "pre_check_and_mutate":
        names += ["pre_check_and_put", "pre_check_and_delete"]
    return any(getattr(type(observer), name) is not getattr(RegionObserver, name) for name in names)


class Coprocessors:
    """The observers of a database. Returned by `Database.coprocessors`.

    Observers see everything that goes through this process: calls of `Table`, batches, `rowstone.aio`, and clients of
    `rowstone.serve`. Another process that opens the directory has its own observers.

    Observers run with the permissions of the process. Those of a view (`Database.as_user`) are the database's; every
    method raises `AccessDenied` unless the user has the permission A globally.

    Example:
        >>> import rowstone as rs
        >>> class Count(rs.coprocessors.RegionObserver):
        ...     rows = 0
        ...     def post_put(self, context, put, durability):
        ...         self.rows += 1
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     count = Count()
        ...     db.coprocessors.attach("t", count)
        ...     db.table("t").put("row", {"f:q": "value"})
        ...     print(count.rows, db.coprocessors.attached("t"))
        1 [Attached(observer='Count', priority=1073741823, source='program')]
    """

    def __init__(self, database: "Database", native: _native.Database, allowed: "Iterable[str | type]" = ()) -> None:
        self._database = database
        self._native = native
        self._allowed = patterns_of(allowed)
        self._entries: dict[str, list[_Entry]] = {}
        self._masters: list[tuple[int, MasterObserver]] = []
        self._schema_host: SchemaHost | None = None
        # Attributes that descriptors will have, by table: their observers are attached before the table requires them,
        # so that concurrent writes are not refused. The views of users share them.
        self._coming: dict[str, list[dict[str, str]]] = {}
        # Number of times that a table's observers were loaded.
        self._loads: dict[str, int] = {}
        # Held while observers are replaced, so that changes made at the same time do not undo each other. Reentrant:
        # garbage collection may run finalizers that attach or detach in the thread that holds it.
        self._changing = threading.RLock()
        # The view of the user whose permissions are checked; None for the database itself.
        self._caller: _native.Database | None = None

    def __repr__(self) -> str:
        attached = ", ".join(f"{table}: {len(entries)}" for table, entries in sorted(self._entries.items()) if entries)
        return f"<db.coprocessors: {attached or 'no observers attached'}>"

    def _as_user(self, caller: _native.Database) -> "Coprocessors":
        """The same observers, for the view of a user."""
        found = copy.copy(self)
        found._caller = caller
        return found

    def _authorize(self) -> None:
        """Raise `AccessDenied` if the user may not observe: the store checks who registers the host of the schema."""
        if self._caller is not None and self._schema_host is not None:
            self._caller.observe_schema(self._schema_host)

    def attach(
        self, table: str, observer: RegionObserver, *, priority: int = PRIORITY_USER, budget_ms: float = BUDGET_MS
    ) -> None:
        """Attach ``observer`` to a table until it is detached or the database is closed.

        Args:
            table: It need not exist yet, and may be dropped and created again.
            priority: Observers with smaller values are called first; with equal ones in the order of attaching.
            budget_ms: Time limit of one call. If a ``pre_`` hook exceeds it, the operation fails and is not done; for
                a ``post_`` hook it is logged. A running hook is not interrupted.

        Raises:
            UnsupportedOperation: The database is a cluster, whose servers run their own coprocessors.
            InvalidArgument: It is attached already. InvalidType: It is not a `RegionObserver`.
        """
        self._authorize()
        if not isinstance(observer, RegionObserver):
            raise InvalidType(f"an observer of a table is a RegionObserver, not {type(observer).__name__}")
        if budget_ms <= 0:
            raise InvalidArgument(f"a budget of {budget_ms} ms is not positive")
        name = self._name(table)
        entry = _Entry(name, observer, priority=priority, budget_ms=budget_ms, source="program")
        with self._changing:
            entries = self._entries.get(name, [])
            if any(one.observer is observer for one in entries):
                raise InvalidArgument(f"this {entry.name} is attached to table '{name}' already")
            self._install(name, [*entries, entry])

    def detach(self, table: str, observer: RegionObserver) -> None:
        """Detach ``observer`` from a table. Raises `InvalidArgument` if it is not attached."""
        self._authorize()
        name = self._name(table)
        with self._changing:
            entries = self._entries.get(name, [])
            rest = [entry for entry in entries if entry.observer is not observer or entry.source != "program"]
            if len(rest) == len(entries):
                raise InvalidArgument(f"this {type(observer).__name__} is not attached to table '{name}'")
            self._install(name, rest)

    def attach_master(self, observer: MasterObserver, *, priority: int = PRIORITY_USER) -> None:
        """Attach an observer of schema changes."""
        self._authorize()
        if not isinstance(observer, MasterObserver):
            raise InvalidType(f"an observer of the schema is a MasterObserver, not {type(observer).__name__}")
        if not self._is_local():
            raise UnsupportedOperation("a cluster's master runs its own coprocessors")
        self._check_fork()
        with self._changing:
            # In place: the views of users share the list.
            self._masters[:] = sorted([*self._masters, (priority, observer)], key=lambda pair: pair[0])

    def detach_master(self, observer: MasterObserver) -> None:
        """Detach an observer of schema changes."""
        self._authorize()
        self._check_fork()
        with self._changing:
            rest = [pair for pair in self._masters if pair[1] is not observer]
            if len(rest) == len(self._masters):
                raise InvalidArgument(f"this {type(observer).__name__} is not attached")
            self._masters[:] = rest

    def attached(self, table: str) -> list[Attached]:
        """Return the observers of a table, in the order of their calls."""
        self._authorize()
        entries = self._entries.get(self._name(table), [])
        return [Attached(entry.name, entry.priority, entry.source) for entry in entries]

    def stats(self, table: str) -> list[ObserverStats]:
        """Return the cost of the hooks of a table's observers since they were attached."""
        self._authorize()
        entries = self._entries.get(self._name(table), [])
        return [call.stats() for entry in entries for call in entry.calls.values()]

    def _name(self, table: str) -> str:
        return self._native.admin().canonical_name(table)

    def _check_fork(self) -> None:
        """Raise `ForkedHandle` in the child of a fork, where another thread may have left the lock locked."""
        self._native.admin()

    def _is_local(self) -> bool:
        return self._database._layers is not None

    def _install(self, name: str, entries: list[_Entry]) -> None:
        entries = sorted(entries, key=lambda entry: entry.priority)
        calls: dict[str, list[Call]] = {}
        for entry in entries:
            for hook, call in entry.calls.items():
                calls.setdefault(hook, []).append(call)
        host = TableHost(weakref.ref(self._database), name, calls)
        self._native.observe_table(name, host if entries else None)
        self._entries[name] = entries
        if host.hooks & (FLUSH | COMPACT):
            _kept.add(self._database)

    def _closed(self) -> None:
        _kept.discard(self._database)

    def _start(self) -> None:
        """Start to observe the schema, and load the observers that tables name."""
        if not self._is_local():
            return
        self._schema_host = SchemaHost(weakref.ref(self._database))
        self._native.observe_schema(self._schema_host)
        for table in self._native.admin().tables(None):
            self._reload(table)

    def _check_truncation(self, table: str) -> None:
        """Raise `ConstraintViolation` if an index would keep rows that a truncation of a region removes."""
        if self._schema_host is not None:
            self._schema_host._guard("truncate_table", table, None)

    @contextmanager
    def _expecting(self, table: str) -> "Iterator[dict[str, str]]":
        """Yield a dict for attributes that a change is about to add to a table's descriptor."""
        expected: dict[str, str] = {}
        with self._changing:
            self._coming.setdefault(table, []).append(expected)
        try:
            yield expected
        finally:
            with self._changing:
                rest = [one for one in self._coming.pop(table) if one is not expected]
                if rest:
                    self._coming[table] = rest
            self._reload(table)

    def _reload(self, table: str) -> None:
        """Replace the table's observers by those of its current descriptor and of the changes that are coming."""
        if not self._is_local():
            return
        with suppress(NotFoundError, DatabaseClosed):
            while not self._try_reload(table):
                pass

    def _try_reload(self, table: str) -> bool:
        """Reload the observers; return False if another thread loaded them meanwhile, perhaps from a newer schema."""
        with self._changing:
            number = self._loads.get(table, 0)
            attributes = {key: value for one in self._coming.get(table, ()) for key, value in one.items()}
        attributes.update(self._native.admin().describe(table)[2])
        # Without the lock: the constructor of an observer may change tables.
        entries = self._described(table, attributes)
        with self._changing:
            if self._loads.get(table, 0) != number:
                return False
            self._replace(table, entries)
            return True

    def _described(self, table: str, attributes: "Mapping[str, str]") -> list[_Entry]:
        return [
            _Entry(table, one.observer, priority=one.priority, budget_ms=one.budget_ms, source="table")
            for one in described(table, attributes, self._allowed)
        ]

    def _replace(self, table: str, entries: list[_Entry]) -> None:
        """Replace the observers that the descriptor names. The caller holds the lock."""
        self._loads[table] = self._loads.get(table, 0) + 1
        present = self._entries.get(table, [])
        kept = [entry for entry in present if entry.source == "program"]
        if entries or len(kept) < len(present):
            self._install(table, [*kept, *entries])

    def _forget(self, table: str) -> None:
        """After a table was dropped."""
        with self._changing:
            self._replace(self._name(table), [])
