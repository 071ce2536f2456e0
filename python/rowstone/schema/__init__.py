"""Schema as code: namespaces, tables and families in a TOML file, compared with a database and applied to it.

```python
import rowstone as rs

with rs.connect(":memory:") as db:
    schema = rs.schema.loads('[tables.web.families.anchor]\\nmax_versions = 3')
    print(rs.schema.diff(db, schema))
    rs.schema.apply(db, schema)
    assert not rs.schema.diff(db, schema)
```

It works the same for a directory and a cluster. Changes that would lose data (dropping a table or family, fewer
versions, a shorter TTL) need ``allow_destructive=True``.
"""

from rowstone.schema._apply import apply, diff
from rowstone.schema._lint import Finding, lint
from rowstone.schema._model import Schema, TableDeclaration, dump, load, loads
from rowstone.schema._plan import Plan, Step

__all__ = [
    "Finding",
    "Plan",
    "Schema",
    "Step",
    "TableDeclaration",
    "apply",
    "diff",
    "dump",
    "lint",
    "load",
    "loads",
]
