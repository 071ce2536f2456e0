"""Charts of a query's result: bars for names and numbers, lines for numbers over numbers or over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from itertools import takewhile

from rowstone._base.printable import printable
from rowstone._core.inspect import svg
from rowstone.server.dashboard._markup import Markup, markup
from rowstone.server.dashboard._words import count

_MOST_CHARTS = 3
_MOST_BARS = 40
_LEAST_LINES = 2
_LOOKS_EQUAL, _VISIBLE = 0.9, 0.01
"""Shares of the longest bar: longer ones look as long, shorter ones are not seen."""
Lines = Sequence[Sequence[object]]


def charts(headings: Sequence[str], lines: Lines, name: Callable[[bytes], str] = printable) -> list[Markup]:
    """A chart for each of the first three columns of numbers; none if the other columns are not names, one number or
    one time.

    Columns of names must come first, then columns of numbers only. Bars that look equal are left out, and those of
    which only one has a visible length, because the table says as much.
    ``name``: Text of a name that is bytes.
    """
    if len(lines) < _LEAST_LINES:
        return []
    columns = list(zip(*lines, strict=True))
    names = list(takewhile(_is_name, columns))
    at = len(names) or 1
    values = columns[at:]
    if not values or not all(is_numbers(column) for column in values):
        return []
    chosen = list(zip(headings[at:], values, strict=True))
    if names:
        chosen = [one for one in chosen if _differ_visibly(one[1])][:_MOST_CHARTS]
        labels = [" ".join(_name(part, name) for part in parts) for parts in zip(*names, strict=True)]
        return [_bars(labels, column, heading) for heading, column in chosen]
    if None in columns[0] or not (is_numbers(columns[0]) or _is_time(columns[0])):
        return []
    found = (_line(columns[0], column, f"{heading} by {headings[0]}") for heading, column in chosen[:_MOST_CHARTS])
    return [drawn for drawn in found if drawn]


def _differ_visibly(column: Sequence[object]) -> bool:
    """Whether bars of different lengths would be seen, and more than one of them."""
    numbers = sorted(number for value in column if (number := _float(value)) is not None)
    if len(numbers) < _LEAST_LINES or numbers[0] < 0:
        return len(set(column)) > 1
    smallest, second, largest = numbers[0], numbers[-2], numbers[-1]
    return smallest < _LOOKS_EQUAL * largest and (second >= _VISIBLE * largest or len(numbers) == _LEAST_LINES)


def _bars(labels: Sequence[str], values: Sequence[object], heading: str) -> Markup:
    shown = list(zip(labels, values, strict=True))[:_MOST_BARS]
    lines = [(label, _float(value), "NULL" if value is None else _text(value)) for label, value in shown]
    first = f", the first {_MOST_BARS} rows" if len(labels) > _MOST_BARS else ""
    return _figure(f"{heading}{first}", svg.bars(lines, heading))


def _line(xs: Sequence[object], ys: Sequence[object], heading: str) -> Markup | None:
    points = [
        (place, height, x, y)
        for x, y in zip(xs, ys, strict=True)
        if (place := _float(x)) is not None and (height := _float(y)) is not None
    ]
    points.sort(key=lambda point: point[:2])
    if len(points) < _LEAST_LINES:
        return None
    low, high = (choose(points, key=lambda point: point[1])[3] for choose in (min, max))
    texts = [_text(value) for value in (points[0][2], points[-1][2], low, high)]
    return _figure(heading, svg.line([point[:2] for point in points], heading, texts))


def _figure(heading: str, drawn: str) -> Markup:
    return markup('<figure class="plot"><figcaption>{}</figcaption>{}</figure>', heading[:200], Markup(drawn))


def _is_name(column: Sequence[object]) -> bool:
    return all(isinstance(value, str | bytes) or value is None for value in column) and any(
        value is not None for value in column
    )


def is_numbers(column: Sequence[object]) -> bool:
    """Whether a column has numbers, and nothing else but NULL."""
    known = [value for value in column if value is not None]
    return bool(known) and all(
        isinstance(value, int | float | Decimal) and not isinstance(value, bool) for value in known
    )


def _is_time(column: Sequence[object]) -> bool:
    return all(isinstance(value, date) for value in column)


def _name(value: object, of_bytes: Callable[[bytes], str]) -> str:
    return of_bytes(value) if isinstance(value, bytes) else "NULL" if value is None else str(value)


def _float(value: object) -> float | None:
    """A number, or the seconds of a time since 1970; None if it is not finite."""
    if isinstance(value, date):
        moment = value if isinstance(value, datetime) else datetime.combine(value, time())
        return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
    if not isinstance(value, int | float | Decimal):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError):
        return None
    return number if abs(number) < float("inf") else None


def _text(value: object) -> str:
    return count(value) if isinstance(value, int) and abs(value) < 10**15 else str(value)
