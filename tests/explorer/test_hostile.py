"""Hostile names and values are shown as text, on every page, quickly and within the limits."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import rowstone as rs
from tests.explorer.conftest import Visitor

HOSTILE = {
    "script": b"<script>alert(1)</script>",
    "closing attribute": b'"><img src=x onerror=alert(1)>',
    "single quote": b"' onmouseover='alert(1)",
    "closing main": b"</main></body></html><script>alert(1)</script>",
    "comment": b"<!-- --><!--",
    "entity": b"&lt;script&gt;&#x3c;b&#x3e;",
    "address": b"javascript:alert(1)",
    "template": b"{0}{}{name}%s%(x)s${x}{{7*7}}",
    "path": b"../../etc/passwd",
    "slashes": b"//evil.example/%2e%2e/%00?x=1#y",
    "query": b"a&key=b&column=f:x;c=d+e%20",
    "zero byte": b"a\x00b",
    "all control bytes": bytes(range(32)) + b"\x7f",
    "header lines": b"a\r\nSet-Cookie: x=1\r\n\r\n<script>alert(1)</script>",
    "terminal": b"\x1b[2J\x1b]0;title\x07",
    "right-to-left mark": "abc\u202egpj.exe".encode(),
    "isolates": "\u2066\u2067\u2068\u2069\u061c\u200f".encode(),
    "zero width": "a\u200bb\ufeffc\u2060".encode(),
    "combining marks": ("Z" + "\u0351" * 200).encode(),
    "line separators": "a\u2028b\u2029c\u0085d".encode(),
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈".encode(),
    "invalid UTF-8": b"\xff\xfe\xc3\x28\xf0\x28\x8c\xbc",
    "overlong UTF-8": b"\xc0\xbcscript\xc0\xbe",
    "surrogates": b"\xed\xa0\x80\xed\xb0\x80",
    "UTF-16": "<script>".encode("utf-16"),
    "UTF-7": b"+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "cut character": b"text \xe2\x82",
    "deep JSON": b"[" * 30_000,
    "long number": b"9" * 30_000,
    "number of JSON": b'{"a": ' + b"1" * 20_000 + b"}",
    "not a number": b"\x7f\xf8\x00\x00\x00\x00\x00\x00",
    "infinite": b"\x7f\xf0\x00\x00\x00\x00\x00\x00",
    "formula": b"=cmd|'/c calc'!A1",
    "escaped bytes": rb"\x00\x41\xZZ\\x00",
    "SVG": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
    "XML bomb": b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
    "PNG of nothing": b"\x89PNG\r\n\x1a\n<script>alert(1)</script>",
    "pickle": b"\x80\x04\x95cos\nsystem\n(S'true'\ntR.",
    "one letter": b"x" * 30_000,
    "spaces": b"  \t ",
}
NAMES = [name for name, value in HOSTILE.items() if len(value) <= 20_000]
"""Hostile bytes that may also be a row key or a qualifier, which have at most 32,767 bytes."""


class Elements(HTMLParser):
    """Elements, handlers and addresses of a page; whether elements are closed in their order."""

    ALONE = ("meta", "link", "input", "rect", "br", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.addresses: list[str] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.wrong += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.wrong += [name for name, _ in attrs if name.startswith("on") or name in ("style", "srcdoc")]
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "action")]
        if tag not in self.ALONE:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect",) and (not self._open or self._open.pop() != tag):
            self.wrong.append(tag)


UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def check(html: str) -> None:
    """A page has only its own script and addresses, and no control characters."""
    found = Elements(html)
    assert not found.wrong
    assert found.names.count("script") == 1
    assert not {"iframe", "object", "embed", "svg", "base"} & set(found.names) - {"svg"}
    assert all(address.startswith("/") and not address.startswith("//") for address in found.addresses)
    assert not UNSEEN.search(html), UNSEEN.search(html)


@pytest.mark.parametrize("name", HOSTILE)
def test_values(visitor: Visitor, db: rs.Database, name: str) -> None:
    db.table("t").put("row", {"f:q": HOSTILE[name]}, timestamp=7)
    for show in ("decoded", "escaped", "hex"):
        check(visitor.get("rows", show=show).html)
    check(visitor.get("row", key="row", missing="f:q").html)
    check(visitor.get("cell", key="row", column="f:q", timestamp=7).html)
    assert visitor.get("value", key="row", column="f:q").body == HOSTILE[name]


@pytest.mark.parametrize("name", NAMES)
def test_keys_and_qualifiers(visitor: Visitor, db: rs.Database, name: str) -> None:
    """Their pages are reached by the links of the rows page."""
    value = HOSTILE[name]
    db.table("t").put(value, {b"f:" + value: "found"})
    answer = visitor.get("rows")
    check(answer.html)
    for page in ("row", "cell"):
        link = re.search(rf'href="(/{page}/[^"]+)"', answer.html)
        assert link is not None
        one = visitor.request("GET", link[1].replace("&amp;", "&"))
        assert one.status == 200, one.html
        check(one.html)
        assert "found" in one.text
    assert visitor.get("download", format="jsonl").status == 200


@pytest.mark.parametrize("name", NAMES)
def test_previews(writer: Visitor, db: rs.Database, name: str) -> None:
    from rowstone._base.printable import printable
    from tests.explorer.test_edit import change

    value = HOSTILE[name]
    key = printable(value)
    preview, applied = change(writer, kind="put", key=key, column=r"f:q", value=value.hex(), form="hex")
    check(preview.html)
    assert applied.status == 303
    assert "\n" not in applied.headers["location"]
    assert db.table("t").value(value, "f:q") == value


def test_a_cell_of_ten_megabytes(visitor: Visitor, db: rs.Database) -> None:
    large = b'{"a": "' + b"x" * (10 << 20) + b'"}'
    db.table("t").put("row", {"f:q": large[: (10 << 20) - 200], "f:r": b"small"})
    for answer in (visitor.get("rows"), visitor.get("row", key="row"), visitor.get("cell", key="row", column="f:q")):
        assert answer.status == 200
        assert len(answer.body) < 100_000
        check(answer.html)
    assert "10.0 MiB" in visitor.text("row", key="row")


def test_a_row_of_a_hundred_thousand_columns(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("wide", {f"f:{number:06}": "v" for number in range(100_000)})
    for path in ({}, {"skip": 99_984}):
        answer = visitor.get("rows", **path)
        assert len(answer.body) < 100_000
    assert "f:099999" in answer.text
    for skip in (0, 99_900):
        answer = visitor.get("row", key="wide", skip=skip)
        assert len(answer.body) < 200_000
    assert "f:099999" in answer.text
    assert "has 1 version" in visitor.text("row", key="wide", missing="f:050000")


def test_a_column_of_ten_thousand_versions(visitor: Visitor, db: rs.Database) -> None:
    db.create_table("many", {"f": rs.Family(max_versions=1_000_000)})
    table = db.table("many")
    with table.batch() as batch:
        for stamp in range(1, 10_001):
            batch.put("r", {"f:q": str(stamp)}, timestamp=stamp)
    text = visitor.text("row", "many", key="r")
    assert "Cells 1 to 200 of the row" in text
    assert "visible 10000" in text
