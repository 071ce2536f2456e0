"""Filters of the reference model: `base` defines the calls of a filter, `build` creates filters."""

from tests.reference.filters.base import Code, Filter, place_of
from tests.reference.filters.build import build

__all__ = ["Code", "Filter", "build", "place_of"]
