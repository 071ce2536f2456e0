"""Parts of a preview: the versions that a delete hides, the old and the new value of a put or an increment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone._base.printable import counted, printable
from rowstone._core.inspect.moments import stamp_text
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, notice, section, table
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.data._cells import DisplayOptions, data
from rowstone.server.dashboard.data._times import age
from rowstone.server.dashboard.data._values import name_of, show_value
from rowstone.server.dashboard.data.change._change import SCOPES, Change, Touched

if TYPE_CHECKING:
    from rowstone._native import Cell
    from rowstone.codecs import Codec

_SHOWN_CELLS = 100


def delete_title(change: Change, number: int, touched: Touched) -> str:
    """The number of versions that a delete hides."""
    least = "At least " if touched.limit else ""
    return f"{least}{counted(number, 'visible version')} that the delete hides ({SCOPES[change.scope]})"


def versions_table(cells: list[Cell], options: DisplayOptions) -> Markup:
    """A line per version, up to a number of them."""

    def line(cell: Cell) -> list[object]:
        value = show_value(cell.value, options.codecs.of(cell.column)).text
        return [
            code(printable(cell.column, 100)),
            code(value),
            size(len(cell.value)),
            age(cell.timestamp, options.now_ms),
        ]

    lines = map(line, cells[:_SHOWN_CELLS])
    more = markup('<p class="note">and {} more</p>', count(len(cells) - _SHOWN_CELLS))
    return joined(
        [
            data(table(("Column", "Value", "Size", "Age"), lines, numbers=(2,), empty="No cell.")),
            more if len(cells) > _SHOWN_CELLS else Markup(""),
        ]
    )


def delete_note(change: Change) -> str:
    """Further effects of a delete."""
    which = "the same timestamp" if change.scope == "version" else "an older or the same timestamp"
    return f"It also hides cells that are put later with {which}, and cannot be undone here."


def old_and_new(change: Change, cells: list[Cell], options: DisplayOptions) -> Markup:
    """The newest value of the column and the one after a put or an increment, one below the other."""
    old = cells[0] if cells else None
    now: list[object] = ["No cell.", "", "", ""]
    if old is not None:
        now = _value(old.value, options.codecs.of(change.column), age(old.timestamp, options.now_ms))
    title = markup("Old and new value of {}", code(printable(change.column, 100)))
    if change.kind == "increment":
        lines, note = [["now", *now], ["after", *_increased(change, old)]], ""
    else:
        lines, note = _of_put(change, old, now, options)
    shown = data(table(("", "Value", "Type", "Size", "Age"), lines, numbers=(3,)))
    return section(title, notice(_codec_warning(change, options)), shown, note=note)


def _of_put(
    change: Change, old: Cell | None, now: list[object], options: DisplayOptions
) -> tuple[list[list[object]], str]:
    """The lines of a put, and what its timestamp means for reads."""
    notes = []
    stamp = options.now_ms if change.timestamp is None else change.timestamp
    written = _value(change.value, options.codecs.of(change.column), age(stamp, options.now_ms))
    lines = [["now", *now], ["after", *written]]
    if old is not None and change.is_older(old, options.now_ms):
        lines = [["now", *now], ["written", *written], ["after", *now]]
        notes.append("The put has an older timestamp than that of the newest version, which reads still return.")
    if change.is_of_future(options.now_ms):
        notes.append(
            f"The timestamp is in the future: {stamp_text(stamp)}. Until then, later puts without a timestamp do not "
            "replace this value, and deletes without one do not hide it."
        )
    return lines, " ".join(notes)


def _codec_warning(change: Change, options: DisplayOptions) -> str | None:
    """A warning if the declared codec of the column cannot decode the value of a put."""
    codec = options.codecs.of(change.column)
    if change.kind != "put" or codec is None or not show_value(change.value, codec).is_wrong:
        return None
    return f"the new value is not {name_of(codec)}, the codec of the column: typed reads of it will fail"


def _increased(change: Change, old: Cell | None) -> list[object]:
    if old is not None and len(old.value) != 8:
        held = counted(len(old.value), "byte")
        raise InvalidArgument(f"column '{printable(change.column)}' is not a counter: it has {held}, a counter has 8")
    before = int.from_bytes(old.value, "big", signed=True) if old is not None else 0
    return [code(f"{before} + {change.amount} = {before + change.amount}"), "counter", size(8), ""]


def _value(value: bytes, codec: Codec | None, written: object) -> list[object]:
    found = show_value(value, codec, limit=400)
    return [markup('<pre class="wrap">{}</pre>', found.text or "(empty)"), found.label, size(len(value)), written]
