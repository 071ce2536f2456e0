"""A page of another origin, in a real browser, changes nothing on any port of a server; a program changes all of it."""

from __future__ import annotations

import http.client
import struct
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from tests.served import wire

ATTACK = """async ({targets, types, bodies}) => {
    const sent = [];
    const quietly = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, 3000))]).catch(() => {});
    for (const [port, paths] of targets) {
        for (const path of paths) {
            const url = `http://${location.hostname === "localhost" ? "localhost" : "127.0.0.1"}:${port}${path}`;
            for (const body of [null, ...bodies]) {
                const bytes = body === null ? undefined : Uint8Array.from(body);
                for (const type of types) {
                    const headers = type === "" ? {} : {"Content-Type": type};
                    for (const mode of ["no-cors", "cors"]) {
                        const call = {method: "POST", mode, body: bytes, headers, credentials: "include"};
                        sent.push(quietly(fetch(url, call)));
                    }
                }
                if (bytes) navigator.sendBeacon(url, new Blob([bytes]));
            }
            for (const method of ["GET", "PUT", "DELETE"]) {
                sent.push(quietly(fetch(url, {method, mode: method === "GET" ? "no-cors" : "cors"})));
            }
            const image = new Image();
            image.src = url;
            await Promise.all(sent.splice(0));
        }
    }
}"""
FORM = """async ({url}) => {
    const frame = document.createElement("iframe");
    frame.name = "target";
    const form = Object.assign(document.createElement("form"), {method: "POST", action: url, target: "target"});
    form.enctype = "text/plain";
    document.body.append(frame, form);
    const loaded = new Promise((done) => { frame.onload = done; setTimeout(done, 3000); });
    form.submit();
    await loaded;
}"""
TYPES = [
    "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/x-thrift",
    "application/json",
]  # fmt: skip


def call_of(name: str, argument: str) -> bytes:
    """A call of Thrift with one text, in the binary protocol."""
    head = b"\x80\x01\x00\x01" + struct.pack(">i", len(name)) + name.encode() + b"\0\0\0\1"
    return head + b"\x0b\x00\x01" + struct.pack(">i", len(argument)) + argument.encode() + b"\0"


DISABLE = call_of("disableTable", "t")
RPC = wire.hello("MasterService", codec=None)


class Page(BaseHTTPRequestHandler):
    """An empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>another site</title><body></body>")

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def site() -> Iterator[int]:
    """The port of another site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.fixture
def used(tmp_path: Path) -> Iterator[rs.Server]:
    """A server as it is by default, with each of its ports."""
    ports = {"port": 0, "zk_port": 0, "rest_port": 0, "info_port": 0, "thrift_port": 0, "thrift2_port": 0}
    with rs.serve(tmp_path / "db", **ports) as server:  # type: ignore[arg-type]
        server.database.create_table("t", ["f"])
        server.database.table("t").put("row", {"f:q": "value"})
        yield server


def state(server: rs.Server) -> dict[str, Any]:
    """All that a client could have changed."""
    db = server.database
    return {
        "tables": {name: (db.admin.tables.is_enabled(name), str(db.admin.describe(name))) for name in db.tables()},
        "namespaces": sorted(str(one) for one in db.admin.namespaces.list()),
        "cells": [cell for row in db.table("t").scan(versions=None) for cell in row.cells],
        "snapshots": list(db.admin.snapshots.list()),
    }


def post(port: int | None, path: str, body: bytes, media: str) -> int:
    assert port is not None
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", path, body, {"Content-Type": media})
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "evil.localhost"])
def test_a_page_of_another_origin_changes_nothing(browser: Any, used: rs.Server, site: int, name: str) -> None:
    before = state(used)
    rest = ["/namespaces/x", "/t/schema", "/t/row/f:q", "/t/scanner"]
    targets = [
        (used.rest_port, rest), (used.thrift_port, ["/"]), (used.thrift2_port, ["/"]), (used.info_port, ["/", "/jmx"]),
        (used.port, ["/"]), (used.zk_port, ["/"]),
    ]  # fmt: skip
    context = browser.new_context()
    page = context.new_page()
    statuses: list[int] = []
    page.on("response", lambda answer: statuses.append(answer.status))
    page.goto(f"http://{name}:{site}/")
    bodies = [list(body) for body in (DISABLE, RPC, b'{"a":"b"}')]
    page.evaluate(ATTACK, {"targets": targets, "types": TYPES, "bodies": bodies})
    for port, path in ((used.rest_port, "/namespaces/x"), (used.thrift_port, "/")):
        page.evaluate(FORM, {"url": f"http://127.0.0.1:{port}{path}"})
    context.close()
    assert statuses.count(403) > 50, "the requests came, and were refused"
    assert state(used) == before


def test_a_program_changes_all_of_it(used: rs.Server) -> None:
    """Proves that the requests of the page above would have an effect."""
    assert post(used.rest_port, "/namespaces/x", b"", "application/json") == 201
    assert post(used.thrift_port, "/", DISABLE, "application/x-thrift") == 200
    assert "x" in used.database.admin.namespaces.list()
    assert not used.database.admin.tables.is_enabled("t")
