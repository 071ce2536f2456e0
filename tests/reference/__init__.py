"""A model of HBase in plain Python: slow, obvious, and checked against the real one."""

from tests.reference.cells import Cell, Kind
from tests.reference.errors import HBaseError
from tests.reference.region import Region
from tests.reference.schema import Family, family_from

__all__ = ["Cell", "Family", "HBaseError", "Kind", "Region", "family_from"]
