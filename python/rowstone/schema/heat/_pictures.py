"""Heat maps as SVG and PNG, without a plotting library."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rowstone._core.inspect import svg as _svg
from rowstone.schema.heat._estimate import counted_rows
from rowstone.schema.heat._labels import label
from rowstone.schema.heat._patterns import time_text

if TYPE_CHECKING:
    from rowstone.schema.heat._map import HeatMap
    from rowstone.schema.heat._side import Side

_LEFT, _TOP, _WIDTH, _CELL_HEIGHT, _GAP = 200, 40, 640, 13, 76
_RIGHT = 260
_LABEL = 28
_SCALE_BOX, _SCALE_STEPS, _SCALE_TEXT = 16, 4, 190
_ABOUT = "Time to the right, keys downwards; above each part is the scale of its colors."
_SECOND_MS = 1_000
_PIXELS = 12
_WHITE = (255, 255, 255)


def color(value: float, highest: float) -> tuple[int, int, int]:
    """Color scale from white over yellow and red to dark, by the square root of the share so that low values show."""
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
    """Both sides, one below the other. Key labels have a group of their own, which pages move on small screens."""
    keys: list[str] = []
    parts: list[str] = []
    y = _TOP
    for name, side in (("reads", found.reads), ("writes", found.writes)):
        if not side.windows:
            parts.append(_words(_LEFT, y, f"{name}: {side.total_text}"))
            y += 10 + _GAP
            continue
        keys += _labels(found, side, y)
        parts += _panel(name, side, y, splits)
        y += len(side.starts) * _CELL_HEIGHT + _GAP
    width = _LEFT + _WIDTH + (_RIGHT if splits else 20)
    background = _svg.rect(0, 0, width, y, fill="white")
    groups = ('<g class="keys">', *keys, '</g><g class="plane">', *parts, "</g>")
    return _svg.picture([background, *groups], y, f"Heat map of {found.table}", _ABOUT, width)


def _labels(found: HeatMap, side: Side, top: int) -> Iterator[str]:
    """The keys of the ranges, and the ends of the axis."""
    yield _words(_LEFT - 6, top - 8, label(found.start, _LABEL) or "first key", "end")
    for place, start in enumerate(side.starts):
        if start:
            yield _words(_LEFT - 6, top + place * _CELL_HEIGHT + 10, label(start, _LABEL), "end")
    before = "before "
    end = before + label(found.stop, _LABEL - len(before)) if found.stop else "last key"
    yield _words(_LEFT - 6, top + len(side.starts) * _CELL_HEIGHT + 14, end, "end")


def _panel(name: str, side: Side, top: int, splits: Sequence[bytes]) -> Iterator[str]:
    """The boxes of one side, their scale, times and patterns."""
    slots, highest = side.slots, max(map(max, side.cells))
    height, width = len(side.starts) * _CELL_HEIGHT, _WIDTH / (slots[-1] + 1)
    yield _words(_LEFT, top - 8, f"{name}: {side.total_text}")
    yield '<g class="cells">'
    yield _svg.rect(_LEFT, top, _WIDTH, height, fill="rgb(245,245,245)")
    for slot, cells in zip(slots, side.cells, strict=True):
        for place, value in enumerate(cells):
            if value > 0:
                x, y = f"{_LEFT + slot * width:.2f}", top + place * _CELL_HEIGHT
                yield _svg.rect(x, y, f"{width:.2f}", _CELL_HEIGHT, fill=_fill(value, highest))
    yield "</g>"
    yield from _scale(side, highest, top - 18)
    yield from _splits(side, splits, top)
    yield from _times(side, top + height + 14)
    for line, pattern in enumerate(side.patterns):
        yield _words(_LEFT, top + height + 28 + 13 * line, str(pattern))


def _fill(value: float, highest: float) -> str:
    return "rgb({},{},{})".format(*color(value, highest))


def _scale(side: Side, highest: float, y: int) -> Iterator[str]:
    """Colors from no rows to the most in a box. Colors go by the square root, so that their steps are equal."""
    right = _LEFT + _WIDTH - _SCALE_TEXT
    left = right - (_SCALE_STEPS + 1) * _SCALE_BOX
    yield _words(left - 5, y + 10, "0", "end")
    yield '<g class="cells">'
    for step in range(_SCALE_STEPS + 1):
        fill = _fill(highest * (step / _SCALE_STEPS) ** 2, highest)
        yield _svg.rect(left + step * _SCALE_BOX, y, _SCALE_BOX, 12, fill=fill)
    yield "</g>"
    yield _words(right + 5, y + 10, f"{counted_rows(highest, is_estimate=side.is_sample)} in a box")


def _times(side: Side, y: int) -> Iterator[str]:
    """The first and the last moment, and the width of a column between them."""
    first, last = side.windows[0], side.windows[-1]
    has_fraction = first.width_ms < _SECOND_MS
    yield _words(_LEFT, y, f"{_moment(first.start_ms, has_fraction)} UTC")
    yield _words(_LEFT + _WIDTH // 2, y, f"a column is {time_text(first.width_ms)}", "middle")
    yield _words(_LEFT + _WIDTH, y, f"{_moment(last.start_ms + last.width_ms, has_fraction)} UTC", "end")


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
            _LEFT + _WIDTH + 12, y + 4 if at < len(side.starts) else y - 2, f"split {label(keys[0], _LABEL)}{more}"
        )


def _moment(milliseconds: int, has_fraction: bool) -> str:
    try:
        moment = datetime.fromtimestamp(milliseconds / 1000, UTC).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        return str(milliseconds)
    return moment.isoformat(" ", "milliseconds" if has_fraction else "seconds")


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
    """One line per key range, one color per window."""
    count = side.slots[-1] + 1 if side.windows else 1
    highest = max(map(max, side.cells), default=0.0)
    grid = [[color(0, 1)] * count for _ in side.starts]
    for slot, cells in zip(side.slots, side.cells, strict=True):
        for place, value in enumerate(cells):
            grid[place][slot] = color(value, highest)
    return grid


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
