"""A bar chart of the cost of queries, on a logarithmic scale, without a plotting library."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from examples.case_studies.measure.report import Cost

_COLORS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#2c3e50", "#b5651d")
_LEFT, _WIDTH, _BAR, _GAP, _RIGHT = 230, 470, 13, 26, 80


def svg(title: str, costs: Sequence[Cost], what: str = "rows") -> str:
    """A group of bars for each query, with a bar for each design. ``what`` is a field of `Cost`."""
    numbers = [max(getattr(cost, what), 0) for cost in costs]
    highest = math.log10(max(10, *numbers) + 1)
    designs = list(dict.fromkeys(cost.design for cost in costs))
    parts, y = [], 34
    for query in dict.fromkeys(cost.query for cost in costs):
        parts.append(_text(10, y + 10, query, weight="bold"))
        y += 16
        for cost in (cost for cost in costs if cost.query == query):
            number = getattr(cost, what)
            length = _WIDTH * math.log10(number + 1) / highest
            color = _COLORS[designs.index(cost.design) % len(_COLORS)]
            parts.append(f'<rect x="{_LEFT}" y="{y}" width="{max(length, 1):.1f}" height="{_BAR - 2}" fill="{color}"/>')
            parts.append(_text(_LEFT - 8, y + 10, cost.design, anchor="end"))
            parts.append(_text(_LEFT + max(length, 1) + 6, y + 10, f"{number:,.0f}"))
            y += _BAR
        y += _GAP - _BAR
    width, height = _LEFT + _WIDTH + _RIGHT, y + 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11"><title>{html.escape(title)}</title>'
        f'<rect width="{width}" height="{height}" fill="white"/>'
        f"{_text(10, 18, title + ' (logarithmic)', weight='bold')}{''.join(parts)}</svg>\n"
    )


def _text(x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" font-weight="{weight}">{html.escape(text)}</text>'
