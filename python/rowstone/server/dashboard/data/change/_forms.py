"""Forms of changes: put, increment and delete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rowstone._base.printable import from_printable
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import section
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard.data._cells import head
from rowstone.server.dashboard.data.change._change import SCOPES

if TYPE_CHECKING:
    from rowstone.codecs import Codecs

_FORMS = {"text": "text", "escaped": r"bytes, \x00", "hex": "hexadecimal", "declared": "by the column's codec"}


def forms(site: Site, request: Request, codecs: Codecs, present: Mapping[str, str]) -> Markup:
    """The forms for a put, an increment and a delete, with what was typed; ``present``: fields of the put otherwise."""
    given = request.form or request.query
    key, column = given.get("key", ""), given.get("column", "")
    typed = {kind: request.form if request.form.get("kind") == kind else {} for kind in ("increment", "delete")}
    of_put = request.form if request.form.get("kind") == "put" else present
    codec = codecs.of(from_printable(column))
    place = joined(
        [
            _input("key", "Row key", key, "required"),
            _input("column", "Column", column, "", "family:qualifier"),
        ]
    )
    forms = [name for name in _FORMS if name != "declared" or codec is not None]
    forms = [*forms[-1:], *forms[:-1]] if codec is not None else forms
    put = [
        place,
        _value_box(of_put),
        _select("form", "Encoding", {name: _FORMS[name] for name in forms}, of_put.get("form", "")),
        _input("timestamp", "Timestamp", of_put.get("timestamp", ""), "", "now"),
    ]
    increment = [place, _input("amount", "Amount", typed["increment"].get("amount", "1"))]
    delete = [
        place,
        _select("scope", "Delete", SCOPES, typed["delete"].get("scope", "")),
        _input("timestamp", "Timestamp", typed["delete"].get("timestamp", ""), "", "of one version; newest"),
    ]
    kinds = (("put", put), ("increment", increment), ("delete", delete))
    return joined(
        [
            head("change row" if key else "change a row", request.rest, from_printable(key) or None, below="change"),
            *(
                section(
                    kind.capitalize(),
                    form(site, request, "preview", joined([hidden(("kind", kind)), *fields]), "Preview"),
                )
                for kind, fields in kinds
            ),
        ]
    )  # fmt: skip


def _value_box(of_put: Mapping[str, str]) -> Markup:
    """The box for the value of a put. An empty one for a value that is too long to be shown needs a text, so that it
    does not become an empty value by mistake."""
    # A browser drops the line feed after the tag.
    box = '<label class="filter">Value<textarea name="value" rows="3" placeholder="{}"{}>\n{}</textarea></label>'
    hint = of_put.get("hint", "")
    return markup(box, hint, Markup(" required" if hint else ""), of_put.get("value", ""))


def form(site: Site, request: Request, step: str, fields: Markup, button: str, emphasis: str = "") -> Markup:
    """A form that posts the fields with the token; ``step`` is ``form``, ``preview`` or ``apply``. ``emphasis`` of
    the button: ``primary``, ``danger`` or none."""
    return markup(
        '<form class="query" method="post" action="{}">{}{}{}<button{}>{}</button></form>',
        address_of("edit", request.rest),
        hidden(("token", site.token_of(request.user, "edit"))),
        hidden(("step", step)),
        fields,
        markup(' class="{}"', emphasis) if emphasis else "",
        button,
    )


def hidden(field: tuple[str, str]) -> Markup:
    """A hidden field."""
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


def _select(name: str, title: str, options: Mapping[str, str], chosen: str) -> Markup:
    drawn = joined(
        markup('<option value="{}"{}>{}</option>', key, Markup(" selected" if key == chosen else ""), text)
        for key, text in options.items()
    )
    return markup('<label>{}<select name="{}">{}</select></label>', title, name, drawn)
