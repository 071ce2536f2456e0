"""Sessions of requests, for HBase's REST server and for ours: every route, every method, every form.

What HBase answered is in ``recorded.json`` (``python -m tests.rest.record``).
"""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

from rowstone import filters
from rowstone.server.rest.messages import _models
from rowstone.server.rest.messages._json_filters import written
from rowstone.server.rest.messages.shapes import to_protobuf
from tests.rest.session import BINARY, IETF, JSON, PROTOBUF, TEXT, XML, Step

FORMS = (TEXT, XML, JSON, PROTOBUF, IETF)


def b64(value: bytes | str) -> str:
    """Base64 of bytes."""
    return base64.b64encode(value.encode() if isinstance(value, str) else value).decode()


def url64(value: bytes | str) -> str:
    """Base64 for URLs."""
    return base64.urlsafe_b64encode(value.encode() if isinstance(value, str) else value).decode().rstrip("=")


def cells(*rows: tuple[str, list[tuple[str, str, int | None]]]) -> dict[str, Any]:
    """A cell set as JSON: rows of (column, value, time)."""
    return {"Row": [{"key": b64(key), "Cell": [cell(*each) for each in found]} for key, found in rows]}


def cell(column: str, value: str, time: int | None = None) -> dict[str, Any]:
    """A cell as JSON."""
    made: dict[str, Any] = {"column": b64(column), "$": b64(value)}
    return made if time is None else {**made, "timestamp": time}


def schema(*families: str, **attributes: str) -> dict[str, Any]:
    """A table's description with three versions in its families."""
    return {"name": "{t}", "ColumnSchema": [{"name": name, "VERSIONS": "3"} for name in families], **attributes}


MAKE = Step("PUT", "/{t}/schema", body=json.dumps(schema("f", "g")), content_type=JSON)
DROP = Step("DELETE", "/{t}/schema")
FILL = Step(
    "PUT",
    "/{t}/fakerow",
    body=cells(
        ("a1", [("f:q", "1", 100), ("f:r", "2", 100), ("g:", "empty", 100)]),
        ("a2", [("f:q", "3", 200), ("g:x", "4", 300)]),
        ("b1", [("f:q", "5", 100)]),
        ("b2", [("f:q", "6", 100), ("f:r", "7", 150)]),
        ("c", [("g:y", "8", 100)]),
    ),
)
NEWER = Step("PUT", "/{t}/a1", body=cells(("a1", [("f:q", "newer", 400), ("f:q", "newest", 500)])))
FILLED = [MAKE, FILL, NEWER]


def each_form(path: str, forms: tuple[str, ...] = FORMS) -> list[Step]:
    """A GET in each of the forms."""
    return [Step("GET", path, accept=form) for form in forms]


def in_forms(method: str, path: str, model: Any, message: dict[str, Any], xml: str) -> list[Step]:
    """A body in XML and in protobuf, under both its names."""
    data = to_protobuf(model, message)
    return [
        Step(method, path, body=xml, content_type=XML),
        Step(method, path, body=data, content_type=PROTOBUF),
        Step(method, path, body=data, content_type=IETF),
    ]


ROWS = (XML, JSON, PROTOBUF, IETF)
NEGOTIATED = (
    None, "*/*", "text/*", "application/*", "text/html", "application/json;q=0.2, text/xml;q=0.9",
    "text/xml, application/json", "text/plain", "application/json;charset=utf-8", "image/png, */*;q=0.1",
)  # fmt: skip

VALUE_IS_FIVE = "ValueFilter(=,'binary:5')"

