"""``/configuration``: every setting with its value and source."""

from __future__ import annotations

from rowstone._base.configuration import Setting
from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import code, section, table, tag
from rowstone.server.dashboard._site import Request, Site

_HEADINGS = ("Setting", "Value", "From", "Default", "Level")
_PLACES = {"default": "", "compat": "warm"}


def body(site: Site, request: Request) -> Markup:
    configuration = site.database.configuration
    settings = [configuration.setting(key) for key in configuration]
    given = [one for one in settings if one.source != "default"]
    rest = [one for one in settings if one.source == "default"]
    return joined(
        [
            markup("<h1>Configuration</h1>"),
            section("Given", table(_HEADINGS, map(_line, given), empty="All settings have their defaults.")),
            section("Left to their defaults", table(_HEADINGS, map(_line, rest))),
        ]
    )


def _line(one: Setting) -> list[object]:
    source = tag(one.source, _PLACES.get(one.source, "good"))
    return [code(one.key), code(_text(one.value)), source, code(_text(one.default)), one.level]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
