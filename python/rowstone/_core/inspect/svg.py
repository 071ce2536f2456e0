"""SVG pictures without a plotting library: elements, bars and lines.

Charts are as wide as their container: positions across are percentages, so that text keeps its size on a small screen.
Colors are attributes, which a style sheet may replace; text has the color of the text around the picture.
"""

import math
from collections.abc import Iterable, Sequence

from rowstone._base.html import escape_text
from rowstone._base.printable import printable_text

ACCENT = "#0e8a94"
"""A color with a contrast of at least 3 to 1 on white and on black."""
_LINE_HEIGHT, _BAR_HEIGHT, _PLOT_HEIGHT = 18, 10, 160
_BOX_HEIGHT, _STRIP_HEIGHT = 18, 44
_LABEL_CHARACTERS = 22
Number = float | None


def words(x: object, y: object, text: str, anchor: str = "start", *, fill: str = "currentColor") -> str:
    """An element with text."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}">{escape_text(text)}</text>'


def rect(
    x: object, y: object, width: object, height: object, *, fill: str = ACCENT, title: str = "", opacity: float = 1.0
) -> str:
    """A rectangle; ``title`` is shown while the pointer is on it."""
    clear = f' fill-opacity="{opacity:.2f}"' if opacity < 1 else ""
    drawn = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"{clear}/>'
    return f"<g><title>{escape_text(title)}</title>{drawn}</g>" if title else drawn


def picture(parts: Iterable[str], height: int, title: str, description: str = "", width: int | None = None) -> str:
    """A picture with its title for screen readers; without ``width`` it is as wide as its container."""
    size = f'width="100%" height="{height}"'
    if width is not None:
        size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    about = f"<desc>{escape_text(description)}</desc>" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" {size} font-family="sans-serif" '
        f'font-size="12"><title>{escape_text(title)}</title>{about}{"".join(parts)}</svg>'
    )


def bars(lines: Sequence[tuple[str, Number, str]], title: str) -> str:
    """A bar for each line of label, number and the number's text. Lines without a number have no bar.

    >>> bars([("a", 1.0, "1"), ("b", 4.0, "4")], "counts").count('width="25.0%"')
    1
    """
    scaled = _scaled([number for _, number, _ in lines])
    known = [number for number in scaled if number is not None]
    lowest, highest = min([0.0, *known]), max([0.0, *known])
    whole = (highest - lowest) or 1.0
    parts = []
    for place, ((label, _, text), number) in enumerate(zip(lines, scaled, strict=True)):
        top = place * (_LINE_HEIGHT + _BAR_HEIGHT + 4)
        parts += [words(0, top + 13, _cut(label)), words("100%", top + 13, text[:_LABEL_CHARACTERS], "end")]
        if number is not None:
            left, wide = 100 * (min(number, 0.0) - lowest) / whole, 100 * abs(number) / whole
            parts.append(rect(f"{left:.1f}%", top + _LINE_HEIGHT, f"{wide:.1f}%", _BAR_HEIGHT))
    return picture(parts, len(lines) * (_LINE_HEIGHT + _BAR_HEIGHT + 4), title, f"{len(lines)} bars from 0")


def strips(
    lines: Sequence[tuple[str, Sequence[tuple[str, Number]]]], ticks: Sequence[tuple[int, str]], title: str
) -> str:
    """Strips of boxes, one below the other: more of a number has a fuller color. All strips have equally many boxes.

    Args:
        lines: For each strip its label, and for each box its title and number.
        ticks: Numbers of boxes, and the texts below their left edges.
    """
    parts = []
    for place, (label, boxes) in enumerate(lines):
        top, width = place * _STRIP_HEIGHT, 100 / max(len(boxes), 1)
        parts.append(words(0, top + 13, label))
        for number, ((about, _), share) in enumerate(zip(boxes, _scaled([one for _, one in boxes]), strict=True)):
            opacity = 0.06 + 0.94 * math.sqrt(share or 0.0)
            at, wide = f"{number * width:.3f}%", f"{width:.3f}%"
            parts.append(rect(at, top + _LINE_HEIGHT, wide, _BOX_HEIGHT, title=about, opacity=opacity))
    bottom = len(lines) * _STRIP_HEIGHT
    count = len(lines[0][1]) if lines else 0
    for number, text in ticks:
        at = f"{100 * number / count:.3f}%"
        top = bottom - _STRIP_HEIGHT + _LINE_HEIGHT
        parts.append(f'<line x1="{at}" x2="{at}" y1="{top}" y2="{bottom}" stroke="currentColor"/>')
        parts.append(words(at, bottom + 10, text))
    return picture(parts, bottom + 18, title, f"{count} boxes from the first key to the last; a fuller color is more")


def line(points: Sequence[tuple[float, float]], title: str, texts: Sequence[str]) -> str:
    """A line through points in order of x. ``texts``: the lowest and highest x, the lowest and highest y."""
    xs, ys = (_parts(values) for values in zip(*points, strict=True))
    drawn = " ".join(f"{x:.2f},{100 - y:.2f}" for x, y in zip(xs, ys, strict=True))
    left, right, low, high = texts
    bottom = _LINE_HEIGHT + _PLOT_HEIGHT
    parts = [
        words(0, 13, f"{high}"),
        f'<svg y="{_LINE_HEIGHT}" width="100%" height="{_PLOT_HEIGHT}" viewBox="0 -1 100 102" '
        f'preserveAspectRatio="none"><polyline points="{drawn}" fill="none" stroke="{ACCENT}" stroke-width="2" '
        'vector-effect="non-scaling-stroke"/></svg>',
        words(0, bottom + 15, f"{low}"),
        words(0, bottom + 33, left),
        words("100%", bottom + 33, right, "end"),
    ]
    return picture(parts, bottom + 38, title, f"{len(points)} points, from {left} to {right}, between {low} and {high}")


def _cut(text: str) -> str:
    text = printable_text(text[: _LABEL_CHARACTERS + 1], keeps_lines=True)
    return f"{text[:_LABEL_CHARACTERS]}…" if len(text) > _LABEL_CHARACTERS else text


def _scaled(numbers: Sequence[Number]) -> list[Number]:
    """Numbers divided by the largest magnitude, so that their differences are finite."""
    known = [number if number is not None and math.isfinite(number) else None for number in numbers]
    largest = max((abs(number) for number in known if number is not None), default=0.0) or 1.0
    return [None if number is None else number / largest for number in known]


def _parts(values: Sequence[float]) -> list[float]:
    """Positions of finite numbers between the lowest and the highest, in percent; 50 if all are equal."""
    scaled = [number or 0.0 for number in _scaled(values)]
    lowest, whole = min(scaled), max(scaled) - min(scaled)
    return [100 * (number - lowest) / whole if whole else 50.0 for number in scaled]
