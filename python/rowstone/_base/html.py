"""HTML for notebooks: plain tables, escaped, and truncated if they would be long."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rowstone._base.printable import printable, printable_text

if TYPE_CHECKING:
    from rowstone import _native
    from rowstone._base.schema import TableSchema

_SHOWN_CELLS = 50
_SHOWN_ROWS = 20
_SHOWN_BYTES = 80


def escape_text(text: str) -> str:
    r"""Text escaped for HTML and SVG; control characters as ``\xNN``.

    >>> escape_text("<b>\x00")
    '&lt;b&gt;\\x00'
    """
    return html.escape(printable_text(text, keeps_lines=True))


def table_html(headings: Sequence[str], lines: Iterable[Sequence[str]], caption: str = "") -> str:
    """An HTML table; all texts are escaped."""
    head = "".join(f"<th style='text-align:left'>{html.escape(heading)}</th>" for heading in headings)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(text)}</td>" for text in line) + "</tr>"
        for line in lines
    )
    title = f"<caption style='text-align:left'>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def short(data: bytes) -> str:
    """`printable`, cut at 80 bytes."""
    return printable(data, _SHOWN_BYTES)


def row_html(row: "_native.Row") -> str:
    """A row: a line per cell."""
    cells = row.cells
    lines = [(short(cell.column), str(cell.timestamp), cell.type, short(cell.value)) for cell in cells[:_SHOWN_CELLS]]
    if len(cells) > _SHOWN_CELLS:
        lines.append((f"… {len(cells) - _SHOWN_CELLS:,} more cells", "", "", ""))
    return table_html(("column", "timestamp", "type", "value"), lines, f"row {short(row.key)}")


def scanner_html(scanner: "_native.Scanner") -> str:
    """The first rows of a scan, read by a separate scan: the scanner keeps its position."""
    with scanner._preview(_SHOWN_ROWS + 1) as rows:
        shown = list(rows)
    more = len(shown) > _SHOWN_ROWS
    columns = list(dict.fromkeys(column for row in shown[:_SHOWN_ROWS] for column in row))[:12]
    lines = [(short(row.key), *(short(row.get(column, b"")) for column in columns)) for row in shown[:_SHOWN_ROWS]]
    caption = f"{scanner!r}: " + (f"first {_SHOWN_ROWS} rows" if more else f"{len(shown)} rows")
    return table_html(("row", *(short(column) for column in columns)), lines, caption)


def stats_html(stats: Mapping[str, int]) -> str:
    """Statistics: a line per number."""
    return table_html(("name", "value"), [(name, f"{value:,}") for name, value in stats.items()])


def database_html(path: str, schemas: Iterable["TableSchema"]) -> str:
    """A database: a line per table."""
    lines = [(schema.name, ", ".join(short(name) for name in schema.families)) for schema in schemas]
    return table_html(("table", "families"), lines, f"database {path}")
