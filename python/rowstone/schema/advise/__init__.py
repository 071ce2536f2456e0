"""Schema advisor: 46 rules about families, keys, values, regions and access, checked against your own data.

```python
import rowstone as rs

with rs.connect(":memory:") as db:
    db.create_table("t", {"a_very_long_name": rs.Family(max_versions=1000)})
    report = rs.schema.advise.advise(db)
    print(report)
    assert [advice.code for advice in report.at_least("warning")] == ["L12", "L02"]
```

Nothing is written, and only a bounded sample is read. Most rules come from HBase's reference guide; each has a reason.
"""

from rowstone.schema.advise._access import Access, Read, load_access
from rowstone.schema.advise._advise import advise, read_keys
from rowstone.schema.advise._registry import rules
from rowstone.schema.advise._report import Advice, Report
from rowstone.schema.advise._rule import Found, Rule
from rowstone.schema.advise._settings import Settings, load_settings, settings_of

__all__ = [
    "Access",
    "Advice",
    "Found",
    "Read",
    "Report",
    "Rule",
    "Settings",
    "advise",
    "load_access",
    "load_settings",
    "read_keys",
    "rules",
    "settings_of",
]
