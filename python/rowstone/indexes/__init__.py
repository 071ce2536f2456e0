"""Secondary indexes: one call, five strategies.

```python
index = db.create_index("people", "by_town", "f:town", strategy="coprocessor")
for row in index.query(equals="Oslo"):
    ...
```

| strategy | what it is | where |
|---|---|---|
| ``"filter"`` | no index: each query reads the table through a filter | everywhere |
| ``"periodic"`` | a table that `Index.rebuild` brings up to date | everywhere |
| ``"dual"`` | a table that `Index.put` and `Index.delete` write in addition to the rows | everywhere |
| ``"summary"`` | a table with a row for each bucket of values: counts, sums and members | everywhere |
| ``"coprocessor"`` | a table updated in the same log record as each write | a directory |

`choose` recommends one, by five answers about the use.
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
