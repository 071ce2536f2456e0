"""Joins in the application: rows of one table with the row of another that they name.

HBase joins nothing. Where a copy of the data in each row is not wanted, the program reads one table and looks up the
other, in one of two ways that give the same rows: nested loops, for few rows, and a hash join, for many. See
``docs/joins.md``.
"""

from rowstone.joins._cost import JoinCost
from rowstone.joins._join import Join, Joined, join

__all__ = ["Join", "JoinCost", "Joined", "join"]
