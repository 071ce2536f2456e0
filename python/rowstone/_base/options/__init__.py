"""Options of public functions: groups of keywords, types of words, checks of numbers and lists."""

from rowstone._base.options.checks import as_list, check_list, check_number
from rowstone._base.options.groups import check_names, select, with_defaults

__all__ = ["as_list", "check_list", "check_names", "check_number", "select", "with_defaults"]
