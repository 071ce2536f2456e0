"""Observers of tables and of the schema, in Python, with the names of HBase's hooks; aggregates; `constraints`.

```python
class Audit(rs.coprocessors.RegionObserver):
    def pre_put(self, context, put, durability):
        if put.row.startswith(b"!"):
            raise rs.errors.ConstraintViolation(f"no row may begin with '!': {put.row!r}")

db.coprocessors.attach("t", Audit())
```
"""

from typing import TYPE_CHECKING

from rowstone._base.lazy import lazily
from rowstone.coprocessors._allowed import allow
from rowstone.coprocessors._calls import ObserverStats
from rowstone.coprocessors._context import ObserverContext
from rowstone.coprocessors._observers import MasterObserver, RegionObserver
from rowstone.coprocessors._registry import PRIORITY_LOWEST, PRIORITY_SYSTEM, PRIORITY_USER, Attached, Coprocessors

if TYPE_CHECKING:
    from rowstone.coprocessors import constraints as constraints
    from rowstone.coprocessors._aggregates import Aggregates, aggregate, count_rows, median
else:
    __getattr__, __dir__ = lazily(__name__, "constraints", _aggregates="Aggregates aggregate count_rows median")

__all__ = [
    "PRIORITY_LOWEST",
    "PRIORITY_SYSTEM",
    "PRIORITY_USER",
    "Aggregates",
    "Attached",
    "Coprocessors",
    "MasterObserver",
    "ObserverContext",
    "ObserverStats",
    "RegionObserver",
    "aggregate",
    "allow",
    "count_rows",
    "median",
]
