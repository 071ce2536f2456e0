"""Scanners and writers whose span lasts until they are closed, or a scanner has come to its end."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.trace import Span

    from rowstone.tracing._tracing import Tracing


class Lasting:
    """A scanner or a writer, in the course of a span. It has the other's methods."""

    def __init__(self, inner: Any, span: Span, tracing: Tracing) -> None:
        self._inner = inner
        self._span = span
        self._tracing = tracing

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._within(found) if callable(found) else found

    def _within(self, function: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            with self._tracing.within(self._span, ends=False):
                return function(*args, **kwargs)

        return call

    def __iter__(self) -> Lasting:
        return self

    def __next__(self) -> Any:
        try:
            return self._within(self._inner.__next__)()
        except StopIteration:
            self._span.end()
            raise

    def __len__(self) -> int:
        return len(self._inner)

    def __bool__(self) -> bool:
        return bool(self._inner)

    def close(self) -> None:
        """Closes it, which ends the span."""
        try:
            self._within(self._inner.close)()
        finally:
            self._span.end()

    def __enter__(self) -> Lasting:
        self._inner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._within(self._inner.__exit__)(kind, error, trace)
        finally:
            self._span.end()

    def __repr__(self) -> str:
        return repr(self._inner)
