"""Our own metrics for Prometheus: with labels, in seconds and bytes, and with histograms that can be aggregated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from rowstone.server.dashboard._distribution import Distribution
from rowstone.server.dashboard._process import process
from rowstone.server.dashboard.metrics._prometheus import labels_of

if TYPE_CHECKING:
    from rowstone.server.dashboard._figures import Calls
    from rowstone.server.dashboard._site import Site

_BOUNDS = (
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
    60.0,
)  # fmt: skip
_NANOSECONDS = 1e9
_TABLE_GAUGES = ("store_files", "store_file_bytes", "memstore_bytes", "memstore_cells", "compaction_debt_bytes")
_TABLE_COUNTERS = (
    "region_reads", "region_writes", "flushed_bytes", "flushes", "compacted_bytes", "compacted_input_bytes",
    "compactions", "cache_hits", "cache_misses",
)  # fmt: skip
_TABLE_TIMES = ("flush", "compaction")
_DATABASE_COUNTERS = (
    ("log_records", "Records written to the write-ahead log."),
    ("log_syncs", "Times that it was synced."),
    ("log_appended_bytes", "Bytes written to it."),
    ("log_rolls", "Times another one was begun."),
    ("cache_evictions", "Blocks that had to leave the cache for others."),
    ("splits", "Regions that were split."),
    ("blocked_writes", "Writes that waited until a flush had made room."),
    ("delayed_writes", "Writes that were slowed down because memory was almost full."),
)


def own_lines(site: Site) -> Iterator[str]:
    """All lines of our own metrics."""
    figures, _ = site.history.now()
    if figures.calls is not None:
        yield from _calls(figures.calls)
    sums = site.database.admin.metrics.stores().sums("table")
    for names, kind in ((_TABLE_GAUGES, "gauge"), (_TABLE_COUNTERS, "counter")):
        for name in names:
            known = ((one.table, getattr(one, name)) for one in sums)
            samples = [({"table": table}, number) for table, number in known if number is not None]
            suffix = "_total" if kind == "counter" else ""
            yield from _family(f"rowstone_table_{name}{suffix}", kind, f"{name} of a table's stores", samples)
    for name in _TABLE_TIMES:
        times = [({"table": one.table}, (getattr(one, f"{name}_ns") or 0) / _NANOSECONDS) for one in sums]
        yield from _family(f"rowstone_table_{name}_seconds_total", "counter", f"Time of each {name}, added up.", times)
    yield from _of_database(figures.stats)
    yield from _process()


def _of_database(stats: Mapping[str, int]) -> Iterator[str]:
    for name, says in _DATABASE_COUNTERS:
        yield from _family(f"rowstone_{name}_total", "counter", says, [({}, stats[name])] if name in stats else ())
    seconds = stats.get("log_sync_ns", 0) / _NANOSECONDS
    yield from _family("rowstone_log_sync_seconds_total", "counter", "Time of its syncs, added up.", [({}, seconds)])


def _calls(calls: Calls) -> Iterator[str]:
    name = "rowstone_call_duration_seconds"
    yield from _head(name, "histogram", "How long calls were worked on, by method.")
    for method, ever in calls.methods.items():
        yield from _buckets(name, {"method": method}, ever)
    yield from _head("rowstone_call_queue_seconds", "histogram", "How long calls waited.")
    yield from _buckets("rowstone_call_queue_seconds", {}, calls.times("queue"))
    failures = [({"class": name}, times) for name, times in calls.failures.items()]
    yield from _family("rowstone_call_failures_total", "counter", "Exceptions that clients were told.", failures)
    untraced: list[tuple[dict[str, str], float]] = [({}, calls.numbers["untraced_calls"])]
    yield from _family("rowstone_untraced_calls_total", "counter", "Calls that became no spans.", untraced)
    for name in (
        "open_connections",
        "own_threads",
        "calls_in_flight",
        "calls_waiting",
        "bytes_in_flight",
        "answer_bytes",
        "open_scanners",
    ):
        yield from _family(f"rowstone_{name}", "gauge", f"{name.replace('_', ' ')}.", [({}, calls.numbers[name])])


def _buckets(name: str, labels: dict[str, str], ever: Distribution) -> Iterator[str]:
    for bound in _BOUNDS:
        yield f"{name}_bucket{labels_of({**labels, 'le': f'{bound:g}'})} {ever.below(bound * _NANOSECONDS)}"
    yield f"{name}_bucket{labels_of({**labels, 'le': '+Inf'})} {ever.count}"
    shown = labels_of(labels) if labels else ""
    yield f"{name}_sum{shown} {ever.sum / _NANOSECONDS}"
    yield f"{name}_count{shown} {ever.count}"


def _process() -> Iterator[str]:
    own = process()
    for name, kind, says, number in (
        ("process_resident_memory_bytes", "gauge", "Memory of the process.", own.resident_bytes),
        ("process_cpu_seconds_total", "counter", "Time of processors.", own.cpu_seconds),
        ("process_open_fds", "gauge", "Open files.", own.open_files),
        ("process_max_fds", "gauge", "Open files at most.", own.open_files_limit),
        ("process_start_time_seconds", "gauge", "When the process began.", own.started_seconds),
    ):
        yield from _family(name, kind, says, [({}, number)])


def _family(name: str, kind: str, says: str, samples: Iterable[tuple[dict[str, str], float]]) -> Iterator[str]:
    yield from _head(name, kind, says)
    for labels, number in samples:
        yield f"{name}{labels_of(labels) if labels else ''} {number}"


def _head(name: str, kind: str, says: str) -> Iterator[str]:
    yield f"# HELP {name} {says}"
    yield f"# TYPE {name} {kind}"
