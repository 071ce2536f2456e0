"""Application-side joins: rows of one table with the rows of another that they reference.

HBase has no joins. Instead of copying data into each row, a program can read one table and look up the other. There are
two ways with the same result: nested loops, for few rows, and a hash join, for many. See ``docs/how-to/joins.md``.
"""

from rowstone.jobs.joins._cost import JoinCost
from rowstone.jobs.joins._join import Join, Joined, join

__all__ = ["Join", "JoinCost", "Joined", "join"]
