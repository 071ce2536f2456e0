"""Rules that values must keep, stored with the table: a put that breaks one changes nothing.

```python
rules = db.constraints("films")
rules.add(rs.coprocessors.constraints.Range("f:rating", min_value=1, max_value=10, codec="int64"))
rules.add(rs.coprocessors.constraints.Regex("f:id", r"tt[0-9]{7}"))
db.table("films").put("a", {"f:rating": (11).to_bytes(8)})   # ConstraintViolation: Range of 'f:rating': 11 is above 10
```
"""

from rowstone.coprocessors.constraints._constraint import ColumnConstraint, Constraint
from rowstone.coprocessors.constraints._foreign_key import ForeignKey
from rowstone.coprocessors.constraints._range import Range
from rowstone.coprocessors.constraints._regex import Regex
from rowstone.coprocessors.constraints._table import Rule, TableConstraints

__all__ = ["ColumnConstraint", "Constraint", "ForeignKey", "Range", "Regex", "Rule", "TableConstraints"]
