"""Names and attributes of spans, as in HBase 2.6.

Sources: HBase's ``HBaseSemanticAttributes``, ``TableOperationSpanBuilder``, ``TableSpanBuilder``,
``ConnectionSpanBuilder``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rowstone import _native

APPEND = "APPEND"
BATCH = "BATCH"
CHECK_AND_MUTATE = "CHECK_AND_MUTATE"
DELETE = "DELETE"
GET = "GET"
INCREMENT = "INCREMENT"
PUT = "PUT"
SCAN = "SCAN"

OPERATION = "db.operation"
CONTAINED = "db.hbase.container_operations"

_BY_CLASS = {
    _native.Append: APPEND,
    _native.Delete: DELETE,
    _native.Get: GET,
    _native.Increment: INCREMENT,
    _native.Put: PUT,
    _native.RowMutations: BATCH,
}


def of_table(name: str) -> tuple[str, dict[str, str]]:
    """Span name and attributes of an operation on a table.

    HBase 2.6 stores the namespace as ``db.name``; OpenTelemetry's current name is ``db.namespace``.
    """
    namespace, colon, qualifier = name.partition(":")
    if not colon:
        namespace, qualifier = "default", name
    attributes = {"db.name": namespace, "db.namespace": namespace, "db.hbase.table": name}
    return f"{namespace}:{qualifier}", attributes


def contained(operations: Iterable[Any]) -> list[str]:
    """The operations inside a batch: each name once, in order."""
    return sorted({_BY_CLASS[type(each)] for each in operations if type(each) in _BY_CLASS})
