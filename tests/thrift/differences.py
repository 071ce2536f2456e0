"""Differences from HBase's Thrift gateways, with reasons; `docs/reference/thrift.md` has the same list for users."""

from __future__ import annotations

import re

DIFFERENCES: dict[int, dict[str, tuple[str, str]]] = {
    1: {},
    2: {
        "put: cell visibility": (
            "! TIOError DoNotRetryIOException is final",
            "HBase without its visibility coprocessor takes the put and forgets the label: all may read the cell",
        ),
        "get: whether there is one": (
            "TResult(columnValues=[], stale=False, partial=False)",
            "HBase's gateway fails on its own answer",
        ),
    },
}
"""Steps by service and title: our answer, and the reason."""

ADDED: dict[int, dict[str, tuple[str, str]]] = {
    1: {},
    2: {
        "getTableDescriptor: one family less": (
            ", b'hbase.store.file-tracker.impl': b'DEFAULT'",
            "HBase writes it into a new table, and modifyTable without it takes it away; here it is always shown",
        ),
    },
}
"""Steps by service and title: what our answer has more than HBase's, and the reason."""

_CLASS = re.compile(r"(! TIOError) \w+(?= )")


def same(title: str, ours: str, hbases: str, version: int) -> bool:
    """Whether our answer is HBase's, or one that is meant to differ.

    Where HBase's second gateway leaves the Java class out, ours names it.
    """
    if title in DIFFERENCES[version]:
        return ours == DIFFERENCES[version][title][0] and ours != hbases
    if title in ADDED[version]:
        return ours != hbases and ours.replace(ADDED[version][title][0], "") == hbases
    return ours == hbases or (version == 2 and _CLASS.sub(r"\1", ours) == hbases)
