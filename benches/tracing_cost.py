"""Cost of spans: CPU time of single gets and puts without tracing, without an exporter, and with the SDK.

The variants alternate, so that a busy machine affects all of them alike. ``make bench-tracing``.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benches.report import load, machine, machine_text, publish
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import NoOpTracerProvider

import rowstone as rs

CALLS = 20_000


class Nowhere(SpanExporter):
    """An exporter that discards all spans."""

    def export(self, spans: Any) -> SpanExportResult:
        """Discard the spans."""
        return SpanExportResult.SUCCESS


def with_sdk() -> TracerProvider:
    """Set up the SDK as programs do, except for the exporter."""
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(Nowhere()))
    return provider


def microseconds(call: Callable[[int], Any]) -> float:
    """Average CPU time of one call."""
    began = time.process_time()
    for number in range(CALLS):
        call(number)
    return (time.process_time() - began) / CALLS * 1e6


def measured(rounds: int) -> dict[str, dict[str, list[float]]]:
    """Measure microseconds by variant and by operation."""
    providers: dict[str, Any] = {
        "without": False,
        "with `tracing`, and no provider": NoOpTracerProvider(),
        "with `tracing`, and the SDK": with_sdk(),
    }
    databases = {name: rs.connect(":memory:", tracing=provider) for name, provider in providers.items()}
    found: dict[str, dict[str, list[float]]] = {name: {"get": [], "put": []} for name in providers}
    for database in databases.values():
        database.create_table("t", ["f"])
    for number in range(rounds):
        for name, database in databases.items():
            table = database.table("t")
            found[name]["put"].append(microseconds(lambda row, table=table: table.put(b"%d" % row, {"f:q": b"value"})))
            found[name]["get"].append(microseconds(lambda row, table=table: table.get(b"%d" % row)))
        print(f"round {number + 1} of {rounds}: load {load()}", flush=True)
    for database in databases.values():
        database.close()
    return found


def main() -> None:
    """Measure, print the table, and write it into a document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--document", type=Path, help="where to put the table")
    options = parser.parse_args()
    facts = machine(f"rowstone {rs.__version__}")
    lines = ["| | get, µs | put, µs |", "|---|---|---|"]
    for name, times in measured(options.rounds).items():
        lines.append(f"| {name} | {statistics.median(times['get']):.1f} | {statistics.median(times['put']):.1f} |")
    says = f"CPU time per call on an in-memory database, medians of {options.rounds} interleaved rounds of {CALLS:,}."
    text = "\n".join([*lines, "", f"{says} {machine_text(facts | {'load at the end': load()})}"])
    publish(text, options.document, "tracing")


if __name__ == "__main__":
    main()
