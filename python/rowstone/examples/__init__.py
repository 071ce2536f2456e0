"""Small example databases for exploring and testing."""

from rowstone.examples._user_activity import user_activity
from rowstone.examples._webtable import webtable

__all__ = ["user_activity", "webtable"]
