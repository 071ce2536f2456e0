"""Spark's daemon for Python workers, which imports what they need before it forks them.

Tests have many short tasks, of which each would import it again. Scans in these workers have filters after the first
row of a table, whatever share of the rows passes them.
"""

from __future__ import annotations

import pyarrow.compute  # noqa: F401
from pyspark import daemon

import rowstone.engines.spark._format  # noqa: F401
from rowstone.engines.reading import scan

if __name__ == "__main__":
    scan.PROBED_ROWS = 1
    scan.MOST_PASSING = {False: 1.0, True: 1.0}
    daemon.manager()
