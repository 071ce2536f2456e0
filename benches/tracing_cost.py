"""What spans cost: processor time of single gets and puts without them, with nobody to keep them, and with the SDK.

Rounds take turns, so that all have their share of a busy machine. ``make bench-tracing``.
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
    """Takes all spans and does nothing with them."""

    def export(self, spans: Any) -> SpanExportResult:
        """Forgets them."""
        return SpanExportResult.SUCCESS


def with_sdk() -> TracerProvider:
    """The SDK as programs set it up, but for the way out."""
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(Nowhere()))
    return provider


def microseconds(call: Callable[[int], Any]) -> float:
    """Processor time of one call, on average."""
    began = time.process_time()
    for number in range(CALLS):
        call(number)
    return (time.process_time() - began) / CALLS * 1e6


def measured(rounds: int) -> dict[str, dict[str, list[float]]]:
    """Microseconds by what is switched on, and by operation."""
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
    """Measures, prints the table, and writes it into a document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--document", type=Path, help="where to put the table")
    options = parser.parse_args()
    facts = machine(f"rowstone {rs.__version__}")
    lines = ["| | get, µs | put, µs |", "|---|---|---|"]
    for name, times in measured(options.rounds).items():
        lines.append(f"| {name} | {statistics.median(times['get']):.1f} | {statistics.median(times['put']):.1f} |")
    says = f"Processor time of a call in memory, medians of {options.rounds} interleaved rounds of {CALLS:,}."
    text = "\n".join([*lines, "", f"{says} {machine_text(facts | {'load at the end': load()})}"])
    publish(text, options.document, "tracing")


if __name__ == "__main__":
    main()
