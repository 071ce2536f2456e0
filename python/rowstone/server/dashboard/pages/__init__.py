"""The pages of the web UI, one module per subject."""

from rowstone.server.dashboard.pages._menu import EXPLORER_TITLES, TITLES, page_of

__all__ = ["EXPLORER_TITLES", "TITLES", "page_of"]
