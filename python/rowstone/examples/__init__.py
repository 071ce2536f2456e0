"""Small databases to look at and to test with."""

from rowstone.examples._user_activity import user_activity
from rowstone.examples._webtable import webtable

__all__ = ["user_activity", "webtable"]
