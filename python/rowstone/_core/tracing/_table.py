"""A table that traces its calls: ``GET default:t``, ``BATCH ns:t``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from rowstone import _native
from rowstone._core.table import Table
from rowstone._core.tracing import _names
from rowstone._core.tracing._lasting import Lasting

if TYPE_CHECKING:
    from opentelemetry.trace import Span

    from rowstone._core.tracing._tracing import Tracing

_Method = TypeVar("_Method", bound=Callable[..., Any])


def _traced(operation: str, method: _Method, *inside: str) -> _Method:
    """Wrap a method in a span; ``inside`` are the operations it contains."""

    @functools.wraps(method)
    def call(self: TracedTable, *args: Any, **kwargs: Any) -> Any:
        with self._tracing.within(self._begun(operation, inside), ends=True):
            return method(self, *args, **kwargs)

    return cast(_Method, call)


def _lasting(operation: str, method: _Method) -> _Method:
    """Wrap a method in a span that ends when the returned object is closed."""

    @functools.wraps(method)
    def call(self: TracedTable, *args: Any, **kwargs: Any) -> Any:
        span = self._begun(operation)
        try:
            with self._tracing.within(span, ends=False):
                return Lasting(method(self, *args, **kwargs), span, self._tracing)
        except BaseException:
            span.end()
            raise

    return cast(_Method, call)


class TracedTable(Table):
    """A table of a database that was opened with ``tracing``. It behaves like a `Table`."""

    __slots__ = ("_attributes", "_full_name", "_tracing")

    _attributes: dict[str, str]
    _full_name: str
    _tracing: Tracing

    @classmethod
    def of(cls, native: _native.Database, name: str, tracing: Tracing) -> TracedTable:
        """Open a table. Raises `TableNotFound`."""
        table = cls(native, name)
        table._full_name, attributes = _names.of_table(table.name)
        table._attributes = tracing.attributes | attributes
        table._tracing = tracing
        return table

    def _begun(self, operation: str, inside: Iterable[str] = ()) -> Span:
        attributes: dict[str, Any] = {**self._attributes, _names.OPERATION: operation}
        if inside:
            attributes[_names.CONTAINED] = list(inside)
        return self._tracing.begun(f"{operation} {self._full_name}", attributes)

    get = _traced(_names.GET, Table.get)
    value = _traced(_names.GET, Table.value)
    exists = _traced(_names.GET, Table.exists)
    put = _traced(_names.PUT, Table.put)
    delete = _traced(_names.DELETE, Table.delete)
    increment = _traced(_names.INCREMENT, Table.increment)
    append = _traced(_names.APPEND, Table.append)
    get_many = _traced(_names.BATCH, Table.get_many, _names.GET)
    exists_many = _traced(_names.BATCH, Table.exists_many, _names.GET)
    scan = _lasting(_names.SCAN, Table.scan)
    batch = _lasting(_names.BATCH, Table.batch)

    def multi(self, actions: Iterable[Any]) -> list[_native.Row | Exception | None]:
        """Like `Table.multi`."""
        # A value that is not iterable is refused below, with the store's message.
        known = list(actions) if isinstance(actions, Iterable) else []
        with self._tracing.within(self._begun(_names.BATCH, _names.contained(known)), ends=True):
            return super().multi(known if isinstance(actions, Iterable) else actions)

    def mutate_row(self, row: Any, mutations: Any) -> _native.Row:
        """Like `Table.mutate_row`."""
        known = _as_list(mutations)
        with self._tracing.within(self._begun(_names.BATCH, _names.contained(known)), ends=True):
            return super().mutate_row(row, mutations if isinstance(mutations, _native.RowMutations) else known)

    def check_and_mutate(self, *args: Any, **kwargs: Any) -> _native.CheckResult:
        """Like `Table.check_and_mutate`."""
        changes = kwargs.get("mutation", args[4] if len(args) > 4 else None)
        inside = sorted({_names.CHECK_AND_MUTATE, *_names.contained(_as_list(changes))})
        with self._tracing.within(self._begun(_names.CHECK_AND_MUTATE, inside), ends=True):
            return super().check_and_mutate(*args, **kwargs)


def _as_list(mutations: Any) -> list[Any]:
    """One mutation, or several, as a list."""
    if mutations is None:
        return []
    is_several = isinstance(mutations, Iterable) and not isinstance(mutations, _native.RowMutations)
    return list(mutations) if is_several else [mutations]
