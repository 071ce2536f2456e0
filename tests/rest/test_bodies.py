"""Request bodies: messages in every form, malformed bytes, XML and gzip bombs, values of wrong types."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone import errors
from rowstone.server import rest
from rowstone.server.rest import Limits
from rowstone.server.rest.messages import _json_filters, _models
from rowstone.server.rest.messages.shapes import (
    Field,
    Kind,
    Message,
    Shape,
    from_json,
    from_protobuf,
    from_xml,
    to_json,
    to_protobuf,
    to_xml,
)
from tests.rest.cases import JSON_FILTERS, b64
from tests.rest.session import JSON, PROTOBUF, XML, Step, run

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8)
KINDS: dict[Kind, st.SearchStrategy[Any]] = {
    Kind.TEXT: TEXTS,
    Kind.BYTES: st.binary(max_size=8),
    Kind.INT: st.integers(-(1 << 31), (1 << 31) - 1),
    Kind.LONG: st.integers(-(1 << 63), (1 << 63) - 1),
    Kind.DOUBLE: st.floats(allow_nan=False, allow_infinity=False),
    Kind.FLAG: st.booleans(),
    Kind.PAIRS: st.dictionaries(TEXTS, TEXTS, min_size=1, max_size=3),
}


def values(field: Field) -> st.SearchStrategy[Any]:
    one = messages(field.kind) if isinstance(field.kind, Shape) else KINDS[field.kind]
    return st.lists(one, min_size=1, max_size=3) if field.many else one


def messages(shape: Shape) -> st.SearchStrategy[Message]:
    fields = {field.name: values(field) for field in shape.fields if field.number}
    if shape.open is None:
        return st.fixed_dictionaries(fields)
    attributes = st.dictionaries(st.from_regex(r"[A-Z][A-Z_.]{0,8}", fullmatch=True), TEXTS, max_size=3)
    typed = {field.name for field in shape.open.typed}
    return st.tuples(st.fixed_dictionaries(fields), attributes).map(
        lambda pair: {**{name: text for name, text in pair[1].items() if name not in typed}, **pair[0]}
    )


@pytest.mark.parametrize("shape", _models.SHAPES, ids=lambda shape: shape.name)
@settings(max_examples=20)
@given(data=st.data())
def test_messages_come_back_from_every_form(shape: Shape, data: st.DataObject) -> None:
    message = data.draw(messages(shape))
    assert from_json(shape, to_json(shape, message)) == message
    assert from_xml(shape, to_xml(shape, message)) == message
    if any(field.number for field in shape.fields):
        assert from_protobuf(shape, to_protobuf(shape, message)) == message


@pytest.mark.parametrize("shape", _models.SHAPES, ids=lambda shape: shape.name)
@given(data=st.binary(max_size=40))
def test_broken_bytes_are_refused_or_read(shape: Shape, data: bytes) -> None:
    for read in (from_json, from_xml, from_protobuf):
        try:
            read(shape, data)
        except errors.InvalidArgument:
            continue


@pytest.mark.parametrize("filter", JSON_FILTERS)
def test_json_filters_come_back(filter: str) -> None:
    assert _json_filters.written(_json_filters.parse(filter)) == filter


def test_filters_that_rest_has_no_words_for() -> None:
    from rowstone import filters

    with pytest.raises(errors.UnsupportedOperation, match="LongComparator"):
        _json_filters.written(filters.ValueFilter("EQUAL", filters.LongComparator(1)))
    with pytest.raises(errors.UnsupportedOperation, match="ColumnValueFilter"):
        _json_filters.written(filters.ColumnValueFilter(b"f", b"q", "EQUAL", b"x"))
    deep = '{"type":"SkipFilter","filters":[' * 100 + '{"type":"KeyOnlyFilter"}' + "]}" * 100
    with pytest.raises(errors.InvalidArgument, match="nested"):
        _json_filters.parse(deep)


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION_LAUGHS = f'<!DOCTYPE CellSet [<!ENTITY l0 "ha">{LAUGHS}]><CellSet><Row key="&l9;"/></CellSet>'
OTHER_FILES = '<!DOCTYPE CellSet [<!ENTITY x SYSTEM "file:///etc/passwd">]><CellSet><Row key="&x;"/></CellSet>'
OUTSIDE = '<!DOCTYPE CellSet SYSTEM "http://127.0.0.1:1/x.dtd"><CellSet/>'


@pytest.mark.parametrize("body", [BILLION_LAUGHS, OTHER_FILES, OUTSIDE, "<a>" * 100_000])
def test_xml_that_is_dangerous_is_refused(gateway: rest.Gateway, database: rs.Database, body: str) -> None:
    database.create_table("t", ["f"])
    [answer] = run(gateway.port, [Step("PUT", "/t/r", body=body, content_type=XML)], "none")
    assert answer["status"] == 400
    assert list(database.table("t").scan()) == []


def test_json_that_is_deep_is_refused(gateway: rest.Gateway, database: rs.Database) -> None:
    database.create_table("t", ["f"])
    steps = [Step("PUT", "/t/r", body="[" * 200_000, content_type=JSON)]
    steps += [Step("PUT", "/t/r", body='{"Row":' * 50_000, content_type=JSON)]
    steps += [Step("PUT", "/t/r", body='{"Row":[{"Cell":[{"timestamp":' + "9" * 5000 + "}]}]}", content_type=JSON)]
    steps += [Step("PUT", "/t/r", body=b"\x0a\xff\xff\xff\xff\x7f", content_type=PROTOBUF)]
    assert [answer["status"] for answer in run(gateway.port, steps, "none")] == [400] * 4


def test_bodies_have_a_limit_before_and_after_they_are_unpacked(database: rs.Database) -> None:
    database.create_table("t", ["f"])
    bomb = gzip.compress(b" " * 10_000_000)
    packed = {"Content-Encoding": "gzip"}
    with rest.serve(database, port=0, limits=Limits(body_bytes=100_000)) as gateway:
        steps = [
            Step("PUT", "/t/r", body=bomb, content_type=JSON, headers=packed),
            Step("PUT", "/t/r", body=gzip.compress(b'{"Row":[]}')[:-4], content_type=JSON, headers=packed),
            Step("PUT", "/t/r", body=b"no gzip", content_type=JSON, headers=packed),
            Step("PUT", "/t/r/f:q", body=b"x" * 100_000, content_type="application/octet-stream"),
        ]
        assert [answer["status"] for answer in run(gateway.port, steps, "none")] == [413, 400, 400, 200]
        [answer] = run(gateway.port, [Step("PUT", "/t/r", body=b"x" * 100_001, content_type=JSON)], "none")
        assert answer["status"] == 413


def test_keys_that_are_no_text(gateway: rest.Gateway, database: rs.Database) -> None:
    """Percent-encoded bytes are used unchanged; base64 carries any bytes."""
    database.create_table("t", ["f"])
    key, qualifier = b"\x00\xff/*,", b"\xfe:"
    cell = {"column": b64(b"f:" + qualifier), "timestamp": 5, "$": b64(b"\x80")}
    row = {"key": b64(key), "Cell": [cell]}
    found = run(
        gateway.port,
        [
            Step("PUT", "/t/any", body={"Row": [row]}),
            Step("GET", f"/t/{b64(key).replace('/', '_').replace('+', '-')}?e=b64"),
            Step("PUT", "/t/%FE%00/f:%FF", body=b"v", content_type="application/octet-stream"),
        ],
        "none",
    )
    assert [answer["status"] for answer in found] == [200, 200, 200]
    assert found[1]["body"] == {"Row": [row]}
    assert database.table("t").get(b"\xfe\x00")[b"f:\xff"] == b"v"


@pytest.mark.parametrize(
    "query", ["multiget?row=%FE", "*?startrow=%FE&endrow=%FF", "*?column=f:%FF", "multiget?row=%FE/f:%FF"]
)
def test_keys_in_the_query_that_are_no_text(gateway: rest.Gateway, database: rs.Database, query: str) -> None:
    database.create_table("t", ["f"])
    database.table("t").put(b"\xfe", {b"f:\xff": b"v"}, timestamp=5)
    [found] = run(gateway.port, [Step("GET", f"/t/{query}")], "none")
    cell = {"column": b64(b"f:\xff"), "timestamp": 5, "$": b64(b"v")}
    assert (found["status"], found["body"]) == (200, {"Row": [{"key": b64(b"\xfe"), "Cell": [cell]}]})


NO_UNICODE = [
    Step("GET", "/t/r?v=%FF%0Aforged"),
    Step("GET", "/t/*?limit=%FF"),
    Step("GET", "/t/r?e=%FF"),
    Step("PUT", "/t/r?check=%FF", body={"Row": []}),
    Step("PUT", "/t/schema", body='{"ColumnSchema":[{"name":"\\ud800"}]}', content_type=JSON),
    Step("PUT", "/t/schema", body='{"ColumnSchema":[{"name":"f","VERSIONS":"\\ud800"}]}', content_type=JSON),
    Step("PUT", "/t/scanner", body='{"\\ud800":1}', content_type=JSON),
    Step("POST", "/namespaces/n", body='{"properties":{"\\ud800":"x"}}', content_type=JSON),
    Step("POST", "/namespaces/n", body='{"properties":{"x":"\\ud800"}}', content_type=JSON),
    Step("PUT", "/t/scanner", body={"filter": '{"type":[1]}'}),
    Step("PUT", "/t/scanner", body={"filter": '{"type":"PageFilter","value":1e999}'}),
    Step("PUT", "/t/scanner", body={"filter": '{"type":"ValueFilter","op":"EQUAL","comparator":{"type":{}}}'}),
]


@pytest.mark.parametrize("step", NO_UNICODE, ids=lambda step: f"{step.path} {step.body}")
def test_text_that_is_no_unicode_and_wrong_kinds_are_bad_requests(
    gateway: rest.Gateway, database: rs.Database, caplog: pytest.LogCaptureFixture, step: Step
) -> None:
    database.create_table("t", ["f"])
    [found] = run(gateway.port, [step], "none")
    assert (found["status"], caplog.text) == (400, "")


def test_a_scan_is_sent_while_it_is_read(gateway: rest.Gateway, database: rs.Database) -> None:
    """More than a megabyte, in pieces, in all forms."""
    database.create_table("t", ["f"])
    with database.table("t").batch() as batch:
        for number in range(3000):
            batch.put(f"{number:05}", {"f:q": "x" * 400})
    json_answer, xml_answer, limited = run(
        gateway.port, [Step("GET", "/t/*"), Step("GET", "/t/*", accept=XML), Step("GET", "/t/*?limit=7")], "none"
    )
    assert len(json_answer["body"]["Row"]) == 3000
    assert xml_answer["body"].count("<Row ") == 3000
    assert len(limited["body"]["Row"]) == 7
    assert json.dumps(json_answer["body"]).count(b64("x" * 400)) == 3000
    assert database.admin.metrics.stats()["open_scanners"] == 0


def test_the_scanner_of_a_client_that_leaves_is_closed(gateway: rest.Gateway, database: rs.Database) -> None:
    database.create_table("t", ["f"])
    with database.table("t").batch() as batch:
        for number in range(8000):
            batch.put(f"{number:05}", {"f:q": b"x" * 2000})
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as client:
        client.sendall(b"GET /t/* HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert database.admin.metrics.stats()["open_scanners"] == 1
    end = time.monotonic() + 60
    while database.admin.metrics.stats()["open_scanners"]:
        assert time.monotonic() < end
        run(gateway.port, [Step("GET", "/t/exists")], "none")


@pytest.mark.parametrize("setting", ["VERSIONS", "TTL", "BLOCKSIZE", "MIN_VERSIONS", "REPLICATION_SCOPE"])
@pytest.mark.parametrize("text", ["x", "1_0", "\u0661", "9" * 5000])
def test_a_setting_that_is_no_number_is_named(database: rs.Database, setting: str, text: str) -> None:
    """Regression: it was Python's message about int(), without family and setting. HBase's status is 503, recorded."""
    with rest.serve(database, port=0) as gateway:
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)
        body = json.dumps({"ColumnSchema": [{"name": "f", setting: text}]})
        connection.request("PUT", "/t/schema", body, {"Content-Type": JSON})
        answer = connection.getresponse()
        said = answer.read().decode()
        connection.close()
    assert answer.status == 503
    assert f"family 'f': {setting} => '{text}' is not a number from " in said
    with pytest.raises(errors.InvalidArgument, match=f"^family 'f': {setting} => .* is not a number from "):
        database.create_table("t", {"f": {setting: text}})
