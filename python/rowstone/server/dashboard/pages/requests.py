"""``/requests``: calls by method, their latency, and failures."""

from __future__ import annotations

from collections.abc import Iterator

from rowstone.server.dashboard._distribution import Distribution
from rowstone.server.dashboard._figures import Calls
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import cards, code, section, table
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard._words import count, duration, size
from rowstone.server.dashboard.pages.overview import courses

_HEADINGS = ("Call", "Since the start", "Of late", "Mean", "Half", "95 of 100", "99 of 100", "Longest", "Over a second")


def body(site: Site, request: Request) -> Markup:
    now, before = site.history.now()
    title, course = markup("<h1>Requests</h1>"), section("The last ten minutes", courses(site.history.all()))
    if now.calls is None:
        return joined([title, course])
    earlier = before.calls or Calls()
    note = f"Times are of the last {count(round(now.seconds - before.seconds))} seconds."
    calls = table(_HEADINGS, _methods(now.calls, earlier), numbers=range(1, 9), empty="No call yet.")
    operations = table(_HEADINGS, _operations(now.calls, earlier), numbers=range(1, 9), empty="No operation yet.")
    failures = sorted(now.calls.failures.items(), key=lambda one: -one[1])
    failed = table(("Exception", "Times"), [(code(name), count(times)) for name, times in failures], numbers=(1,))
    return joined(
        [
            title,
            _cards(now.calls),
            course,
            section("Calls", calls, note=note),
            section("Operations", operations, note="Calls by their kind of operation; a batch is timed as a whole."),
            section("Failures", failed, note="Errors that clients got since the start."),
        ]
    )


def _cards(calls: Calls) -> Markup:
    numbers = calls.numbers
    return cards(
        [
            ("Calls", count(calls.all.count), "since the start"),
            ("Under way", count(numbers["calls_in_flight"]), f"{count(numbers['calls_waiting'])} wait"),
            ("Connections", count(numbers["open_connections"]), ""),
            ("Scanners", count(numbers["open_scanners"]), f"{count(numbers['expired_scanners'])} ran out"),
            ("Received", size(calls.times("request").sum), f"{size(numbers['bytes_in_flight'])} under way"),
            ("Sent", size(calls.times("response").sum), ""),
        ]
    )


def _methods(now: Calls, before: Calls) -> Iterator[list[object]]:
    for name, ever in sorted(now.methods.items(), key=lambda one: -one[1].count):
        if ever.buckets:
            yield _line(name, ever, ever - before.methods.get(name, Distribution()), now.slow.get(name))


def _operations(now: Calls, before: Calls) -> Iterator[list[object]]:
    for name, ever in now.series.items():
        if ever.buckets and name not in ("queue", "total", "request", "response", "scan_size"):
            recent = ever - before.series.get(name, Distribution())
            yield _line(name.replace("_", " "), ever, recent, now.slow.get(name))


def _line(name: str, ever: Distribution, recent: Distribution, slow: int | None) -> list[object]:
    percentiles = [duration(recent.percentile(percent)) if recent.buckets else "–" for percent in (50, 95, 99)]
    mean = duration(recent.mean) if recent.buckets else "–"
    high = duration(recent.high) if recent.buckets else "–"
    return [name, count(ever.count), count(recent.count), mean, *percentiles, high, count(slow)]
