"""The pages and their titles."""

from __future__ import annotations

import importlib
from typing import Protocol

from rowstone.server.dashboard._markup import Markup
from rowstone.server.dashboard._site import Request, Site

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
"""Titles by the first part of the path, in menu order."""


EXPLORER_TITLES = {name: TITLES[name] for name in ("tables", "heat", "snapshots")}
"""Titles of `rowstone explore`, which has no server to monitor."""


class Page(Protocol):
    """A page's module."""

    def body(self, site: Site, request: Request) -> Markup:
        """The page below the menu. Raises `NotFound`, and `TableNotFound`."""
        ...


def page_of(name: str) -> Page:
    """The page module of a name in `TITLES`."""
    module: Page = importlib.import_module(f"rowstone.server.dashboard.pages.{name or 'overview'}")
    return module
