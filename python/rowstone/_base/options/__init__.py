"""Options of public functions: groups of keywords, and types of words."""

from rowstone._base.options.groups import check_names, select, with_defaults

__all__ = ["check_names", "select", "with_defaults"]
