"""Small databases to look at and to test with."""

from rowstone.examples._webtable import webtable

__all__ = ["webtable"]
