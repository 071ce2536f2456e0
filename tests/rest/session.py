"""A sequence of requests to a REST server, with its answers in a form that is comparable between servers."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rowstone.server.rest.messages import _models
from rowstone.server.rest.messages.shapes import from_protobuf, to_json

JSON, XML, PROTOBUF, IETF = "application/json", "text/xml", "application/x-protobuf", "application/protobuf"
BINARY, TEXT = "application/octet-stream", "text/plain"

COMPARED_HEADERS = ("Allow", "Cache-Control", "Content-Encoding", "X-Column", "X-Row", "X-Timestamp")
UNLIKE = ("/version", "/version/rest", "/version/cluster", "/status/cluster")
"""Paths whose answers have the same fields on two servers, and other texts and numbers."""
_REGION = re.compile(r"\b[0-9a-f]{32}\b")
_PLACE = re.compile(r"\b(?:localhost|127\.0\.0\.1):\d+")
_TRACKER = re.compile(
    "|".join(
        [
            r", hbase\.store\.file-tracker\.impl => 'DEFAULT'",
            r' hbase\.store\.file-tracker\.impl=\\"DEFAULT\\"',
            r', "hbase\.store\.file-tracker\.impl": "DEFAULT"',
            "12280a1d" + b"hbase.store.file-tracker.impl".hex() + "1207" + b"DEFAULT".hex(),
        ]
    )
)
"""HBase writes into each new table how it finds files, which a directory does not have."""
_NOW = re.compile(r"\b1[6-9]\d{11}\b")


@dataclass(frozen=True)
class Step:
    """A request. ``{t}`` in path and body stands for a table of the session's own, ``{scanner}`` for the path of the
    last answer's Location; ``body`` that is a dict is sent as JSON. ``differs`` names the reason why we answer
    otherwise than HBase, of those in `tests.rest.differences`."""

    method: str
    path: str
    accept: str | None = JSON
    body: bytes | str | Mapping[str, Any] | None = None
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    differs: str | None = None

    def filled(self, names: Mapping[str, str]) -> Step:
        """The request with its placeholders replaced."""
        body, content_type = self.body, self.content_type
        if isinstance(body, Mapping):
            body, content_type = json.dumps(body), content_type or JSON
        path = self.path
        for name, value in names.items():
            path = path.replace(f"{{{name}}}", value)
            if isinstance(body, str):
                body = body.replace(f"{{{name}}}", value)
        data = body.encode() if isinstance(body, str) else body
        return Step(self.method, path, self.accept, data, content_type, self.headers)


def run(port: int, steps: Sequence[Step], table: str) -> list[dict[str, Any]]:
    """The answers to the steps, made comparable."""
    names = {"t": table}
    answers = []
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        for step in steps:
            request = step.filled(names)
            headers = dict(request.headers)
            if request.accept is not None:
                headers["Accept"] = request.accept
            if request.content_type is not None:
                headers["Content-Type"] = request.content_type
            connection.putrequest(request.method, request.path, skip_accept_encoding=True)
            if request.body is not None:
                headers["Content-Length"] = str(len(request.body))
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders(request.body)  # type: ignore[arg-type]
            response = connection.getresponse()
            body = response.read()
            if response.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            location = response.headers.get("Location")
            if location is not None:
                names["scanner"] = re.sub(r"^https?://[^/]+", "", location)
            answers.append(_comparable(request.path, response, body, names))
    finally:
        connection.close()
    return answers


def _comparable(path: str, response: http.client.HTTPResponse, body: bytes, names: Mapping[str, str]) -> dict[str, Any]:
    media = (response.headers.get("Content-Type") or "").partition(";")[0]
    answer: dict[str, Any] = {"status": response.status, "media": media}
    kept = {name: response.headers[name] for name in COMPARED_HEADERS if name in response.headers}
    if "Allow" in kept:
        kept["Allow"] = ",".join(sorted(re.split(r",\s*", kept["Allow"])))
    if kept:
        answer["headers"] = kept
    if "Location" in response.headers:
        answer["location"] = re.sub(r"^https?://[^/]+", "", response.headers["Location"])
    answer["body"] = _body(media, response.status, body)
    if media in (PROTOBUF, IETF) and response.status == 200:
        # Times of now stand inside.
        for part, model in (("/regions", _models.TABLE_INFO), ("rr=true", _models.CELL_SET)):
            if path.endswith(part):
                answer["body"] = json.loads(to_json(model, from_protobuf(model, body)))
    if path in UNLIKE and response.status == 200:
        model = _models.CLUSTER_STATUS if "status" in path else _models.VERSION
        answer["body"] = from_protobuf(model, body) if media in (PROTOBUF, IETF) else answer["body"]
        answer["body"] = _fields(answer["body"])
    if path in ("/", "/namespaces") and response.status == 200:
        answer["body"] = _own_tables(answer["body"], names["t"])
    return json.loads(_neutral(json.dumps(answer), names))  # type: ignore[no-any-return]


def _fields(body: Any) -> Any:
    """Names of the fields in a body whose values differ on every server."""
    if isinstance(body, dict):
        return {name: _fields(value) for name, value in sorted(body.items()) if value != []}
    if isinstance(body, list):
        return [_fields(body[-1])]
    if isinstance(body, str):
        # Names of regions end with "=", too, but have nothing before them.
        return sorted(set(re.findall(r'<\w+|(?<=\s)\w+(?==["\d])|\[\w+(?=: )|\w+ (?:servers|load)', body)))
    return type(body).__name__


def _own_tables(body: Any, table: str) -> Any:
    """Whether a list of tables, in any form, contains this one: a server may have others, too."""
    text = bytes.fromhex(body).decode() if isinstance(body, str) and re.fullmatch("[0-9a-f]+", body) else str(body)
    return bool(re.search(rf"\b{table}\b", text))


def _body(media: str, status: int, body: bytes) -> Any:
    if media == "text/html":
        # A page of the servlet container, for people.
        return "a page"
    if media == JSON and body:
        value = json.loads(body)
        return "a page" if "servlet" in value else value
    if media == XML and body:
        return ElementTree.canonicalize(body.decode())
    if body.startswith(b"HTTP ERROR"):
        return "a page"
    if media == TEXT and status >= 400:
        # Behind the phrase comes an exception: its class is compared, its text and where it happened are not.
        return re.sub(r"(?s)(\r\n[\w.$]+(?:Exception|Error)).*", r"\1", body.decode())
    if media in (PROTOBUF, IETF, BINARY):
        return body.hex()
    return body.decode(errors="replace")


def _neutral(text: str, names: Mapping[str, str]) -> str:
    """Without what differs by nature: the table's name, scanners' ids, the time."""
    text = text.replace(names["t"].encode().hex(), b"TABLE".hex()).replace(names["t"], "TABLE")
    text = _TRACKER.sub("", text)
    text = _PLACE.sub("HOST", _REGION.sub("HASH", text))
    text = re.sub(r"Model@[0-9a-f]+", "Model", text)
    text = re.sub(r"/scanner/\w+", "/scanner/ID", text)
    return _NOW.sub("1", text)
