"""Spans collected in memory, for the tests."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


class Kept:
    """A provider of spans, and those that ended."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    def take(self) -> list[ReadableSpan]:
        """The spans that ended since the last call, in the order of their ends."""
        found = list(self._exporter.get_finished_spans())
        self._exporter.clear()
        return found

    def names(self) -> list[str]:
        """Their names."""
        return [span.name for span in self.take()]


@pytest.fixture
def spans() -> Kept:
    """Nothing yet."""
    return Kept()
