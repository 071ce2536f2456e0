"""``/edit/NAME``: put, increment and delete, each with a preview. Only with ``--write``.

A form leads to a preview, and the preview's button applies the change. Both are POST requests with the token of the
site, which pages of other sites cannot read. Applied changes are recorded by the logger ``rowstone.audit``.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from rowstone._base.printable import counted, printable, printable_text
from rowstone.errors import InvalidArgument, UsageError
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import done, link, notice, section
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import size
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import DisplayOptions, head, row_address
from rowstone.server.dashboard.data._query import Query, bytes_of
from rowstone.server.dashboard.data._values import codecs_of, typed_value
from rowstone.server.dashboard.data.change._change import (
    Change,
    Touched,
    Unconfirmed,
    change_of,
    find_left,
    find_touched,
)
from rowstone.server.dashboard.data.change._forms import form, forms, hidden
from rowstone.server.dashboard.data.change._outcome import outcome_text, record_outcome, take_outcome
from rowstone.server.dashboard.data.change._preview import delete_note, delete_title, old_and_new, versions_table
from rowstone.server.dashboard.data.change._undo import Undo, find_undo, remember, visible_before

if TYPE_CHECKING:
    from rowstone._core.table import Table
    from rowstone.codecs import Codecs

_log = logging.getLogger("rowstone.audit")
_EMPHASES = {"put": "primary", "increment": "primary", "delete": "danger"}
"""Classes of the button that applies a change."""
_STAYING = "{} with future timestamps, which stay visible"


def body(site: Site, request: Request, budget: Budget) -> Markup:
    """The forms; after a POST the preview of a change."""
    source = request.database.table(request.rest)
    codecs = codecs_of(source.schema.attributes)
    if not request.form or request.form.get("step") == "form":
        return forms(site, request, codecs, _present(request, source, codecs, budget))
    change = change_of(request.form, codecs)
    options = DisplayOptions(Query(request.rest), codecs, round(time.time() * 1000))
    undo = _undo_of(site, request, source, change, budget)
    touched = find_touched(source, change, budget)
    staying = [cell for cell in touched.cells if change.stays_visible(cell, options.now_ms)]
    cells = [cell for cell in touched.cells if not change.stays_visible(cell, options.now_ms)]
    left = list(undo.before) if undo else find_left(source, change, touched, budget)
    if change.kind == "delete":
        note = "" if undo else delete_note(change)
        shown = section(delete_title(change, len(cells), touched), versions_table(cells, options), note=note)
    else:
        shown = old_and_new(change, cells, options)
    fields = {**change.fields(), "seen": touched.state, **({"undo": "1"} if undo else {})}
    confirm = form(site, request, "apply", joined(map(hidden, fields.items())), "Apply", _EMPHASES[change.kind])
    return joined(
        [
            head(f"preview: {change.kind} in row", request.rest, change.key, below="preview"),
            shown,
            section(_STAYING.format(counted(len(staying), "version")), versions_table(staying, options))
            if staying
            else Markup(""),
            section("Visible afterwards", versions_table(left, options)) if left is not None else Markup(""),
            section(
                "Apply?",
                notice(_too_large(touched)) if touched.limit else confirm,
                Markup("") if undo else _back_to_form(site, request, change),
                markup("<p>{}</p>", link(row_address(change.key, request.rest), "back to the row")),
            ),
        ]
    )


def _back_to_form(site: Site, request: Request, change: Change) -> Markup:
    """A button that leads back to the form with the change. Its value is as it was typed, or in hexadecimal if a field
    cannot hold it."""
    fields, typed = change.fields(), request.form.get("value", "").replace("\r\n", "\n")
    if printable_text(typed, keeps_lines=True) == typed:
        fields |= {"value": typed, "form": request.form.get("form", "text")}
    return form(site, request, "form", joined(map(hidden, fields.items())), "Back to the form")


def apply(site: Site, request: Request, budget: Budget) -> str:
    """Apply a change that was previewed; the address of its row. Raises `Unconfirmed` if the cells have changed."""
    source = request.database.table(request.rest)
    codecs = codecs_of(source.schema.attributes)
    change = change_of(request.form, codecs)
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
    outcome = outcome_text(source, change, undo is not None, codecs, budget)
    if undo is not None:
        site.changes.remove(undo)
    elif before is not None:
        remember(site, request.user, source, change, before, outcome, budget)
    number = record_outcome(site, request, change.key, outcome)
    return address_of("row", request.rest, key=printable(change.key), done=number)


def refused_page(site: Site, request: Request, error: UsageError) -> Markup:
    """The forms with what was typed, and why the change was refused. Raises the error if an undo was refused."""
    if request.form.get("undo"):
        raise error
    codecs = codecs_of(request.database.table(request.rest).schema.attributes)
    return joined([notice(str(error)), forms(site, request, codecs, {})])


def _present(request: Request, source: Table, codecs: Codecs, budget: Budget) -> dict[str, str]:
    """Fields of a put for the newest value of the column that the address names."""
    key, column = (bytes_of(request.query.get(name, ""), name) for name in ("key", "column"))
    if not key or b":" not in column:
        return {}
    cells = find_touched(source, Change("put", key, column), budget).cells
    if not cells:
        return {}
    text, typed_form = typed_value(cells[0].value, codecs.of(column))
    if not typed_form:
        return {"hint": f"The present value has {size(len(cells[0].value))}: too long to be shown here."}
    return {"value": text, "form": typed_form}


def _undo_of(site: Site, request: Request, source: Table, change: Change, budget: Budget) -> Undo | None:
    """The undo that a form asks for, if it does. Raises `InvalidArgument` if it would no longer be exact."""
    if not request.form.get("undo"):
        return None
    found = find_undo(site, request.user, source, change.key, budget)
    if found is None or found.change != change:
        raise InvalidArgument("the change cannot be undone any more: the stored versions of the column have changed")
    return found


def last_change(site: Site, request: Request, key: bytes, budget: Budget) -> Markup:
    """The outcome of a change, once, and while an undo is exact the form for its preview."""
    found = find_undo(site, request.user, request.database.table(request.rest), key, budget)
    outcome = take_outcome(site, request, key)
    if found is None:
        return done(outcome) if outcome else Markup("")
    fields = joined(map(hidden, {**found.change.fields(), "undo": "1"}.items()))
    offer = form(site, request, "preview", fields, "Undo this change")
    if outcome == found.outcome:
        return done(outcome, offer)
    last = markup('<div class="note undo"><span>Last put or increment: {}</span>{}</div>', found.outcome, offer)
    return joined([done(outcome) if outcome else Markup(""), last])


def record_refusal(request: Request, reason: str) -> None:
    """Record a change that was refused."""
    _log.warning(
        "refused change user=%r from=%s table=%r reason: %s", request.user, request.client, request.rest, reason
    )


def _too_large(touched: Touched) -> str:
    return f"the limit of {touched.limit} ended the preview: delete less at once, or use the shell or Python"
