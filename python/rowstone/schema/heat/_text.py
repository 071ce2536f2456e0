"""Heat map for terminals: time to the right, keys downwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.schema.heat._labels import label
from rowstone.schema.heat._patterns import time_text

if TYPE_CHECKING:
    from rowstone.schema.heat._map import HeatMap
    from rowstone.schema.heat._side import Side

_SHADES = " ░▒▓█"
_KEY_WIDTH = 24


def drawn(found: HeatMap) -> str:
    """Both sides, one below the other."""
    return "\n\n".join(_side(name, side) for name, side in (("reads", found.reads), ("writes", found.writes)))


def shade(value: float, highest: float) -> int:
    """Shade from 0 (nothing) to 4: quarters of the square root of the share, so that low values stay visible."""
    if value <= 0 or highest <= 0:
        return 0
    return min(4, 1 + int(3.999 * (value / highest) ** 0.5))


def _side(name: str, side: Side) -> str:
    if not side.windows:
        return f"{name}: {side.total_text}"
    slots, highest = side.slots, max(map(max, side.cells))
    lines = [f"{name}: {side.total_text} in {time_text((slots[-1] + 1) * side.windows[0].width_ms)}"]
    for place, start in enumerate(side.starts):
        line = [" "] * (slots[-1] + 1)
        for slot, cells in zip(slots, side.cells, strict=True):
            line[slot] = _SHADES[shade(cells[place], highest)]
        lines.append(f"{label(start, _KEY_WIDTH):<{_KEY_WIDTH}} {''.join(line)}".rstrip())
    lines.extend(map(str, side.patterns))
    return "\n".join(lines)
