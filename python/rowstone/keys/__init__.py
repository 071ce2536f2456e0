"""Row keys of named, typed parts whose bytes sort in the order of their values.

```python
from rowstone.keys import Key, int64, reverse_time, salt, text

key = Key(salt(8), text("host"), reverse_time("at"), int64("seq"))
row = key.encode(host="web1", at=1_700_000_000_000, seq=7)
key.decode(row).host                                    # 'web1'
key.ranges(host="web1", at=(1_699_000_000_000, None))   # one range a bucket
```

Numbers: `int8` … `int64`, `uint8` … `uint64`, `java_int16` … `java_int64` (as ``Bytes`` of HBase writes them),
`float32`, `float64`, `padded`. Text and bytes: `text`, `domain`, `fixed`, `blob`, `fixed_bytes`. Times: `time`,
`reverse_time`. HBase's OrderedBytes: `ordered`. Reversed: `descending`, `reversed_fixed`. Hashes: `md5`, `murmur`,
`md5_prefix`, `murmur_prefix`. Buckets: `salt`, `bucket`, `round_robin`. Names as numbers: `substituted`. Random:
`random_bytes`.
"""

from rowstone.keys._key import Key
from rowstone.keys._keyed import KeyedTable
from rowstone.keys._merge import KeyedScan
from rowstone.keys._parse import parse_key
from rowstone.keys._ranges import KeyRange
from rowstone.keys.parts._buckets import bucket, round_robin, salt
from rowstone.keys.parts._dictionary import Dictionary, substituted
from rowstone.keys.parts._floats import float32, float64
from rowstone.keys.parts._hashes import Digest, md5, md5_key, md5_prefix, murmur, murmur3, murmur_prefix
from rowstone.keys.parts._integers import (
    int8,
    int16,
    int32,
    int64,
    java_int16,
    java_int32,
    java_int64,
    padded,
    uint8,
    uint16,
    uint32,
    uint64,
)
from rowstone.keys.parts._ordered import ordered
from rowstone.keys.parts._part import Part, startswith
from rowstone.keys.parts._random import random_bytes
from rowstone.keys.parts._reverse import descending, reversed_fixed, reversed_key
from rowstone.keys.parts._text import blob, domain, fixed, fixed_bytes, reversed_domain, text
from rowstone.keys.parts._times import reverse_time, reverse_timestamp, time

__all__ = [
    "Dictionary",
    "Digest",
    "Key",
    "KeyRange",
    "KeyedScan",
    "KeyedTable",
    "Part",
    "blob",
    "bucket",
    "descending",
    "domain",
    "fixed",
    "fixed_bytes",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "java_int16",
    "java_int32",
    "java_int64",
    "md5",
    "md5_key",
    "md5_prefix",
    "murmur",
    "murmur3",
    "murmur_prefix",
    "ordered",
    "padded",
    "parse_key",
    "random_bytes",
    "reverse_time",
    "reverse_timestamp",
    "reversed_domain",
    "reversed_fixed",
    "reversed_key",
    "round_robin",
    "salt",
    "startswith",
    "substituted",
    "text",
    "time",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]
