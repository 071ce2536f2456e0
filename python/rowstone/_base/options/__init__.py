"""Options of public functions: groups of keywords, types of words, checks of numbers."""

from rowstone._base.options.groups import check_names, select, with_defaults
from rowstone._base.options.numbers import check_number

__all__ = ["check_names", "check_number", "select", "with_defaults"]
