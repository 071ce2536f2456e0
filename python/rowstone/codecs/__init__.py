"""Codecs of values, declared per column: typed values in Python, in frames and in the shell.

```python
from rowstone import codecs

codecs.declare(db, "people", {"f:age": "int64", "f:born": "datetime", "f:tags": "json"})
people = codecs.typed(db.table("people"))
people.put("ada", {"f:age": 36, "f:tags": ["countess"]})
people.get("ada")["f:age"]        # 36
people.scan().pandas()            # typed columns
```
"""

from rowstone.codecs._blobref import BlobRef, blobref
from rowstone.codecs._codec import CODECS, Codec, avro, codec
from rowstone.codecs._declared import Codecs, declare, declared
from rowstone.codecs._typed import TypedRow, TypedScan, TypedTable, typed

__all__ = [
    "CODECS",
    "BlobRef",
    "Codec",
    "Codecs",
    "TypedRow",
    "TypedScan",
    "TypedTable",
    "avro",
    "blobref",
    "codec",
    "declare",
    "declared",
    "typed",
]
