"""Heat maps: which ranges of keys of a table are read and written, and when.

```python
map = db.admin.heat_map("t")      # since the database was opened, through this process
print(map)                        # for terminals, with the pattern it sees
map.writes.patterns               # ("sequential",)
open("t.svg", "w").write(map.svg())
```
"""

from rowstone.heat._map import HeatMap, Side, Window
from rowstone.heat._patterns import Pattern
from rowstone.heat._saved import load, save
from rowstone.heat._watch import watch

__all__ = ["HeatMap", "Pattern", "Side", "Window", "load", "save", "watch"]
