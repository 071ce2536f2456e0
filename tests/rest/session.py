"""Requests sent to a REST server one after the other, and its answers in a form that two servers can be compared in."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

JSON, XML, PROTOBUF, IETF = "application/json", "text/xml", "application/x-protobuf", "application/protobuf"
BINARY, TEXT = "application/octet-stream", "text/plain"

COMPARED_HEADERS = ("Allow", "Cache-Control", "Content-Encoding", "X-Column", "X-Row", "X-Timestamp")
_NOW = re.compile(r"\b1[6-9]\d{11}\b")


@dataclass(frozen=True)
class Step:
    """A request. ``{t}`` in path and body stands for a table of the session's own, ``{scanner}`` for the path of the
    last answer's Location; ``body`` that is a dict is sent as JSON."""

    method: str
    path: str
    accept: str | None = JSON
    body: bytes | str | Mapping[str, Any] | None = None
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

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
            answers.append(_comparable(response, body, names))
    finally:
        connection.close()
    return answers


def _comparable(response: http.client.HTTPResponse, body: bytes, names: Mapping[str, str]) -> dict[str, Any]:
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
    return json.loads(_neutral(json.dumps(answer), names))  # type: ignore[no-any-return]


def _body(media: str, status: int, body: bytes) -> Any:
    if media == "text/html":
        # A page of the servlet container, for people.
        return "a page"
    if media == JSON and body:
        return json.loads(body)
    if media == XML and body:
        return ElementTree.canonicalize(body.decode())
    if media == TEXT and status >= 400:
        # Behind the phrase comes an exception: its class is compared, its text and where it happened are not.
        return re.sub(r"(?s)(\r\n[\w.$]+(?:Exception|Error)).*", r"\1", body.decode())
    if media in (PROTOBUF, IETF, BINARY):
        return body.hex()
    return body.decode(errors="replace")


def _neutral(text: str, names: Mapping[str, str]) -> str:
    """Without what differs by nature: the table's name, scanners' ids, the time."""
    text = text.replace(names["t"].encode().hex(), "TABLE".encode().hex()).replace(names["t"], "TABLE")
    text = re.sub(r"/scanner/\w+", "/scanner/ID", text)
    return _NOW.sub("NOW", text)
