"""Ray Data: tables as datasets, a block or more for each region, and datasets written to tables.

```python
from rowstone.engines import RowSchema, Sink, Source
from rowstone.engines import ray as rowstone_ray

people = rowstone_ray.from_rowstone(Source("hbase://host:16000", "people", schema))
adults = people.filter(expr=col("age") >= 18).select_columns(["row"])     # both reach the scan
rowstone_ray.to_rowstone(adults, Sink("hbase://host:16000", "adults", schema))
```
"""

from rowstone.engines.ray._dataset import datasink, datasource, from_rowstone, to_rowstone

__all__ = ["datasink", "datasource", "from_rowstone", "to_rowstone"]