COMPARED = [
    filters.BinaryComparator(b"a1"),
    filters.BinaryPrefixComparator(b"a"),
    filters.BitComparator(b"a1", "XOR"),
    filters.NullComparator(),
    filters.RegexStringComparator("^[ac]"),
    filters.SubstringComparator("B"),
]
JSON_FILTERS = [
    written(filter)
    for filter in (
        filters.ColumnCountGetFilter(2),
        filters.ColumnPaginationFilter(1, 1),
        filters.ColumnPrefixFilter(b"q"),
        filters.ColumnRangeFilter(b"q", False, b"x", True),
        filters.ColumnRangeFilter(b"", True, b"q", True),
        filters.DependentColumnFilter(b"f", b"q", True, "EQUAL", filters.BinaryComparator(b"1")),
        filters.DependentColumnFilter(b"f", b"r", False, "NO_OP", filters.NullComparator()),
        filters.FamilyFilter("EQUAL", filters.BinaryComparator(b"g")),
        filters.FilterList("MUST_PASS_ONE", [filters.PrefixFilter(b"c"), filters.ColumnPrefixFilter(b"r")]),
        filters.FilterList("MUST_PASS_ALL", [filters.PrefixFilter(b"a"), filters.ColumnPrefixFilter(b"r")]),
        filters.FirstKeyOnlyFilter(),
        filters.InclusiveStopFilter(b"b1"),
        filters.KeyOnlyFilter(),
        filters.MultipleColumnPrefixFilter([b"x", b"r"]),
        filters.MultiRowRangeFilter([(b"a1", True, b"a2", False), (b"b2", True, b"c", True)]),
        filters.PageFilter(2),
        filters.PrefixFilter(b"b"),
        filters.QualifierFilter("GREATER", filters.BinaryComparator(b"q")),
        filters.RandomRowFilter(2.0),
        filters.RandomRowFilter(-1.0),
        *(filters.RowFilter("EQUAL", comparator) for comparator in COMPARED),
        filters.RowFilter("LESS_OR_EQUAL", COMPARED[0]),
        filters.RowFilter("NOT_EQUAL", COMPARED[4]),
        filters.SingleColumnValueExcludeFilter(b"f", b"q", "EQUAL", filters.BinaryComparator(b"3"), True),
        filters.SingleColumnValueFilter(b"f", b"q", "EQUAL", filters.BinaryComparator(b"3")),
        filters.SingleColumnValueFilter(b"f", b"q", "EQUAL", filters.BinaryComparator(b"1"), True, False),
        filters.SkipFilter(filters.ValueFilter("NOT_EQUAL", filters.BinaryComparator(b"7"))),
        filters.TimestampsFilter([100, 400]),
        filters.ValueFilter("EQUAL", filters.SubstringComparator("NEW")),
        filters.WhileMatchFilter(filters.RowFilter("LESS", filters.BinaryComparator(b"b2"))),
        filters.FuzzyRowFilter([(b"?1", b"\1\0")]),
    )
]
"""A filter of each kind, as REST scanners have them."""
BAD_FILTERS = (
    '{"type":"PrefixFilter"}',
    '{"type":"PrefixFilter","value":"!!"}',
    '{"type":"PageFilter","value":"many"}',
    '{"type":"FilterList","op":"MUST_PASS_NONE","filters":[]}',
    '{"type":"RowFilter","op":"EQUAL"}',
    '{"type":"RowFilter","op":"ALMOST","comparator":{"type":"NullComparator"}}',
    '{"type":"RowFilter","op":"EQUAL","comparator":{"type":"LongComparator","value":"1"}}',
    '{"type":"PrefixFilter","value":"YQ==","more":1}',
    '{"type":"SkipFilter","filters":[]}',
    "[]",
    "{}",
)

