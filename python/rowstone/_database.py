"""An open database."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any

from rowstone import _last_use, _native
from rowstone._admin import Admin
from rowstone._configuration import Configuration
from rowstone._html import database_html
from rowstone._schema import FamiliesArgument
from rowstone._table import Table
from rowstone.errors import StateError, UnsupportedOperation
from rowstone.splits import SplitsArgument


class Database:
    """Tables in a directory or in memory; made by `rowstone.connect`.

    Use it in a ``with`` statement, or call `close`; what is still open when the interpreter ends is closed then. All
    methods, and those of its tables, may be called from many threads at once. In the child of a fork it raises
    `ForkedHandle`: connect again there.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     _ = db.create_table("t", ["f"])
        ...     print(db.tables())
        ['t']
    """

    def __init__(
        self,
        native: _native.Database,
        *,
        path: str,
        read_only: bool,
        configuration: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._native = native
        self._path = path
        self._read_only = read_only
        self._layers = configuration
        self._admin = Admin(native.admin(), native.cluster_admin())

    @property
    def path(self) -> str:
        """What was opened: the path as given, or ``":memory:"``."""
        return self._path

    @property
    def read_only(self) -> bool:
        """Whether it was opened with ``read_only=True``."""
        return self._read_only

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._native.closed

    @property
    def configuration(self) -> Configuration:
        """Every setting with its value and where that came from.

        Raises:
            UnsupportedOperation: The servers of a cluster keep theirs for themselves.
        """
        if self._layers is None:
            raise UnsupportedOperation(f"the servers of '{self._path}' keep their configuration for themselves")
        return Configuration(self._layers, self._admin)

    @property
    def admin(self) -> Admin:
        """Schema, maintenance, statistics."""
        return self._admin

    def table(self, name: str) -> Table:
        """The table of that name: ``"name"`` or ``"namespace:name"``.

        Raises:
            TableNotFound: There is none.
        """
        return Table(self._native, name)

    def create_table(
        self,
        name: str,
        families: FamiliesArgument,
        *,
        splits: SplitsArgument | None = None,
        attributes: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
        if_not_exists: bool = False,
    ) -> bool:
        """True once the table is made; see `Admin.create_table`.

        With ``if_not_exists=True``, False where a table of that name is there already, which stays as it is.
        """
        return self._admin.create_table(
            name,
            families,
            splits=splits,
            attributes=attributes,
            configuration=configuration,
            if_not_exists=if_not_exists,
        )

    def drop_table(self, name: str) -> None:
        """Removes a table and its data, enabled or not.

        Raises:
            TableNotFound: There is none.
        """
        self._admin.drop_table(name, force=True)

    def tables(self, namespace: str | None = None) -> list[str]:
        """The names of all tables, or of those in ``namespace``, in order."""
        return self._admin.tables(namespace)

    def close(self) -> None:
        """Finishes what runs, syncs the log and gives the directory free. A second call does nothing."""
        if self._native.is_ours:
            if not (self.closed or self._read_only):
                _last_use.keep(self._admin, self._path)
            self._native.close()

    def __enter__(self) -> "Database":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ", read-only" if self._read_only else ""
        return f"Database({self._path!r}{state})"

    def _repr_html_(self) -> str:
        try:
            return database_html(self._path, [self._admin.describe(name) for name in self.tables()])
        except StateError:
            return f"<code>{self!r}</code>"
