"""Heat maps as SVG and PNG, without a plotting library."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone._core.inspect import svg as _svg

if TYPE_CHECKING:
    from rowstone.schema.heat._map import HeatMap, Side

_LEFT, _TOP, _WIDTH, _CELL_HEIGHT, _GAP = 200, 40, 640, 13, 76
_RIGHT = 260
_LABEL = 28
_ABOUT = "Time to the right, keys downwards; a fuller colour is more."
_PIXELS = 12
_WHITE = (255, 255, 255)


def colour(value: float, highest: float) -> tuple[int, int, int]:
    """Colour scale from white over yellow and red to dark, by the square root of the share so that low values show."""
    if value <= 0 or highest <= 0:
        return (245, 245, 245)
    stops = ((255, 243, 178), (253, 141, 60), (189, 0, 38), (84, 0, 33))
    place = (value / highest) ** 0.5 * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    part = place - low
    red, green, blue = (
        round(one + (other - one) * part) for one, other in zip(stops[low], stops[low + 1], strict=True)
    )
    return red, green, blue


def svg(found: HeatMap, splits: Sequence[bytes] = ()) -> str:
    """Both sides, one below the other."""
    parts, y = [], _TOP
    for name, side in (("reads", found.reads), ("writes", found.writes)):
        drawn, height = _panel(name, side, y, splits)
        parts += drawn
        y += height + _GAP
    width = _LEFT + _WIDTH + (_RIGHT if splits else 20)
    background = _svg.rect(0, 0, width, y, fill="white")
    return _svg.picture([background, *parts], y, f"Heat map of {found.table}", _ABOUT, width)


def _panel(name: str, side: Side, top: int, splits: Sequence[bytes]) -> tuple[list[str], int]:
    """The elements and the height of one side."""
    if not side.windows:
        return [_words(_LEFT, top, f"{name}: none")], 10
    slots, highest = side.slots, max(map(max, side.cells))
    height, width = len(side.starts) * _CELL_HEIGHT, _WIDTH / (slots[-1] + 1)
    parts = [_words(_LEFT, top - 8, f"{name}: {side.total:,} rows"), '<g class="cells">']
    parts.append(_svg.rect(_LEFT, top, _WIDTH, height, fill="rgb(245,245,245)"))
    for slot, cells in zip(slots, side.cells, strict=True):
        for place, value in enumerate(cells):
            if value > 0:
                x, y = f"{_LEFT + slot * width:.2f}", top + place * _CELL_HEIGHT
                fill = "rgb({},{},{})".format(*colour(value, highest))
                parts.append(_svg.rect(x, y, f"{width:.2f}", _CELL_HEIGHT, fill=fill))
    parts.append("</g>")
    for place, start in enumerate(side.starts):
        if start:
            parts.append(_words(_LEFT - 6, top + place * _CELL_HEIGHT + 10, printable(start)[:_LABEL], "end"))
    parts += _splits(side, splits, top)
    last = side.windows[-1]
    parts.append(_words(_LEFT, top + height + 14, _moment(side.windows[0].start_ms)))
    parts.append(_words(_LEFT + _WIDTH, top + height + 14, _moment(last.start_ms + last.width_ms), "end"))
    for line, pattern in enumerate(side.patterns):
        parts.append(_words(_LEFT, top + height + 28 + 13 * line, str(pattern)))
    return parts, height


def _splits(side: Side, splits: Sequence[bytes], top: int) -> Iterator[str]:
    """A line before the first key range at or after each split, with the split key; one for all of the same range."""
    seen = [place for place, start in enumerate(side.starts) if start]
    groups: dict[int, list[bytes]] = {}
    for split in splits:
        at = next((place for place in seen if side.starts[place] >= split), len(side.starts))
        groups.setdefault(at, []).append(split)
    for at, keys in groups.items():
        y, more = top + at * _CELL_HEIGHT, f" and {len(keys) - 1:,} more" if len(keys) > 1 else ""
        yield (
            f'<line class="split" x1="{_LEFT}" y1="{y}" x2="{_LEFT + _WIDTH + 8}" y2="{y}" stroke="black" '
            'stroke-width="1" stroke-dasharray="3 2"/>'
        )
        yield _words(
            _LEFT + _WIDTH + 12, y + 4 if at < len(side.starts) else y - 2, f"split {printable(keys[0])[:_LABEL]}{more}"
        )


def _moment(milliseconds: int) -> str:
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return str(milliseconds)


def _words(x: int, y: int, text: str, anchor: str = "start") -> str:
    return _svg.words(x, y, text, anchor, fill="black")


def png(found: HeatMap) -> bytes:
    """Both sides, reads on the left: one square per window and range."""
    sides = [_grid(side) for side in (found.reads, found.writes)]
    rows = [[*left, _WHITE, *right] for left, right in zip(*sides, strict=True)]
    lines = []
    for row in rows:
        line = b"".join(bytes(pixel) * _PIXELS for pixel in row)
        # Each line starts with its PNG filter type: none.
        lines += [b"\0" + line] * _PIXELS
    width, height = len(rows[0]) * _PIXELS, len(rows) * _PIXELS
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pieces = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in pieces)


def _grid(side: Side) -> list[list[tuple[int, int, int]]]:
    """One line per key range, one colour per window."""
    count = side.slots[-1] + 1 if side.windows else 1
    highest = max(map(max, side.cells), default=0.0)
    grid = [[colour(0, 1)] * count for _ in side.starts]
    for slot, cells in zip(side.slots, side.cells, strict=True):
        for place, value in enumerate(cells):
            grid[place][slot] = colour(value, highest)
    return grid


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
