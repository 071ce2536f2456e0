"""The frame and the texts of plots. Their colors follow the reader's light or dark theme."""

from __future__ import annotations

import html
from collections.abc import Iterable

_STYLE = """
.paper { fill: #ffffff; } .text { fill: #1f2328; } .weak { fill: #57606a; } .grid { stroke: #d0d7de; }
.line { fill: none; stroke-width: 1.3; } .fit { fill: none; stroke-width: 1; stroke-dasharray: 3 3; opacity: 0.7; }
.green { stroke: #1a7f37; } .blue { stroke: #0969da; } .red { stroke: #cf222e; } .violet { stroke: #8250df; }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117; } .text { fill: #e6edf3; } .weak { fill: #9da7b3; } .grid { stroke: #30363d; }
.green { stroke: #3fb950; } .blue { stroke: #58a6ff; } .red { stroke: #ff7b72; } .violet { stroke: #bc8cff; }
}"""


def page(width: float, height: float, title: str, parts: Iterable[str], style: str = "") -> str:
    """A whole picture; ``style`` adds classes to those of this module."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}" '
        f'font-family="system-ui, sans-serif" font-size="11"><style>{_STYLE}{style}\n</style>\n'
        f'<rect class="paper" width="{width}" height="{height}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def text(x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal", kind: str = "text") -> str:
    """A line of text."""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{html.escape(text)}</text>"
    )
