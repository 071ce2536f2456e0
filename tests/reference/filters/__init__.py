"""Filters of the reference model: `base` says how one is asked, `build` makes them."""

from tests.reference.filters.base import Code, Filter, place_of
from tests.reference.filters.build import build

__all__ = ["Code", "Filter", "build", "place_of"]
