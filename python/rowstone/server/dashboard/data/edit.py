"""``/edit/NAME``: put, increment and delete, each with a preview. Only with ``--write``.

A form leads to a preview, and the preview's button applies the change. Both are POST requests with the token of the
site, which pages of other sites cannot read. Applied changes are recorded by the logger ``rowstone.audit``.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rowstone._base.printable import from_printable, printable
from rowstone.errors import InvalidArgument
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, link, notice, section, table
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.data._budget import Budget
from rowstone.server.dashboard.data._cells import Look, data, head
from rowstone.server.dashboard.data._change import SCOPES, Change, Touched, Unconfirmed, change_of, find_touched
from rowstone.server.dashboard.data._query import Query
from rowstone.server.dashboard.data._values import age, codecs_of, show_value

if TYPE_CHECKING:
    from rowstone._native import Cell
    from rowstone.codecs import Codecs

_log = logging.getLogger("rowstone.audit")
_SHOWN_CELLS = 100
_STAYING = "{} versions with future timestamps, which stay visible"
_FORMS = {"text": "text", "escaped": r"bytes, \x00", "hex": "hexadecimal", "declared": "by the column's codec"}


def body(site: Site, request: Request, budget: Budget) -> Markup:
    """The forms; after a POST the preview of a change."""
    source = request.database.table(request.rest)
    codecs = codecs_of(source.schema.attributes)
    if not request.form:
        return _forms(site, request, codecs)
    change = change_of(request.form, codecs)
    look = Look(Query(request.rest), codecs, round(time.time() * 1000))
    touched = find_touched(source, change, budget)
    staying = [cell for cell in touched.cells if change.stays_visible(cell, look.now_ms)]
    cells = [cell for cell in touched.cells if not change.stays_visible(cell, look.now_ms)]
    shown_cells, after = _before(cells, look), _after(change, cells, look)
    fields = {**change.fields(), "seen": touched.state}
    confirm = _form(site, request, "apply", joined(map(_hidden, fields.items())), "Apply")
    return joined(
        [
            head(f"preview: {change.kind}", request.rest, change.key),
            section(_title(change, len(cells), touched), shown_cells),
            section(_STAYING.format(count(len(staying))), _before(staying, look)) if staying else Markup(""),
            after,
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
    touched = find_touched(source, change, budget)
    if touched.limit:
        raise InvalidArgument(_too_large(touched))
    if touched.state != request.form.get("seen"):
        raise Unconfirmed("the cells have changed since the preview: check them again")
    budget.check()
    change.apply(source)
    _log.info("change user=%r from=%s table=%s %s", request.user, request.client, request.rest, change)
    return _row_page(request.rest, change.key)


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
        note = "The delete also hides cells that are put later with an older or the same timestamp."
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


def _forms(site: Site, request: Request, codecs: Codecs) -> Markup:
    key, column = request.query.get("key", ""), request.query.get("column", "")
    codec = codecs.of(from_printable(column))
    place = joined(
        [
            _input("key", "Row key", key, "required"),
            _input("column", "Column", column, "", "family:qualifier"),
        ]
    )
    forms = [name for name in _FORMS if name != "declared" or codec is not None]
    forms = [*forms[-1:], *forms[:-1]] if codec is not None else forms
    value = markup('<label class="filter">Value<textarea name="value" rows="3"></textarea></label>')
    put = [
        place,
        value,
        _select("form", "Encoding", {name: _FORMS[name] for name in forms}),
        _input("timestamp", "Timestamp", "", "", "now"),
    ]
    increment = [place, _input("amount", "Amount", "1")]
    delete = [
        place,
        _select("scope", "Delete", SCOPES),
        _input("timestamp", "Timestamp", "", "", "of one version; newest"),
    ]
    kinds = (("put", put), ("increment", increment), ("delete", delete))
    return joined(
        [
            head("change", request.rest, from_printable(key) or None),
            *(
                section(
                    kind.capitalize(),
                    _form(site, request, "preview", joined([_hidden(("kind", kind)), *fields]), "Preview"),
                )
                for kind, fields in kinds
            ),
        ]
    )  # fmt: skip


def _form(site: Site, request: Request, step: str, fields: Markup, button: str) -> Markup:
    return markup(
        '<form class="query" method="post" action="{}">{}{}{}<button>{}</button></form>',
        address_of("edit", request.rest),
        _hidden(("token", site.token_of(request.user, "edit"))),
        _hidden(("step", step)),
        fields,
        button,
    )


def _hidden(field: tuple[str, str]) -> Markup:
    return markup('<input type="hidden" name="{}" value="{}">', *field)


def _input(name: str, title: str, value: str, flag: str = "", hint: str = "") -> Markup:
    return markup(
        '<label>{}<input type="search" name="{}" value="{}" placeholder="{}" {}></label>',
        title,
        name,
        value,
        hint,
        flag,
    )


def _select(name: str, title: str, options: Mapping[str, str]) -> Markup:
    drawn = joined(markup('<option value="{}">{}</option>', key, text) for key, text in options.items())
    return markup('<label>{}<select name="{}">{}</select></label>', title, name, drawn)
