"""Rows of index tables.

```text
v <value, 00 as 00 FF> 00 00 <row key>      i: <empty>             an entry; sorted by value, then row
b <bucket, 8 bytes>                         i:count, i:sum, m:<value ... row key>  a bucket of a summary;
                                            i:dirty <mark> if its members changed and are not counted yet
r <row key>                                 i:k <row of its entry>  where a row's entry is, to find it after a change
m                                           i:since                 time up to which the index knows the table
```
"""

from rowstone._base.printable import printable
from rowstone.errors import CorruptionError

ENTRY, BUCKET, ROW, META = b"v", b"b", b"r", b"m"
COLUMN, KEY_COLUMN, SINCE = b"i:", b"i:k", b"i:since"
COUNT, SUM, DIRTY, MEMBERS = b"i:count", b"i:sum", b"i:dirty", b"m"


def packed(value: bytes) -> bytes:
    """Escape a value so that the bytes after it do not change the order."""
    return value.replace(b"\x00", b"\x00\xff")


def tail(value: bytes, row: bytes) -> bytes:
    """Join a value and a row key."""
    return packed(value) + b"\x00\x00" + row


def entry(value: bytes, row: bytes) -> bytes:
    """Return the row of an entry."""
    return ENTRY + tail(value, row)


def split(packed_pair: bytes) -> tuple[bytes, bytes]:
    """Split the result of `tail` into value and row key."""
    place = 0
    while (place := packed_pair.find(b"\x00", place)) >= 0:
        after = packed_pair[place + 1 : place + 2]
        if after == b"\x00":
            return packed_pair[:place].replace(b"\x00\xff", b"\x00"), packed_pair[place + 2 :]
        place += 2
    raise CorruptionError(f"'{printable(packed_pair)}' is no entry of an index")


def bucket_row(number: int) -> bytes:
    """Return the row of a bucket; negative ones sort first."""
    return BUCKET + (number + (1 << 63)).to_bytes(8, "big")


def bucket_of(row: bytes) -> int:
    """Return the bucket of a row."""
    return int.from_bytes(row[1:9], "big") - (1 << 63)
