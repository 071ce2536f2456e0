"""``/edit/NAME``: put, increment and delete, each with a preview. Only with ``--write``.

A form leads to a preview, and the preview's button applies the change. Both are POST requests with the token of the
site, which pages of other sites cannot read. Applied changes are recorded by the logger ``rowstone.audit``.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section, table
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import Look, data, head
from rowstone.server.dashboard.data._query import Query
from rowstone.server.dashboard.data._values import age, codecs_of, show_value
from rowstone.server.dashboard.data.change._change import SCOPES, Change, Touched, Unconfirmed, change_of, find_touched
from rowstone.server.dashboard.data.change._forms import form, forms, hidden
from rowstone.server.dashboard.data.change._undo import Undo, find_undo, remember, visible_before

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone._native import Cell

_log = logging.getLogger("rowstone.audit")
_SHOWN_CELLS = 100
_STAYING = "{} versions with future timestamps, which stay visible"


def body(site: Site, request: Request, budget: Budget) -> Markup:
    """The forms; after a POST the preview of a change."""
    source = request.database.table(request.rest)
    codecs = codecs_of(source.schema.attributes)
    if not request.form:
        return forms(site, request, codecs)
    change = change_of(request.form, codecs)
    look = Look(Query(request.rest), codecs, round(time.time() * 1000))
    undo = _undo_of(site, request, source, change, budget)
    touched = find_touched(source, change, budget)
    staying = [cell for cell in touched.cells if change.stays_visible(cell, look.now_ms)]
    cells = [cell for cell in touched.cells if not change.stays_visible(cell, look.now_ms)]
    shown_cells, after = _before(cells, look), _after(change, cells, look)
    fields = {**change.fields(), "seen": touched.state, **({"undo": "1"} if undo else {})}
    confirm = form(site, request, "apply", joined(map(hidden, fields.items())), "Apply")
    return joined(
        [
            head(f"preview: {change.kind}", request.rest, change.key),
            section(_title(change, len(cells), touched), shown_cells),
            section(_STAYING.format(count(len(staying))), _before(staying, look)) if staying else Markup(""),
            section("Visible then", _before(list(undo.before), look)) if undo else after,
            section(
                "Apply?",
                notice(_too_large(touched)) if touched.limit else confirm,
                note=link(_row_page(request.rest, change.key), "back to the row"),
            ),
        ]
    )


def apply(site: Site, request: Request, budget: Budget) -> str:
    """Apply a change that was previewed; the address of its row. Raises `Unconfirmed` if the cells have changed."""
    source = request.database.table(request.rest)
    change = change_of(request.form, codecs_of(source.schema.attributes))
    undo = _undo_of(site, request, source, change, budget)
    touched = find_touched(source, change, budget)
    if touched.limit:
        raise InvalidArgument(_too_large(touched))
    if touched.state != request.form.get("seen"):
        raise Unconfirmed("the cells have changed since the preview: check them again")
    before = visible_before(source, change, budget)
    budget.check()
    change.apply(source)
    words = f"{change} (undo of {undo.text})" if undo else change
    _log.info("change user=%r from=%s table=%s %s", request.user, request.client, request.rest, words)
    if undo is not None:
        site.changes.remove(undo)
    elif before is not None:
        remember(site, request.user, source, change, before, budget)
    return _row_page(request.rest, change.key)


def _undo_of(site: Site, request: Request, source: Table, change: Change, budget: Budget) -> Undo | None:
    """The undo that a form asks for, if it does. Raises `InvalidArgument` if it would no longer be exact."""
    if not request.form.get("undo"):
        return None
    found = find_undo(site, request.user, source, change.key, budget)
    if found is None or found.change != change:
        raise InvalidArgument("the change cannot be undone any more: the stored versions of the column have changed")
    return found


def offer_undo(site: Site, request: Request, key: bytes, budget: Budget) -> Markup:
    """A form that leads to the preview of the undo of the row's last change; empty if that would not be exact."""
    found = find_undo(site, request.user, request.database.table(request.rest), key, budget)
    if found is None:
        return Markup("")
    fields = joined(map(hidden, {**found.change.fields(), "undo": "1"}.items()))
    return joined([markup("<p>{}</p>", code(found.text)), form(site, request, "preview", fields, "Undo this change")])


def record_refusal(request: Request, reason: str) -> None:
    """Record a change that was refused."""
    _log.warning(
        "refused change user=%r from=%s table=%r reason: %s", request.user, request.client, request.rest, reason
    )


def _row_page(of_table: str, key: bytes) -> str:
    return address_of("row", of_table, key=printable(key))


def _too_large(touched: Touched) -> str:
    return f"the limit of {touched.limit} ended the preview: delete less at once, or use the shell or Python"


def _title(change: Change, number: int, touched: Touched) -> str:
    if change.kind != "delete":
        return "Newest version now"
    least = "At least " if touched.limit else ""
    return f"{least}{count(number)} visible versions that the delete hides ({SCOPES[change.scope]})"


def _before(cells: list[Cell], look: Look) -> Markup:
    def line(cell: Cell) -> list[object]:
        value = show_value(cell.value, look.codecs.of(cell.column)).text
        return [code(printable(cell.column, 100)), value, size(len(cell.value)), age(cell.timestamp, look.now_ms)]

    lines = map(line, cells[:_SHOWN_CELLS])
    more = markup('<p class="note">and {} more</p>', count(len(cells) - _SHOWN_CELLS))
    return joined(
        [
            data(table(("Column", "Value", "Size", "Age"), lines, numbers=(2,), empty="No cell.")),
            more if len(cells) > _SHOWN_CELLS else Markup(""),
        ]
    )


def _after(change: Change, cells: list[Cell], look: Look) -> Markup:
    if change.kind == "delete":
        note = "It also hides cells that are put later with an older or the same timestamp, and cannot be undone here."
        return markup('<p class="note">{}</p>', note)
    if change.kind == "increment":
        old = int.from_bytes(cells[0].value, "big", signed=True) if cells else 0
        if cells and len(cells[0].value) != 8:
            raise InvalidArgument(
                f"column '{printable(change.column)}' has {len(cells[0].value)} bytes, no counter of 8"
            )
        return section("Then", markup("<pre>{} + {} = {}</pre>", old, change.amount, old + change.amount))
    found = show_value(change.value, look.codecs.of(change.column), limit=400)
    note = f"{found.label}, {size(len(change.value))}"
    if cells and change.is_older(cells[0], look.now_ms):
        note += "; an older timestamp than that of the newest version, which reads still return"
    return section("Then", markup('<pre class="wrap">{}</pre>', found.text or "(empty)"), note=note)
