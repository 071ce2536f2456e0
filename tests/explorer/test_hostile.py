"""Hostile names and values are shown as text, on every page, quickly and within the limits."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import rowstone as rs
from tests.explorer.conftest import Visitor
from tests.explorer.hostile import HOSTILE, NAMES


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


def test_there_are_enough_values() -> None:
    assert len(set(HOSTILE.values())) == len(HOSTILE) >= 40


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_values_are_escaped(visitor: Visitor, db: rs.Database, name: str) -> None:
    db.table("t").put("row", {"f:q": HOSTILE[name]}, timestamp=7)
    for show in ("decoded", "escaped", "hex"):
        check(visitor.get("rows", show=show).html)
    check(visitor.get("row", key="row", missing="f:q").html)
    check(visitor.get("compare", key="row", **{"with": "row"}).html)
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
def test_previews_escape_hostile_values(writer: Visitor, db: rs.Database, name: str) -> None:
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
