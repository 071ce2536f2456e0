"""Schema as code: namespaces, tables and families in a TOML file, compared with a database and applied to it.

Three packages help to find a good schema: `rowstone.schema.advise` (rules), `rowstone.schema.design` (row keys) and
`rowstone.schema.heat` (heat maps).

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

from typing import TYPE_CHECKING

from rowstone._base.lazy import lazily

if TYPE_CHECKING:
    from rowstone.schema import advise as advise
    from rowstone.schema import design as design
    from rowstone.schema import heat as heat
    from rowstone.schema._apply import apply, diff
    from rowstone.schema._lint import LintFinding, lint
    from rowstone.schema._model import Schema, TableDeclaration, dump, load, loads
    from rowstone.schema._plan import Plan, Step
else:
    __getattr__, __dir__ = lazily(
        __name__,
        "advise",
        "design",
        "heat",
        _apply="apply diff",
        _lint="LintFinding lint",
        _model="Schema TableDeclaration dump load loads",
        _plan="Plan Step",
    )

__all__ = [
    "LintFinding",
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
