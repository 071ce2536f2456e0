"""The pages: a file for each subject, with what it says."""

from rowstone.sight.pages._menu import TITLES, page_of

__all__ = ["TITLES", "page_of"]
