"""Heat maps: reads and writes of a table by key range and time.

```python
map = db.admin.metrics.heat_map("t")      # since the database was opened, through this process
print(map)                        # for terminals, with the detected pattern
map.writes.patterns               # ("sequential",)
open("t.svg", "w").write(map.svg())
```
"""

from rowstone.schema.heat._hot import HotKey
from rowstone.schema.heat._map import HeatMap
from rowstone.schema.heat._patterns import Pattern
from rowstone.schema.heat._saved import load, save
from rowstone.schema.heat._side import Side, Window
from rowstone.schema.heat._watch import Watch, watch

__all__ = ["HeatMap", "HotKey", "Pattern", "Side", "Watch", "Window", "load", "save", "watch"]
