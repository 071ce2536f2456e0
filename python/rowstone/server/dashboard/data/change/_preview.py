"""Parts of a preview: the versions that a delete hides, the old and the new value of a put or an increment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, section, table
from rowstone.server.dashboard._words import count, counted, size
from rowstone.server.dashboard.data._cells import Look, data
from rowstone.server.dashboard.data._values import age, show_value
from rowstone.server.dashboard.data.change._change import SCOPES, Change, Touched

if TYPE_CHECKING:
    from rowstone._native import Cell
    from rowstone.codecs import Codec

_SHOWN_CELLS = 100


def delete_title(change: Change, number: int, touched: Touched) -> str:
    """The number of versions that a delete hides."""
    least = "At least " if touched.limit else ""
    return f"{least}{counted(number, 'visible version')} that the delete hides ({SCOPES[change.scope]})"


def versions_table(cells: list[Cell], look: Look) -> Markup:
    """A line per version, up to a number of them."""

    def line(cell: Cell) -> list[object]:
        value = show_value(cell.value, look.codecs.of(cell.column)).text
        return [code(printable(cell.column, 100)), code(value), size(len(cell.value)), age(cell.timestamp, look.now_ms)]

    lines = map(line, cells[:_SHOWN_CELLS])
    more = markup('<p class="note">and {} more</p>', count(len(cells) - _SHOWN_CELLS))
    return joined(
        [
            data(table(("Column", "Value", "Size", "Age"), lines, numbers=(2,), empty="No cell.")),
            more if len(cells) > _SHOWN_CELLS else Markup(""),
        ]
    )


def delete_note(change: Change) -> Markup:
    """Further effects of a delete; empty for other changes."""
    note = "It also hides cells that are put later with an older or the same timestamp, and cannot be undone here."
    return markup('<p class="note">{}</p>', note) if change.kind == "delete" else Markup("")


def old_and_new(change: Change, cells: list[Cell], look: Look) -> Markup:
    """The newest value of the column and the one after a put or an increment, one below the other."""
    old = cells[0] if cells else None
    codec = look.codecs.of(change.column)
    note = ""
    if change.kind == "increment":
        then = _increased(change, old)
    else:
        then = _value_line("then", change.value, codec, "")
        if old is not None and change.is_older(old, look.now_ms):
            note = "An older timestamp than that of the newest version, which reads still return."
    now: list[object] = ["now", "No cell.", "", "", ""]
    if old is not None:
        now = _value_line("now", old.value, codec, age(old.timestamp, look.now_ms))
    title = markup("Old and new value of {}", code(printable(change.column, 100)))
    return section(title, data(table(("", "Value", "Type", "Size", "Age"), [now, then], numbers=(3,))), note=note)


def _increased(change: Change, old: Cell | None) -> list[object]:
    if old is not None and len(old.value) != 8:
        raise InvalidArgument(f"column '{printable(change.column)}' has {len(old.value)} bytes, no counter of 8")
    before = int.from_bytes(old.value, "big", signed=True) if old is not None else 0
    return ["then", code(f"{before} + {change.amount} = {before + change.amount}"), "counter", size(8), ""]


def _value_line(when: str, value: bytes, codec: Codec | None, written: object) -> list[object]:
    found = show_value(value, codec, limit=400)
    return [when, markup('<pre class="wrap">{}</pre>', found.text or "(empty)"), found.label, size(len(value)), written]
