"""The messages of HBase's REST interface. Sources: the classes of ``org.apache.hadoop.hbase.rest.model``.

Field numbers are those of HBase's protobuf messages. A field states if its name or position in XML differs from JSON.
"""

from __future__ import annotations

from rowstone.server.rest.messages import _texts
from rowstone.server.rest.messages.shapes import Field, Kind, Open, Shape, XmlPosition

TEXT, BYTES, INT, LONG, DOUBLE, FLAG = Kind.TEXT, Kind.BYTES, Kind.INT, Kind.LONG, Kind.DOUBLE, Kind.FLAG
ELEMENT = XmlPosition.ELEMENT

CELL = Shape(
    "Cell",
    (Field("column", 2, BYTES), Field("timestamp", 3, LONG), Field("$", 4, BYTES, position=XmlPosition.CONTENT)),
)
ROW = Shape("Row", (Field("key", 1, BYTES), Field("Cell", 2, CELL, many=True, position=ELEMENT)))
CELL_SET = Shape("CellSet", (Field("Row", 1, ROW, many=True, position=ELEMENT),))

TABLE = Shape("table", (Field("name", 1, TEXT),))
TABLE_LIST = Shape(
    "TableList", (Field("table", 1, TABLE, many=True, position=ELEMENT, is_flat=True),), text=_texts.table_list
)

REGION = Shape(
    "Region",
    (
        Field("endKey", 3, BYTES),
        Field("id", 4, LONG),
        Field("location", 5, TEXT),
        Field("name", 1, TEXT),
        Field("startKey", 2, BYTES),
    ),
)
TABLE_INFO = Shape(
    "TableInfo",
    (Field("name", 1, TEXT), Field("Region", 2, REGION, many=True, position=ELEMENT)),
    text=_texts.table_info,
)

COLUMN_SCHEMA = Shape(
    "ColumnSchema",
    (Field("name", 1, TEXT),),
    Open(2, (Field("TTL", 3, INT), Field("VERSIONS", 4, INT), Field("COMPRESSION", 5, TEXT))),
)
TABLE_SCHEMA = Shape(
    "TableSchema",
    (Field("name", 1, TEXT), Field("ColumnSchema", 3, COLUMN_SCHEMA, many=True, position=ELEMENT)),
    Open(2, (Field("READONLY", 5, FLAG),)),
    text=_texts.table_schema,
)

SCANNER = Shape(
    "Scanner",
    (
        Field("batch", 4, INT),
        Field("cacheBlocks", 11, FLAG),
        Field("caching", 9, INT),
        Field("endRow", 2, BYTES),
        Field("endTime", 6, LONG),
        Field("maxVersions", 7, INT),
        Field("startRow", 1, BYTES),
        Field("startTime", 5, LONG),
        Field("column", 3, BYTES, many=True, position=ELEMENT),
        Field("filter", 8, TEXT, position=ELEMENT),
        Field("labels", 10, TEXT, many=True, position=ELEMENT),
    ),
)

VERSION = Shape(
    "Version",
    (
        Field("JVM", 2, TEXT),
        Field("Jersey", 5, TEXT),
        Field("OS", 3, TEXT),
        Field("REST", 1, TEXT),
        Field("Revision", 7, TEXT),
        Field("Server", 4, TEXT),
        Field("Version", 6, TEXT),
    ),
    text=_texts.version,
)
CLUSTER_VERSION = Shape("ClusterVersion", (Field("Version", 0, TEXT),), text=_texts.cluster_version)

NODE_REGION = Shape(
    "NodeRegion",
    (
        Field("currentCompactedKVs", 13, LONG),
        Field("memStoreSizeMB", 5, INT),
        Field("name", 1, BYTES),
        Field("readRequestsCount", 7, LONG),
        Field("rootIndexSizeKB", 9, INT),
        Field("storefileIndexSizeKB", 6, LONG),
        Field("storefileSizeMB", 4, INT),
        Field("storefiles", 3, INT),
        Field("stores", 2, INT),
        Field("totalCompactingKVs", 12, LONG),
        Field("totalStaticBloomSizeKB", 11, INT),
        Field("totalStaticIndexSizeKB", 10, INT),
        Field("writeRequestsCount", 8, LONG),
    ),
)
NODE = Shape(
    "Node",
    (
        Field("heapSizeMB", 4, INT),
        Field("maxHeapSizeMB", 5, INT),
        Field("name", 1, TEXT),
        Field("requests", 3, LONG),
        Field("startCode", 2, LONG),
        Field("Region", 6, NODE_REGION, many=True, position=ELEMENT),
    ),
)
CLUSTER_STATUS = Shape(
    "ClusterStatus",
    (
        Field("averageLoad", 5, DOUBLE),
        Field("regions", 3, INT),
        Field("requests", 4, LONG),
        Field("DeadNodes", 2, TEXT, many=True, position=ELEMENT, element="Node"),
        Field("LiveNodes", 1, NODE, many=True, position=ELEMENT, element="Node"),
    ),
    text=_texts.cluster_status,
)

NAMESPACES = Shape("Namespaces", (Field("Namespace", 1, TEXT, many=True, position=ELEMENT),), text=_texts.namespaces)
NAMESPACE_PROPERTIES = Shape(
    "NamespaceProperties", (Field("properties", 1, Kind.PAIRS, position=ELEMENT),), text=_texts.namespace_properties
)

SHAPES = (
    CELL_SET,
    TABLE_LIST,
    TABLE_INFO,
    TABLE_SCHEMA,
    SCANNER,
    VERSION,
    CLUSTER_VERSION,
    CLUSTER_STATUS,
    NAMESPACES,
    NAMESPACE_PROPERTIES,
)
"""All messages that can be a body."""
