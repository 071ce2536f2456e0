"""Which pages there are, under which titles."""

from __future__ import annotations

import importlib
from typing import Protocol

from rowstone.sight._markup import Markup
from rowstone.sight._site import Request, Site

TITLES = {
    "": "Overview",
    "tables": "Tables",
    "requests": "Requests",
    "slow": "Slow calls",
    "cache": "Cache",
    "compactions": "Compactions",
    "memory": "Memory",
    "heat": "Heat map",
    "snapshots": "Snapshots",
    "configuration": "Configuration",
}
"""By the first part of the address, in the order of the menu."""


class Page(Protocol):
    """A page's module."""

    def body(self, site: Site, request: Request) -> Markup:
        """What stands below the menu. Raises `NotFound`, and `TableNotFound`."""
        ...


def page_of(name: str) -> Page:
    """The page of that name; one of `TITLES`."""
    module: Page = importlib.import_module(f"rowstone.sight.pages.{name or 'overview'}")
    return module
