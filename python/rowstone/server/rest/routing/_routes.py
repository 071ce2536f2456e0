"""All routes: HBase's, and ``/openapi.json``, which describes them.

The first match wins. Sources: ``RootResource``, ``TableResource`` and the other
HBase resources. Hidden names have an alternative: a table ``version`` is ``default:version``, a row ``schema`` is
``c2NoZW1h?e=b64``.
"""

from __future__ import annotations

import re

from rowstone.server.rest.messages import _models
from rowstone.server.rest.messages._media import (
    BINARY,
    JSON,
    MODELS,
    PROTOBUF,
    PROTOBUF_IETF,
    TEXT,
    TEXT_AND_MODELS,
    XML,
)
from rowstone.server.rest.resources import cluster, namespaces, rows, scan, scanners, schema, tables
from rowstone.server.rest.routing._route import Operation, Parameter, Route

_TABLE = r"/(?!(?:version|namespaces)(?:/|$))(?P<table>[^/]+)"
_ROW = r"/(?!(?:exists|regions|schema|scanner)(?:/|$)|multiget)"


def _route(path: str, pattern: str, *operations: Operation) -> Route:
    return Route(path, re.compile(pattern, re.DOTALL), operations)


_ENCODING = (
    Parameter("e", "How keys and columns in the path are encoded: b64 (for URLs) or b64basic"),
    Parameter("Encoding", "The same as a header, which goes first", place="header"),
)
_VERSIONS = Parameter("v", "Versions of each column, at most", "integer")
_NO_CACHE = Parameter("nocache", "Do not keep the blocks that are read in the cache")
_FILTER = (
    Parameter("filter", "A filter of HBase's filter language"),
    Parameter("filter_b64", "The same in base64 for URLs, which goes first"),
)
_CHECK = (
    Parameter("check", "put, delete, append or increment: what to do with the cells, instead of writing them"),
    Parameter("rr", "Answer with the new cells, for append and increment", "boolean"),
)
_HEADERS = tuple(
    Parameter(name, description, place="header")
    for name, description in (
        ("X-Row", "The row, instead of the path's"),
        ("X-Column", "The column, instead of the path's"),
        ("X-Timestamp", "The cell's time"),
    )
)
_SCAN = (
    Parameter("limit", "Rows at most", "integer"),
    Parameter("startrow", "The first row"),
    Parameter("endrow", "The row before which to end"),
    Parameter("column", "A family or a column; several times for several", is_list=True),
    Parameter("starttime", "The oldest time, in milliseconds", "integer"),
    Parameter("endtime", "The time before which cells must be", "integer"),
    Parameter("maxversions", "Versions of each column, at most", "integer"),
    Parameter("batchsize", "Cells in a row of the answer, at most", "integer"),
    Parameter("cacheblocks", "Whether blocks that are read stay in the cache", "boolean"),
    Parameter("reversed", "From the last row to the first", "boolean"),
    *_FILTER,
)

_GET_ROW = Operation(
    "GET", rows.get, "Cells of a row, or of several", MODELS, _models.CELL_SET,
    parameters=(_VERSIONS, _NO_CACHE, *_ENCODING),
    statuses={200: "The cells", 400: "Bad request", 404: "There are none"},
)  # fmt: skip
_GET_VALUE = Operation(
    "GET", rows.get_value, "The value of one column", (BINARY,),
    parameters=(_NO_CACHE, *_ENCODING),
    statuses={200: "The value", 400: "Not one column", 404: "There is none"},
)  # fmt: skip
_RESULTS = (PROTOBUF, PROTOBUF_IETF, XML, JSON)
"""Media types of append and increment. The first is HBase's choice for a client that accepts everything."""
_WRITE_STATUSES = {200: "Done", 304: "The check failed: nothing is changed", 400: "Bad request", 404: "No such family"}
_ROWS = (
    _GET_ROW,
    _GET_VALUE,
    *(
        Operation(method, rows.write, "Write cells, of one row or many, or change them by a check",
                  _RESULTS, _models.CELL_SET, MODELS, _models.CELL_SET, (*_CHECK, *_ENCODING), _WRITE_STATUSES)
        for method in ("PUT", "POST")
    ),
    *(
        Operation(method, rows.write_value, "Write one value", consumes=(BINARY,),
                  parameters=(*_HEADERS, *_ENCODING), statuses=_WRITE_STATUSES)
        for method in ("PUT", "POST")
    ),
    Operation("DELETE", rows.delete, "Delete a row, families or columns", parameters=_ENCODING,
              statuses={200: "Done", 400: "Bad request", 404: "No such table or family"}),
)  # fmt: skip

