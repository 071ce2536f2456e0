"""Secondary indexes: one call, five ways to keep them.

```python
index = db.create_index("by_town", "people", "f:town", strategy="coprocessor")
for row in index.query(equals="Oslo"):
    ...
```

| strategy | what it is | where |
|---|---|---|
| ``"filter"`` | none: each query reads the table through a filter | everywhere |
| ``"periodic"`` | a table that `Index.rebuild` brings up to date | everywhere |
| ``"dual"`` | a table that `Index.put` and `Index.delete` write beside the rows | everywhere |
| ``"summary"`` | a table with a row for each bucket of values: counts, sums and members | everywhere |
| ``"coprocessor"`` | a table in the same record of the log as each write | a directory |

`choose` says which, by five answers about the use.
"""

from rowstone.indexes._choose import Choice, Verdict, choose
from rowstone.indexes._definition import KeyPart
from rowstone.indexes._explain import Explanation, IndexCost, IndexDifferences, Lag
from rowstone.indexes._index import Index
from rowstone.indexes._query import IndexQuery

__all__ = [
    "Choice",
    "Explanation",
    "Index",
    "IndexCost",
    "IndexDifferences",
    "IndexQuery",
    "KeyPart",
    "Lag",
    "Verdict",
    "choose",
]
