"""Row key design: simulate candidate keys on a sample, and compare write distribution, query cost and key size.

```python
from rowstone.schema import design
from rowstone.keys import parse_key

found = design.simulate(
    {"time first": parse_key("time('at'), text('host')"), "host first": parse_key("text('host'), time('at')")},
    rows,                                                   # mappings, in the order in which they will be written
    queries={"a host's hour": {"host": "web1", "at": (0, 3_600_000)}},
)
print(found)
found.pandas()
```
"""

from rowstone.schema.design._queries import Cost
from rowstone.schema.design._simulate import Design, Simulation, simulate

__all__ = ["Cost", "Design", "Simulation", "simulate"]