ROUTES = (
    _route("/", r"/",
        Operation("GET", tables.list_tables, "The tables", TEXT_AND_MODELS, _models.TABLE_LIST)),
    _route("/version", r"/version(?:/rest)?/?",
        Operation("GET", cluster.gateway_version, "Versions of the gateway", TEXT_AND_MODELS, _models.VERSION)),
    _route("/version/cluster", r"/version/cluster/?",
        Operation("GET", cluster.cluster_version, "Version of the cluster", (*TEXT_AND_MODELS[:3],),
                  _models.CLUSTER_VERSION)),
    _route("/status/cluster", r"/status/cluster/?",
        Operation("GET", cluster.cluster_status, "Servers and regions", TEXT_AND_MODELS, _models.CLUSTER_STATUS)),
    _route("/namespaces", r"/namespaces/?",
        Operation("GET", namespaces.list_namespaces, "The namespaces", TEXT_AND_MODELS, _models.NAMESPACES)),
    _route("/namespaces/{namespace}", r"/namespaces/(?P<namespace>[^/]+)/?",
        Operation("GET", namespaces.describe, "A namespace's properties", TEXT_AND_MODELS,
                  _models.NAMESPACE_PROPERTIES),
        Operation("POST", namespaces.create, "Make a namespace", (), None, MODELS, _models.NAMESPACE_PROPERTIES,
                  statuses={201: "Created", 403: "It exists already"}, needs_body=False),
        Operation("PUT", namespaces.alter, "Replace a namespace's properties", (TEXT, JSON), None, MODELS,
                  _models.NAMESPACE_PROPERTIES, statuses={200: "Done", 403: "There is none"}, needs_body=False),
        Operation("DELETE", namespaces.drop, "Remove an empty namespace",
                  statuses={200: "Done", 404: "There is none", 503: "It holds tables"})),
    _route("/namespaces/{namespace}/tables", r"/namespaces/(?P<namespace>[^/]+)/tables/?",
        Operation("GET", namespaces.list_tables, "The tables of a namespace", TEXT_AND_MODELS, _models.TABLE_LIST)),
    _route("/{table}/exists", _TABLE + r"/exists/?",
        Operation("GET", tables.exists, "Whether there is such a table", (*TEXT_AND_MODELS, BINARY),
                  statuses={200: "It is there", 404: "There is none"})),
    _route("/{table}/regions", _TABLE + r"/regions/?",
        Operation("GET", tables.list_regions, "A table's regions", TEXT_AND_MODELS, _models.TABLE_INFO,
                  statuses={200: "The regions", 404: "There is no such table"})),
    _route("/{table}/schema", _TABLE + r"/schema/?",
        Operation("GET", schema.describe, "A table's description", TEXT_AND_MODELS, _models.TABLE_SCHEMA,
                  statuses={200: "The description", 404: "There is no such table"}),
        Operation("PUT", schema.replace, "Make a table, or make it what is described", (), None, MODELS,
                  _models.TABLE_SCHEMA, statuses={201: "Done", 400: "Bad request"}),
        Operation("POST", schema.update, "Add and change families", (), None, MODELS, _models.TABLE_SCHEMA,
                  statuses={200: "Done", 201: "The table is created", 400: "Bad request"}),
        Operation("DELETE", schema.drop, "Remove a table", statuses={200: "Done", 404: "There is none"})),
    _route("/{table}/scanner", _TABLE + r"/scanner/?",
        *(Operation(method, scanners.create, "Open a scanner", (), None, MODELS, _models.SCANNER,
                    statuses={201: "It is at Location", 400: "Bad request", 404: "There is no such table"})
          for method in ("PUT", "POST"))),
    _route("/{table}/scanner/{scanner}", _TABLE + r"/scanner/(?P<scanner>.+)",
        Operation("GET", scanners.next_cells, "The next cells", MODELS, _models.CELL_SET,
                  parameters=(Parameter("n", "Rows at most", "integer"), Parameter("c", "Cells at most", "integer")),
                  statuses={200: "Cells", 204: "No more", 404: "There is none", 410: "It has ended by itself"}),
        Operation("GET", scanners.next_value, "The next cell's value", (BINARY,),
                  statuses={200: "A value", 204: "No more", 404: "There is none", 410: "It has ended by itself"}),
        Operation("DELETE", scanners.close, "Close a scanner", statuses={200: "Done"})),
    _route("/{table}/multiget/{columns}", _TABLE + r"/multiget(?P<columns>.*)",
        Operation("GET", rows.get_many, "Several rows", MODELS, _models.CELL_SET,
                  parameters=(Parameter("row", "A row, with columns and times as in a path", is_list=True),
                              _VERSIONS, _NO_CACHE, *_FILTER, *_ENCODING),
                  statuses={200: "The rows that are there", 400: "Bad request", 404: "None is there"})),
    _route("/{table}/{row}", _TABLE + _ROW + r"(?P<row>[^*]+|.*\*/.+)", *_ROWS),
    _route("/{table}/{prefix}*", _TABLE + _ROW + r"(?P<prefix>.*\*)",
        Operation("GET", scan.scan, "Rows by a prefix", (XML, JSON, PROTOBUF, PROTOBUF_IETF), _models.CELL_SET,
                  parameters=_SCAN, statuses={200: "The rows, sent while they are read", 400: "Bad request"})),
)  # fmt: skip