SESSIONS: dict[str, list[Step]] = {
    "tables": [
        Step("GET", "/{t}/exists"),
        Step("GET", "/{t}/schema"),
        MAKE,
        *each_form("/"),
        *each_form("/{t}/exists", (*FORMS, BINARY, "*/*")),
        Step("GET", "/{t}/exists/"),
        Step("GET", "/{t}/exists/more"),
        DROP,
        DROP,
        Step("GET", "/{t}/exists"),
    ],
    "schema": [
        MAKE,
        *each_form("/{t}/schema"),
        Step("POST", "/{t}/schema", body={"name": "x", "ColumnSchema": [{"name": "h", "BLOOMFILTER": "NONE"}]}),
        Step("POST", "/{t}/schema", body={"ColumnSchema": [{"name": "f", "TTL": "86400", "COMPRESSION": "GZ"}]}),
        *each_form("/{t}/schema"),
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"name": "h", "IN_MEMORY": "true", "MINE": "x"}]}),
        Step("GET", "/{t}/schema"),
        Step("PUT", "/{t}/schema", body={
            "ColumnSchema": [{"name": "h", "hbase.hstore.compaction.min": "5"}], "READONLY": "true", "owner": "me",
            "hbase.hregion.memstore.flush.size": "134217728", "hbase.store.file-tracker.impl": "DEFAULT"}),
        Step("GET", "/{t}/schema"),
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"name": "h"}], "READONLY": "true", "owner": "me"}),
        *each_form("/{t}/schema"),
        Step("PUT", "/{t}/row/h:q", accept=None, body="x", content_type=BINARY),
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"name": "h", "VERSIONS": 2}]}),
        Step("GET", "/{t}/schema"),
        DROP,
        Step("POST", "/{t}/schema", body=json.dumps(schema("f")), content_type=JSON),
        DROP,
        Step("PUT", "/{t}/schema", body='<TableSchema name="{t}"><ColumnSchema name="f" VERSIONS="5"/></TableSchema>',
             content_type=XML),
        Step("GET", "/{t}/schema"),
        DROP,
        *[step
          for form in (PROTOBUF, IETF)
          for step in (
              Step("PUT", "/{t}/schema", content_type=form, body=to_protobuf(_models.TABLE_SCHEMA, {
                  "name": "x", "READONLY": "false",
                  "ColumnSchema": [{"name": "f", "VERSIONS": "4", "TTL": "100"}]})),
              Step("GET", "/{t}/schema"),
              Step("POST", "/{t}/schema", content_type=form,
                   body=to_protobuf(_models.TABLE_SCHEMA, {"ColumnSchema": [{"name": "g", "COMPRESSION": "GZ"}]})),
              Step("POST", "/{t}/schema", content_type=XML,
                   body='<TableSchema><ColumnSchema name="h" BLOCKSIZE="4096"/></TableSchema>'),
              Step("GET", "/{t}/schema"),
              DROP,
          )],
    ],
    "bad-schema": [
        Step("PUT", "/{t}/schema", body={"name": "{t}"}),
        Step("PUT", "/{t}/schema", body="not json", content_type=JSON),
        Step("PUT", "/{t}/schema", body="[]", content_type=JSON),
        Step("PUT", "/{t}/schema", body="<TableSchema", content_type=XML),
        Step("PUT", "/{t}/schema", body="<Other/>", content_type=XML),
        Step("PUT", "/{t}/schema", body=b"\xff\xff\xff", content_type=PROTOBUF),
        Step("PUT", "/{t}/schema", body="", content_type=JSON),
        Step("PUT", "/{t}/schema", body="", content_type=XML),
        Step("PUT", "/{t}/schema", body="text", content_type=TEXT),
        Step("PUT", "/{t}/schema", body="text", content_type=BINARY),
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"name": "f", "VERSIONS": "many"}]}, differs="retried"),
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"name": "f", "COMPRESSION": "NEVER"}]}),
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"name": "f", "BLOOMFILTER": "NEVER"}]}),
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"name": "bad:name"}]}),
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"VERSIONS": "1"}]}),
        Step("PUT", "/no$name/schema", body=json.dumps(schema("f")), content_type=JSON),
        Step("PUT", "/missing:{t}/schema", body=json.dumps(schema("f")), content_type=JSON),
        Step("PATCH", "/{t}/schema", body={}),
    ],
    "regions": [MAKE, *each_form("/{t}/regions"), DROP, *each_form("/{t}/regions")],
    "rows": [
        *FILLED,
        *each_form("/{t}/a1", ROWS),
        *each_form("/{t}/a1?v=3", ROWS),
        *each_form("/{t}/missing", ROWS),
        Step("GET", "/{t}/a1/f"),
        Step("GET", "/{t}/a1/f:q"),
        Step("GET", "/{t}/a1/f:"),
        Step("GET", "/{t}/a1/g:"),
        Step("GET", "/{t}/a1/f:q,g"),
        Step("GET", "/{t}/a1/f:q,f:q,"),
        Step("GET", "/{t}/a1/f:missing"),
        Step("GET", "/{t}/a1/missing:q"),
        Step("GET", "/{t}/a1/missing"),
        Step("GET", "/{t}/a1/,f"),
        Step("GET", "/{t}/a1/:q"),
        Step("GET", "/{t}/a1/f:q/500"),
        Step("GET", "/{t}/a1/f:q/501"),
        Step("GET", "/{t}/a1/f:q/100,500?v=9"),
        Step("GET", "/{t}/a1//450"),
        Step("GET", "/{t}/a1/f:q/450/"),
        Step("GET", "/{t}/a1/f:q/450/more"),
        Step("GET", "/{t}/a1/f:q/x"),
        Step("GET", "/{t}/a1/f:q/500,100"),
        Step("GET", "/{t}/a1/f:q/-5"),
        Step("GET", "/{t}/a1?v=x"),
        Step("GET", "/{t}/a1?v=0"),
        Step("GET", "/{t}/a1?v=-1"),
        Step("GET", "/{t}/a1?nocache=1"),
        Step("GET", "/{t}/a1/"),
        Step("GET", "/{t}/%61%31"),
        Step("GET", "/{t}/"),
        Step("GET", "/{t}"),
        Step("GET", "/{t}/a1,b2"),
        Step("GET", "/{t}/a1,b2/f:q?v=2"),
        Step("GET", "/{t}/b1,a1"),
        Step("GET", "/{t}/a1,a1"),
        Step("GET", "/{t}/a*/f:q"),
        Step("GET", "/{t}/a*/f/150,600"),
        Step("GET", "/{t}/z*/f"),
        Step("GET", "/{t}/a*b"),
        *each_form("/{t}/a1,c", ROWS),
        Step("GET", f"/{{t}}/{url64('a1')}?e=b64"),
        Step("GET", f"/{{t}}/{url64('a1')}/{url64('f:q')}?e=b64url"),
        Step("GET", f"/{{t}}/{b64('a1')}/{b64('f:q')}?e=b64basic"),
        Step("GET", f"/{{t}}/{url64('a1')}", headers={"Encoding": "base64"}),
        Step("GET", f"/{{t}}/{url64('a1')}?e=hex"),
        Step("GET", "/{t}/a1!?e=b64"),
        Step("GET", "/missing_{t}/a1"),
        Step("GET", "/missing_{t}/a1,b1"),
        Step("GET", "/no$name/a1"),
        Step("HEAD", "/{t}/a1"),
        DROP,
    ],
    "values": [
        *FILLED,
        *[Step("GET", "/{t}/a1/f:q", accept=accept) for accept in NEGOTIATED],
        *[Step("GET", "/{t}/a1", accept=accept) for accept in (None, "*/*", BINARY)],
        Step("GET", "/{t}/a1/f:q", accept=BINARY),
        Step("GET", "/{t}/a1/f:q/450", accept=BINARY),
        Step("GET", "/{t}/a1/f", accept=BINARY),
        Step("GET", "/{t}/a1/f:q,f:r", accept=BINARY),
        Step("GET", "/{t}/a1/f:missing", accept=BINARY),
        Step("GET", "/{t}/missing/f:q", accept=BINARY),
        Step("GET", f"/{{t}}/{url64('a1')}/{url64('f:q')}?e=b64", accept=BINARY),
        Step("PUT", "/{t}/new/f:q", body=b"\x00\xff", content_type=BINARY, headers={"X-Timestamp": "100"}),
        Step("GET", "/{t}/new/f:q", accept=BINARY),
        Step("POST", "/{t}/new/f:r/123", body=b"", content_type=BINARY),
        Step("PUT", "/{t}/fake", body=b"by headers", content_type=BINARY,
             headers={"X-Row": "real", "X-Column": "f:q", "X-Timestamp": "77"}),
        Step("PUT", "/{t}/fake/g:", body=b"by headers", content_type=BINARY,
             headers={"X-Row": "real", "X-Column": "f:q", "X-Timestamp": "77"}),
        Step("GET", "/{t}/real"),
        Step("PUT", "/{t}/new", body=b"x", content_type=BINARY),
        Step("PUT", "/{t}/new/f", body=b"x", content_type=BINARY),
        Step("PUT", "/{t}/new/f:q", body=b"x", content_type=BINARY, headers={"X-Timestamp": "soon"}),
        Step("PUT", "/{t}/new/missing:q", body=b"x", content_type=BINARY),
        Step("PUT", "/missing_{t}/new/f:q", body=b"x", content_type=BINARY),
        Step("PUT", "/{t}/new/f:q", body=b"x", content_type=TEXT),
        Step("PUT", "/{t}/new/f:q", body=b"x", content_type="image/png"),
        DROP,
    ],
    "writes": [
        MAKE,
        Step("PUT", "/{t}/r1", body=cells(("r1", [("f:q", "1", 100), ("g:x", "", 100)]))),
        Step("POST", "/{t}/r2", body=cells(("r2", [("f:q", "2", 100)]), ("r3", [("f:q", "3", 100)]))),
        *in_forms("PUT", "/{t}/r4", _models.CELL_SET,
                  {"Row": [{"key": b"r4", "Cell": [{"column": b"f:q", "timestamp": 100, "$": b"4"}]}]},
                  f'<CellSet><Row key="{b64("r5")}"><Cell column="{b64("f:q")}" timestamp="100">{b64("5")}</Cell></Row>'
                  f'<Row key="{b64("r6")}"><Cell column="{b64("g:")}" timestamp="100">\n {b64("6")} </Cell></Row>'
                  "</CellSet>"),
        *in_forms("POST", "/{t}/r4", _models.CELL_SET,
                  {"Row": [{"key": b"r7", "Cell": [{"column": b"f:q", "timestamp": 100, "$": b"7"}]}]},
                  f'<?xml version="1.0"?><CellSet xmlns="urn:x"><Row key="{b64("r8")}"/></CellSet>'),
        Step("PUT", "/{t}/r9/f:q", body={"Row": [{"Cell": [{"$": b64("9"), "timestamp": 100}]}]}),
        Step("PUT", "/{t}/ra/f:q,g:x", body={"Row": [{"Cell": [
            {"$": b64("a"), "timestamp": 100}, {"$": b64("b"), "timestamp": 100}]}]}),
        Step("PUT", "/{t}/rb", body={"Row": [{"Cell": [{"$": b64("9")}]}]}),
        Step("GET", "/{t}/r*"),
        Step("PUT", "/{t}/r1", body={"Row": []}),
        Step("PUT", "/{t}/r1", body={}),
        Step("PUT", "/{t}/r1", body={"Row": [{"key": b64("r1")}]}),
        Step("PUT", "/{t}/r1", body={"Row": [{"key": b64("r1"), "Cell": []}]}),
        Step("PUT", "/{t}/r1", body=cells(("r1", [("f", "1", 100)]))),
        Step("PUT", "/{t}/r1", body=cells(("r1", [("missing:q", "1", 100)]))),
        Step("PUT", "/{t}/r1", body=cells(("", [("f:q", "1", 100)]))),
        Step("PUT", "/{t}/r1", body=cells(("r1", [("f:q", "1", -5)]))),
        Step("PUT", "/missing_{t}/r1", body=cells(("r1", [("f:q", "1", 100)]))),
        Step("PUT", "/{t}/r1", body="{", content_type=JSON),
        Step("PUT", "/{t}/r1", body={"Rows": []}),
        Step("PUT", "/{t}/r1", body={"Row": [{"key": "!!", "Cell": []}]}),
        Step("PUT", "/{t}/r1", body={"Row": [{"key": b64("r1"), "Cell": [{**cell("f:q", "1"), "timestamp": "150"}]}]}),
        Step("PUT", "/{t}/r1", body={"Row": {"key": b64("r1")}}),
        Step("PUT", "/{t}/r1", body="<CellSet><Row/>", content_type=XML),
        Step("PUT", "/{t}/r1", body=b"\x0a\xff", content_type=PROTOBUF),
        Step("PUT", "/{t}/r1", body="", content_type=JSON),
        Step("PUT", "/{t}/r1?check=never", body=cells(("r1", [("f:q", "1", 100)]))),
        Step("PUT", "/{t}/r1", accept="image/png", body=cells(("r1", [("f:q", "later", 900)]))),
        Step("PUT", "/{t}/r1", accept=TEXT, body=cells(("r1", [("f:q", "later", 900)]))),
        Step("PUT", "/{t}/a*", body=cells(("r1", [("f:q", "1", 100)]))),
        Step("GET", "/{t}/r1"),
        DROP,
    ],
    "deletes": [
        *FILLED,
        Step("DELETE", "/{t}/a1/f:q/400"),
        Step("GET", "/{t}/a1/f:q?v=9"),
        Step("DELETE", "/{t}/a1/f:q"),
        Step("GET", "/{t}/a1"),
        Step("DELETE", "/{t}/a1/f,g:"),
        Step("GET", "/{t}/a1"),
        Step("DELETE", "/{t}/a2//250"),
        Step("GET", "/{t}/a2"),
        Step("DELETE", "/{t}/a2"),
        Step("GET", "/{t}/a2"),
        Step("DELETE", f"/{{t}}/{url64('b1')}?e=b64"),
        Step("GET", "/{t}/b1"),
        Step("DELETE", "/{t}/b2/f/149"),
        Step("GET", "/{t}/b2"),
        Step("DELETE", "/{t}/never"),
        Step("DELETE", "/{t}/c/missing"),
        Step("DELETE", "/missing_{t}/c"),
        Step("DELETE", "/{t}/c/g:y/x"),
        Step("GET", "/{t}/c"),
        Step("DELETE", "/{t}/a*"),
        DROP,
    ],
    "checks": [
        MAKE,
        Step("PUT", "/{t}/r", body=cells(("r", [("f:q", "1", 100), ("f:r", "2", 100)]))),
        Step("PUT", "/{t}/r?check=put", body=cells(("r", [("f:q", "new", 200), ("f:q", "1", None)]))),
        Step("POST", "/{t}/r?check=PUT", body=cells(("r", [("f:q", "newer", 300), ("f:q", "1", None)]))),
        Step("PUT", "/{t}/r?check=put",
             body=cells(("r", [("f:r", "with", 300), ("f:q", "newer", 300), ("f:q", "new", None)]))),
        Step("GET", "/{t}/r"),
        Step("PUT", "/{t}/r?check=put", body=cells(("r", [("f:q", "1", None)]))),
        Step("PUT", "/{t}/r?check=put", body=cells(("r", [("f:r", "1", None), ("f:q", "1", None)]))),
        Step("PUT", "/{t}/r?check=put", body=cells(("r", [("f:q", "1", None), ("f", "1", None)]))),
        Step("PUT", "/{t}/r?check=put", body=cells(("r", []), ("s", []))),
        Step("PUT", "/{t}/r?check=put", body=cells(("r", [("missing:q", "1", None), ("missing:q", "1", None)]))),
        Step("PUT", "/missing_{t}/r?check=put", body=cells(("r", [("f:q", "1", None), ("f:q", "1", None)]))),
        Step("DELETE", "/{t}/r?check=delete", body=cells(("r", [("f:q", "newer", None)]))),
        Step("PUT", "/{t}/r", body=cells(("r", [("f:q", "1", 100), ("f:r", "2", 100), ("g:", "3", 100)]))),
        Step("PUT", "/{t}/r?check=delete", body=cells(("r", [("f:q", "no", None)]))),
        Step("PUT", "/{t}/r?check=delete", body=cells(("r", [("f:q", "1", None)]))),
        Step("GET", "/{t}/r?v=9"),
        Step("PUT", "/{t}/r?check=delete", body=cells(("r", [("f:r", "x", 100), ("g:", "3", None)]))),
        Step("GET", "/{t}/r?v=9"),
        Step("PUT", "/{t}/r?check=delete", body=cells(("r", [("f", "x", None), ("g:", "3", None)]))),
        Step("GET", "/{t}/r?v=9"),
        Step("PUT", "/{t}/r?check=delete", body=cells(("r", [("g:", "3", None)]))),
        Step("GET", "/{t}/r?v=9"),
        Step("PUT", "/{t}/r?check=delete", body=cells(("r", [("g", "3", None)]))),
        Step("PUT", "/{t}/r?check=delete", body=cells(("r", []))),
        Step("PUT", "/{t}/r/f:q?check=delete", body={"Row": [{"Cell": [{"$": b64("3")}]}]}),
        Step("PUT", "/{t}/r?check=delete", body=cells(("r", [("missing:q", "3", None)]))),
        DROP,
    ],
    "counters": [
        MAKE,
        Step("PUT", "/{t}/r?check=append", body=cells(("r", [("f:q", "one", None)]))),
        Step("PUT", "/{t}/r?check=append", body=cells(("r", [("f:q", "two", None), ("f:r", "x", None)]))),
        Step("GET", "/{t}/r/f:q", accept=BINARY),
        *[Step("PUT", "/{t}/r?check=append&rr=true", accept=form, body=cells(("r", [("f:s", "+", None)])))
          for form in (JSON, XML, PROTOBUF, IETF, None, "*/*")],
        Step("PUT", "/{t}/r?check=append&rr=true", accept=TEXT, body=cells(("r", [("f:t", "+", None)])),
             differs="unacceptable-result"),
        Step("PUT", "/{t}/r/f:q?check=append", body={"Row": [{"Cell": [{"$": b64("!")}]}]}),
        Step("PUT", "/{t}/r?check=increment", body=cells(("r", [("f:n", "5", None)]))),
        Step("POST", "/{t}/r?check=increment", body=cells(("r", [("f:n", "-7", None)]))),
        Step("GET", "/{t}/r/f:n", accept=BINARY),
        *[Step("PUT", "/{t}/r?check=increment&rr=true", accept=form, body=cells(("r", [("f:n", "3", None)])),
               differs="increment-result")
          for form in (JSON, XML)],
        Step("PUT", "/{t}/r?check=increment", body=cells(("r", [("f:n", "many", None)]))),
        Step("PUT", "/{t}/r?check=increment", body=cells(("r", [("f:q", "1", None)]))),
        Step("PUT", "/{t}/r?check=increment", body=cells(("r", [("f", "1", None)]))),
        Step("PUT", "/{t}/r?check=append", body=cells(("r", [("missing:q", "1", None)]))),
        Step("PUT", "/{t}/r?check=append", body=cells(("r", []))),
        Step("PUT", "/{t}/r?check=increment", body=cells(("r", []))),
        Step("PUT", "/{t}/r?check=append", body=cells(("r", []), ("s", []))),
        Step("PUT", "/missing_{t}/r?check=append", body=cells(("r", [("f:q", "x", None)]))),
        DROP,
    ],
    "multiget": [
        *FILLED,
        *each_form("/{t}/multiget?row=a1&row=b1&row=missing", ROWS),
        Step("GET", "/{t}/multiget/?row=a1&row=a1"),
        Step("GET", "/{t}/multiget?row=a1&v=3"),
        Step("GET", "/{t}/multiget/f:q,g?row=a1&row=a2"),
        Step("GET", "/{t}/multiget?row=a1/f:q/450&row=a2/g"),
        Step("GET", "/{t}/multiget?row=missing"),
        Step("GET", "/{t}/multiget"),
        Step("GET", f"/{{t}}/multiget?row={url64('a1')}&row={url64('b1')}&e=b64"),
        Step("GET", "/{t}/multiget?row=a1&row=b1&filter=ValueFilter(=,'binary:5')"),
        Step("GET", f"/{{t}}/multiget?row=a1&row=b1&filter_b64={url64(VALUE_IS_FIVE)}"),
        Step("GET", "/{t}/multiget?row=a1&filter=Nonsense"),
        Step("GET", "/{t}/multiget?row=a1/missing:q", differs="page-500"),
        Step("GET", "/{t}/multiget?row=a1&v=x"),
        Step("GET", "/missing_{t}/multiget?row=a1", differs="page-500"),
        Step("GET", "/{t}/multiget?row=a1", accept=TEXT),
        Step("POST", "/{t}/multiget?row=a1", body={}),
        DROP,
    ],
    "prefix-scans": [
        *FILLED,
        *each_form("/{t}/*", ROWS),
        *each_form("/{t}/a*", ROWS),
        *[Step("GET", "/{t}/b*", accept=accept) for accept in (None, "*/*", "text/*", "application/*", TEXT, BINARY)],
        Step("GET", "/{t}/z*"),
        Step("GET", "/{t}/*?limit=2"),
        Step("GET", "/{t}/*?limit=0"),
        Step("GET", "/{t}/*?limit=x", differs="page-404"),
        Step("GET", "/{t}/*?startrow=a2&endrow=b2"),
        Step("GET", "/{t}/a*?startrow=a2"),
        Step("GET", "/{t}/*?column=f:q&column=g"),
        Step("GET", "/{t}/*?column=f:"),
        Step("GET", "/{t}/*?column=missing:q", differs="page-500"),
        Step("GET", "/{t}/a*?maxversions=9"),
        Step("GET", "/{t}/a*?maxversions=9&starttime=200&endtime=500"),
        Step("GET", "/{t}/a*?batchsize=1"),
        Step("GET", "/{t}/*?reversed=true&startrow=b2"),
        Step("GET", "/{t}/*?reversed=true"),
        Step("GET", "/{t}/a*?reversed=true"),
        Step("GET", "/{t}/*?cacheblocks=false&limit=1"),
        Step("GET", "/{t}/*?filter=PrefixFilter('b')"),
        Step("GET", "/{t}/a*?filter=ValueFilter(%3D,'binary:3')"),
        Step("GET", f"/{{t}}/*?filter_b64={url64(b'PageFilter(1)')}"),
        Step("GET", "/{t}/*?filter=Nonsense"),
        Step("GET", "/{t}/*?starttime=5&endtime=1"),
        Step("GET", "/missing_{t}/*", differs="page-500"),
        Step("DELETE", "/{t}/*"),
        DROP,
    ],
    "scanners": [
        *FILLED,
        Step("PUT", "/{t}/scanner", body={}),
        *[Step("GET", "{scanner}?c=3", accept=form) for form in (JSON, XML, PROTOBUF, IETF)],
        Step("GET", "{scanner}"),
        Step("DELETE", "{scanner}"),
        Step("GET", "{scanner}"),
        Step("DELETE", "{scanner}"),
        Step("POST", "/{t}/scanner", body={"batch": 2, "maxVersions": 1}),
        *[Step("GET", "{scanner}") for _ in range(6)],
        Step("POST", "/{t}/scanner", body={"maxVersions": 1, "startRow": b64("a2"), "endRow": b64("c")}),
        *[Step("GET", "{scanner}?n=1") for _ in range(4)],
        Step("PUT", "/{t}/scanner", body={"column": [b64("f:q"), b64("g")], "startTime": 150, "endTime": 500}),
        *[Step("GET", "{scanner}", accept=BINARY) for _ in range(4)],
        Step("PUT", "/{t}/scanner", content_type=XML,
             body=f'<Scanner batch="2" startRow="{b64("b")}"><column>{b64("f:q")}</column></Scanner>'),
        Step("GET", "{scanner}"),
        Step("PUT", "/{t}/scanner", body=to_protobuf(_models.SCANNER, {"batch": 3, "caching": 5, "startRow": b"c"}),
             content_type=PROTOBUF),
        Step("GET", "{scanner}"),
        *in_forms("POST", "/{t}/scanner", _models.SCANNER, {"maxVersions": 1, "startRow": b"b"},
                  f'<Scanner maxVersions="1" startRow="{b64("b")}"/>'),
        Step("GET", "{scanner}"),
        *in_forms("PUT", "/{t}/scanner", _models.SCANNER, {"maxVersions": 1, "endRow": b"b", "column": [b"f:r"]},
                  '<Scanner maxVersions="1"><labels>none</labels></Scanner>'),
        Step("GET", "{scanner}"),
        Step("GET", "{scanner}", accept=TEXT),
        Step("GET", "{scanner}", accept="*/*"),
        Step("GET", "/{t}/scanner/never"),
        Step("DELETE", "/{t}/scanner/never"),
        Step("GET", "/{t}/scanner"),
        Step("PUT", "/missing_{t}/scanner", body={}, differs="lazy-scanner"),
        Step("PUT", "/{t}/scanner", body={"filter": "nonsense"}),
        Step("PUT", "/{t}/scanner", body={"filter": '{"type":"Nonsense"}'}),
        Step("PUT", "/{t}/scanner", body={"batch": "many"}),
        Step("PUT", "/{t}/scanner", body={"startTime": 5, "endTime": 1}),
        Step("PUT", "/{t}/scanner", body={"column": [b64(":q")]}, differs="lazy-scanner"),
        Step("PUT", "/{t}/scanner", body="x", content_type=TEXT),
        Step("PUT", "/{t}/scanner", body="", content_type=JSON),
        Step("PUT", "/{t}/scanner", body="", content_type=PROTOBUF),
        DROP,
    ],
    "json-filters": [
        *FILLED,
        *[step
          for filter in JSON_FILTERS
          for step in (
              Step("PUT", "/{t}/scanner", body={"maxVersions": 3, "filter": filter}),
              Step("GET", "{scanner}"),
              Step("DELETE", "{scanner}"),
          )],
        *[Step("PUT", "/{t}/scanner", body={"filter": filter}) for filter in BAD_FILTERS],
        DROP,
    ],
    "namespaces": [
        *each_form("/namespaces/default"),
        Step("GET", "/namespaces/{t}", differs="page-500"),
        Step("POST", "/namespaces/{t}", body={"properties": {"owner": "me"}}),
        *each_form("/namespaces/{t}"),
        Step("POST", "/namespaces/{t}", body={}),
        *each_form("/namespaces"),
        Step("PUT", "/namespaces/{t}", body={"properties": {"other": "x"}}),
        *each_form("/namespaces/{t}"),
        Step("PUT", "/{t}:inside/schema", body=json.dumps(schema("f")), content_type=JSON),
        *each_form("/namespaces/{t}/tables"),
        Step("GET", "/{t}:inside/schema"),
        Step("PUT", "/{t}:inside/r/f:q", body=b"x", content_type=BINARY, headers={"X-Timestamp": "5"}),
        Step("GET", "/{t}:inside/r"),
        Step("GET", "/{t}%3Ainside/r"),
        Step("DELETE", "/namespaces/{t}"),
        Step("DELETE", "/{t}:inside/schema"),
        Step("DELETE", "/namespaces/{t}"),
        Step("DELETE", "/namespaces/{t}"),
        Step("PUT", "/namespaces/{t}", body={}),
        Step("GET", "/namespaces/{t}/tables", differs="page-500"),
        Step("GET", "/namespaces/{t}/more"),
        *in_forms("POST", "/namespaces/{t}", _models.NAMESPACE_PROPERTIES, {"properties": {"k": "v"}},
                  "<NamespaceProperties><properties><entry><key>k</key><value>v</value></entry></properties>"
                  "</NamespaceProperties>"),
        *in_forms("PUT", "/namespaces/{t}", _models.NAMESPACE_PROPERTIES, {"properties": {"k": "w"}},
                  "<NamespaceProperties/>"),
        Step("GET", "/namespaces/{t}"),
        Step("DELETE", "/namespaces/{t}"),
        Step("POST", "/namespaces/bad!name", body={}, differs="retried"),
        Step("DELETE", "/namespaces/hbase"),
    ],
    "negotiation": [
        Step("POST", "/namespaces/{t}", body={}),
        *[Step("GET", "/namespaces/{t}/tables", accept=accept)
          for accept in (*NEGOTIATED, BINARY, "bad", "a/b;q=x")],
        Step("DELETE", "/namespaces/{t}"),
        *each_form("/version/none"),
        Step("GET", "/status"),
        Step("GET", "/version/rest", accept="image/png"),
        Step("POST", "/version", body={}),
        Step("DELETE", "/"),
        Step("PUT", "/namespaces", body={}),
    ],
    "status": [
        MAKE,
        *[step for path in ("/version", "/version/rest", "/version/cluster", "/status/cluster")
          for step in each_form(path, (*FORMS, "*/*"))],
        DROP,
    ],
    "gzip": [
        *FILLED,
        Step("GET", "/{t}/a1", headers={"Accept-Encoding": "gzip"}),
        Step("PUT", "/{t}/z", body=gzip.compress(json.dumps(cells(("z", [("f:q", "1", 1)]))).encode(), mtime=0),
             content_type=JSON, headers={"Content-Encoding": "gzip"}),
        Step("GET", "/{t}/z"),
        DROP,
    ],
    "disabled": [
        MAKE,
        Step("PUT", "/{t}/schema", body={"ColumnSchema": [{"name": "f"}], "READONLY": "true"}),
        Step("PUT", "/{t}/r", body=cells(("r", [("f:q", "1", 1)]))),
        Step("PUT", "/{t}/r?check=append", body=cells(("r", [("f:q", "1", 1)]))),
        Step("DELETE", "/{t}/r"),
        DROP,
    ],
}  # fmt: skip
"""Requests by session; each makes what it needs and takes it away."""


def table_of(session: str) -> str:
    """The table that a session works on."""
    return f"rest_{session.replace('-', '_')}"
