"""Comparison of designs: as text, as records for a frame, as a picture."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from rowstone._core.views import View

if TYPE_CHECKING:
    from rowstone.schema.design._simulate import Design, Simulation

_WIDTH, _HEIGHT, _LEFT, _TOP = 760, 300, 60, 20
_COLORS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#2c3e50")


def record(design: Design) -> dict[str, Any]:
    """Return the numbers of a design by name."""
    found: dict[str, Any] = {
        "design": design.name,
        "regions": len(design.shares),
        "hottest": design.hottest,
        "hottest_at_a_time": design.hottest_at_a_time,
        "unreached": design.unreached,
        "key_bytes": design.key_bytes,
        "key_share": design.key_share,
    }
    for name, cost in design.costs.items():
        found[f"{name}: scans"] = cost.scans
        found[f"{name}: rows touched"] = cost.rows_touched
        found[f"{name}: rows returned"] = cost.rows_returned
        found[f"{name}: bytes"] = cost.bytes_touched
    return found


def table(simulation: Simulation) -> str:
    """Return a table of the designs, and one of the queries."""
    headings = ("design", "regions", "hottest region", "at a time", "never reached", "key bytes", "keys are")
    lines = [
        (
            one.name,
            str(len(one.shares)),
            f"{one.hottest:.1%}",
            f"{one.hottest_at_a_time:.1%}",
            str(one.unreached),
            f"{one.key_bytes:.1f}",
            f"{one.key_share:.0%}",
        )
        for one in simulation.designs
    ]
    text = str(View(headings, tuple(lines)))
    queries = [
        (
            name,
            one.name,
            "FULL SCAN" if cost.is_full_scan else str(cost.scans),
            f"{cost.rows_touched:,}",
            f"{cost.rows_returned:,}",
            f"{cost.bytes_touched:,}",
        )
        for name in (simulation.designs[0].costs if simulation.designs else {})
        for one in simulation.designs
        for cost in (one.costs[name],)
    ]
    if not queries:
        return text
    costs = View(("query", "design", "scans", "rows touched", "rows returned", "bytes"), tuple(queries))
    return f"{text}\n\n{costs}"


def svg(simulation: Simulation) -> str:
    """Draw the share of the hottest region over time, a line per design: time to the right, 0 to 100 % upwards."""
    inner_width, inner_height = _WIDTH - _LEFT - 20, _HEIGHT - 2 * _TOP
    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = _TOP + inner_height * (1 - percent / 100)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - 20}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>')
    for place, design in enumerate(simulation.designs):
        color = _COLORS[place % len(_COLORS)]
        shares = design.hottest_over_time
        step = inner_width / max(len(shares) - 1, 1)
        points = " ".join(
            f"{_LEFT + step * index:.1f},{_TOP + inner_height * (1 - share):.1f}" for index, share in enumerate(shares)
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        y = _HEIGHT + 18 * (place + 1)
        label = html.escape(f"{design.name}: {design.hottest_at_a_time:.1%}")
        parts.append(f'<rect x="{_LEFT}" y="{y - 10}" width="12" height="12" fill="{color}"/>')
        parts.append(f'<text x="{_LEFT + 20}" y="{y}">{label}</text>')
    height = _HEIGHT + 18 * len(simulation.designs) + 16
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="sans-serif" font-size="12"><title>Share of writes in the hottest region over time</title>'
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>{"".join(parts)}</svg>\n'
    )
