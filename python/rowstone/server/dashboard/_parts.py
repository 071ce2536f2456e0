"""Page components: tables, cards, bars, curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rowstone.server.dashboard._markup import Markup, escaped, joined, markup

_WIDTH, _HEIGHT = 240, 48


def cards(parts: Iterable[tuple[str, object, object]], *, wide: bool = False) -> Markup:
    """Cards in rows of six, or with ``wide`` of four: a name, the figure, a note."""
    each = (
        markup('<div class="card"><span>{}</span><strong>{}</strong><small>{}</small></div>', *part) for part in parts
    )
    return markup('<div class="cards{}">{}</div>', " wide" if wide else "", joined(each))


def table(
    headings: Sequence[object], rows: Iterable[Sequence[object]], *, numbers: Iterable[int] = (), empty: str = "None."
) -> Markup:
    """A table.

    Args:
        numbers: Numeric columns, aligned right.
        empty: Text to print if there are no rows.
    """
    right = set(numbers)

    def cell(tag: str, place: int, value: object) -> Markup:
        side = Markup(' class="n"') if place in right else ""
        return markup("<{}{}>{}</{}>", Markup(tag), side, value, Markup(tag))

    def line(tag: str, values: Sequence[object]) -> Markup:
        return markup("<tr>{}</tr>", joined(cell(tag, place, value) for place, value in enumerate(values)))

    body = joined(line("td", row) for row in rows)
    if not body:
        return markup('<p class="empty">{}</p>', empty)
    head = line("th", headings)
    return markup(
        '<div class="scroll" tabindex="0"><table><thead>{}</thead><tbody>{}</tbody></table></div>', head, body
    )


def section(title: object, *parts: Markup, note: object = "") -> Markup:
    """A section with its own heading."""
    said = markup('<p class="note">{}</p>', note) if note else Markup("")
    return markup("<section><h2>{}</h2>{}{}</section>", title, said, joined(parts))


def notice(text: str | None) -> Markup:
    """A warning to the operator at the top of a page; empty if there is none. Markup stays as it is."""
    if not text:
        return Markup("")
    shown = text if isinstance(text, Markup) else text[:1].upper() + text[1:]
    return markup('<p class="notice" role="alert">{}</p>', shown)


def done(*parts: object) -> Markup:
    """The outcome of what the user has just done."""
    return markup('<div class="notice done" role="status">{}</div>', joined(map(escaped, parts)))


def link(address: str, text: object) -> Markup:
    """A link to one of our pages."""
    return markup('<a href="{}">{}</a>', address, text)


def tag(text: object, kind: str = "") -> Markup:
    """A short label with a color: ``good``, ``bad``, ``warm`` or none."""
    return markup('<span class="tag {}">{}</span>', kind, text)


def code(value: object) -> Markup:
    """Keys and names in code style."""
    return markup("<code>{}</code>", value)


def bar(part: float, whole: float, label: str) -> Markup:
    """A fraction as a bar."""
    width = 100 * min(max(part / whole, 0.0), 1.0) if whole else 0.0
    return markup(
        '<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="rest" width="100" height="6" rx="1"/><rect class="part" width="{:}" height="6" rx="1"/></svg>',
        label,
        f"{width:.1f}",
    )


def curve(title: object, values: Sequence[float], shown: str) -> Markup:
    """A curve over time with its last value."""
    highest = max(values, default=0.0) or 1.0
    step = _WIDTH / max(len(values) - 1, 1)
    points = " ".join(
        f"{place * step:.1f},{_HEIGHT - 2 - (_HEIGHT - 6) * value / highest:.1f}" for place, value in enumerate(values)
    )
    area = f"0,{_HEIGHT} {points} {_WIDTH},{_HEIGHT}" if values else ""
    drawn = markup(
        '<svg viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">'
        '<polygon class="area" points="{}"/><polyline class="line" points="{}"/></svg>',
        _WIDTH,
        _HEIGHT,
        area,
        points,
    )
    return markup('<figure class="curve"><figcaption>{}<b>{}</b></figcaption>{}</figure>', title, shown, drawn)


def curves(*parts: Markup) -> Markup:
    """Curves in a row."""
    return markup('<div class="curves">{}</div>', joined(parts))


def definitions(pairs: Iterable[tuple[object, object]]) -> Markup:
    """A definition list."""
    return markup(
        "<dl>{}</dl>", joined(markup("<dt>{}</dt><dd>{}</dd>", name, escaped(value)) for name, value in pairs)
    )
