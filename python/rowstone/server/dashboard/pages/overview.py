"""``/``: overview of the database's state."""

from __future__ import annotations

import time
from itertools import pairwise

from rowstone._base.printable import counted
from rowstone._core.clock_watch import clock_notice
from rowstone.server.dashboard._distribution import Distribution
from rowstone.server.dashboard._figures import Calls, Figures
from rowstone.server.dashboard._history import per_second
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import cards, curve, curves, definitions, link, notice, section
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard._words import count, duration, percent, since, size
from rowstone.server.dashboard.pages.slow import calls_table

_SHOWN_CALLS = 5
_ENDPOINTS = ("metrics", "prometheus", "jmx", "conf", "health", "ready", "stacks", "dump")


def body(site: Site, request: Request) -> Markup:
    now, before = site.history.now()
    parts = [
        markup("<h1>{}</h1>", site.database.path),
        markup('<p class="lead">{}</p>', _lead(site)),
        notice(clock_notice(site.database, now.stats)),
        cards(_figures(now, before), wide=True),
    ]
    parts.append(section("The last ten minutes", courses(site.history.all())))
    if site.server is not None:
        newest = site.server._native.slow_calls()[:_SHOWN_CALLS]
        parts.append(section("Slow calls", calls_table(newest), note=link("/slow", "All that are remembered")))
    links = joined(markup("{} ", link(f"/{name}", f"/{name}")) for name in _ENDPOINTS)
    parts.append(section("For programs", definitions([("endpoints", links)])))
    return joined(parts)


def _lead(site: Site) -> str:
    up = f"up {since(time.time() - site.started_seconds)}"
    if site.server is None:
        return f"Open in this process, {up}."
    zookeeper = "" if site.server.zk_port is None else f", ZooKeeper port {site.server.zk_port}"
    return f"Served at {site.server.url}{zookeeper}, {up}."


def _figures(now: Figures, before: Figures) -> list[tuple[str, object, object]]:
    stats, seconds = now.stats, now.seconds - before.seconds
    rows = per_second(now.rows, before.rows, seconds)
    hits, misses = stats.get("cache_hits", 0), stats.get("cache_misses", 0)
    shown: list[tuple[str, object, object]] = [
        ("Tables", count(stats.get("tables")), counted(stats.get("regions", 0), "region")),
        ("Rows per second", count(round(rows)), f"{count(now.rows)} since the start"),
        ("Files", size(stats.get("store_file_bytes", 0)), counted(stats.get("store_files", 0), "file")),
        ("Memory of writes", size(stats.get("memstore_bytes", 0)), f"{count(stats.get('memstore_cells', 0))} cells"),
        ("Block cache", size(stats.get("cache_bytes", 0)), f"{percent(hits, hits + misses)} found"),
    ]
    if now.calls is not None:
        recent = now.calls.all - (before.calls or Calls()).all
        numbers = now.calls.numbers
        rate = per_second(recent.count, 0, seconds)
        shown[1:1] = [
            ("Calls per second", count(round(rate)), f"{count(numbers['calls_in_flight'])} under way"),
            _usual(recent),
            ("Connections", count(numbers["open_connections"]), f"{count(numbers['open_scanners'])} scanners"),
        ]
    return shown


def _usual(recent: Distribution) -> tuple[str, object, object]:
    """Recent latency of calls."""
    if not recent.buckets:
        return ("99 of 100 calls", "–", "no call of late")
    return ("99 of 100 calls", f"≤ {duration(recent.percentile(99))}", f"half ≤ {duration(recent.percentile(50))}")


def courses(kept: list[Figures]) -> Markup:
    """Rates and sizes over time."""
    steps = list(pairwise(kept))

    def rates(name: str) -> list[float]:
        return [
            per_second(late.stats.get(name, 0), early.stats.get(name, 0), late.seconds - early.seconds)
            for early, late in steps
        ]

    parts = [_rate("Rows read per second", rates("read_requests"))]
    parts.append(_rate("Rows written per second", rates("write_requests")))
    if kept and kept[-1].calls is not None:
        parts.insert(0, _rate("Calls per second", [_calls_per_second(early, late) for early, late in steps]))
    memory = [float(one.stats.get("memstore_bytes", 0)) for one in kept]
    parts.append(curve("Memory of writes", memory, size(memory[-1] if memory else 0)))
    return curves(*parts)


def _rate(title: str, values: list[float]) -> Markup:
    return curve(title, values, count(round(values[-1])) if values else "–")


def _calls_per_second(early: Figures, late: Figures) -> float:
    before, now = early.calls or Calls(), late.calls or Calls()
    return per_second(now.all.count, before.all.count, late.seconds - early.seconds)
