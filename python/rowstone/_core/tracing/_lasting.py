"""Scanners and writers whose span lasts until they are closed, or until a scanner is exhausted."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.trace import Span

    from rowstone._core.tracing._tracing import Tracing


_END = object()
_READ_ALL = frozenset({"arrow", "duckdb", "pandas", "polars", "to_columns", "to_parquet"})
"""Methods that exhaust a scanner."""


class Lasting:
    """A scanner or a writer inside a span, with the same methods.

    The span ends once: with the last row, by `close`, or when the object is garbage collected.
    """

    def __init__(self, inner: Any, span: Span, tracing: Tracing) -> None:
        self._inner = inner
        self._span = span
        self._tracing = tracing
        self._has_ended = False

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._within(found, name in _READ_ALL) if callable(found) else found

    def _within(self, function: Any, reads_all: bool = False) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                with self._tracing.within(self._span, ends=False):
                    result = function(*args, **kwargs)
            finally:
                # The consumer of a scanner, such as Arrow, closes it.
                if getattr(self._inner, "closed", False):
                    self._end()
            if reads_all:
                self._end()
            return result

        return call

    def _end(self) -> None:
        if not self._has_ended:
            self._has_ended = True
            self._span.end()

    def __iter__(self) -> Lasting:
        return self

    def __next__(self) -> Any:
        found = self._next_of(self._inner)
        if found is _END:
            raise StopIteration
        return found

    def _next_of(self, source: Any) -> Any:
        """The next item of a scanner or its pairs. StopIteration is an end, not an error of the span."""
        found = self._within(next)(source, _END)
        if found is _END:
            self._end()
        return found

    def _next_rows(self) -> Any:
        """Like the scanner's; an empty result is the end."""
        rows = self._within(self._inner._next_rows)()
        if not rows:
            self._end()
        return rows

    def pairs(self, column: Any) -> Iterator[tuple[bytes, bytes]]:
        """Like `Scanner.pairs`; the span lasts until their end."""
        return self._each(self._within(self._inner.pairs)(column))

    def _each(self, source: Any) -> Iterator[Any]:
        while (found := self._next_of(source)) is not _END:
            yield found

    def __len__(self) -> int:
        return len(self._inner)

    def __bool__(self) -> bool:
        return bool(self._inner)

    def close(self) -> None:
        """Close it, which ends the span."""
        try:
            self._within(self._inner.close)()
        finally:
            self._end()

    def __enter__(self) -> Lasting:
        self._inner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._within(self._inner.__exit__)(kind, error, trace)
        finally:
            self._end()

    def __del__(self) -> None:
        self._end()

    def __repr__(self) -> str:
        return repr(self._inner)
