"""The pages of the web UI, one module per subject."""

from rowstone.server.dashboard.pages._menu import TITLES, page_of

__all__ = ["TITLES", "page_of"]
