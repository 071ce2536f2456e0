"""``/slow``: slow calls, and calls with large responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, definitions, section, table, tag
from rowstone.server.dashboard._site import Request, Site
from rowstone.server.dashboard._words import count, moment, size

_KINDS = {"SLOW_LOG": ("slow", "warm"), "LARGE_LOG": ("large", ""), "ALL": ("slow, large", "bad")}
_HEADINGS = ("Began (UTC)", "Call", "Took", "Waited", "Answer", "Table", "What", "User", "Client")


def body(site: Site, request: Request) -> Markup:
    if site.server is None:
        return markup("<h1>Slow calls</h1>{}", section("No server", note="Only calls of clients are timed."))
    calls = site.server._native.slow_calls()
    settings = site.database.configuration
    limits = definitions(
        [
            ("slow after", f"{count(float(settings['hbase.ipc.warn.response.time']))} ms"),
            ("large beyond", size(float(settings["hbase.ipc.warn.response.size"]))),
            ("remembered", "yes" if settings["hbase.regionserver.slowlog.buffer.enabled"] else "no: it is off"),
            ("at most", f"{settings['hbase.regionserver.slowlog.ringbuffer.size']} calls"),
        ]
    )
    return joined(
        [
            markup("<h1>Slow calls</h1>"),
            section(f"{len(calls)} calls", calls_table(calls)),
            section("Limits", limits),
        ]
    )


def calls_table(calls: Iterable[Mapping[str, Any]]) -> Markup:
    """Calls, one per line."""
    return table(_HEADINGS, map(_line, calls), numbers=(2, 3, 4), empty="No call was slow or large.")


def _line(call: Mapping[str, Any]) -> list[object]:
    kind, color = _KINDS[call["type"]]
    name, _, _ = (call["region_name"] or "").partition(",")
    return [
        markup("<time>{}</time>", moment(call["start_time"])),
        markup("{} {}", call["method_name"], tag(kind, color)),
        f"{count(call['processing_time'])} ms",
        f"{count(call['queue_time'])} ms",
        size(call["response_size"]),
        name,
        code((call["param"] or "").removeprefix(f"region= {call['region_name']}, ")),
        call["user_name"],
        call["client_address"],
    ]
