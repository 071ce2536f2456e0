"""Spark: the format ``rowstone`` of PySpark 4.1 and newer, without a jar.

```python
from rowstone.engines import RowSchema, spark as rowstone_spark

rowstone_spark.register(spark)
options = rowstone_spark.options("hbase://host:16000", "people", RowSchema("text", {"age": ("f:age", "int32")}))
adults = spark.read.format("rowstone").options(**options).load().where("age >= 18")
```

| module | duty |
|---|---|
| `_registration` | `register`: versions of Spark |
| `_format` | options to readers and writers |
| `_options`, `_schemas` | options and schemas as text |
| `_reading`, `_filters` | partitions, batches, filters |
| `_writing` | puts, deletes, increments; streams |
| `_types` | types of columns |
"""

from rowstone.engines.spark._options import options
from rowstone.engines.spark._registration import register

__all__ = ["options", "register"]
