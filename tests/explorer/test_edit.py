"""Changes: previews, forms of values, the audit log, and refusals."""

from __future__ import annotations

import logging
import re
import time
from html import unescape
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs
from rowstone.server.dashboard import explore
from rowstone.server.dashboard.data import _budget
from tests.explorer.conftest import NOW, Answer, Visitor


def fields_of(answer: Answer, *, leads_back: bool = False) -> dict[str, str]:
    """The hidden fields of a page's form that goes on, or of the one that leads back."""
    assert answer.status == 200, answer.html
    forms = [one for one in answer.html.split("</form>") if 'name="step"' in one]
    [form] = [one for one in forms if ('name="step" value="form"' in one) == leads_back]
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form.rpartition("<form")[2])
    return {name: unescape(value) for name, value in found}


def change(writer: Visitor, **form: Any) -> tuple[Answer, Answer]:
    """A preview and the applied change."""
    preview = writer.post("edit", token=writer.token(), step="preview", **form)
    return preview, writer.post("edit", **fields_of(preview))


def test_put_with_a_preview(writer: Visitor, db: rs.Database, caplog: pytest.LogCaptureFixture) -> None:
    db.table("t").put("r", {"f:q": "old"})
    caplog.set_level(logging.INFO, "rowstone.audit")
    preview, applied = change(writer, kind="put", key="r", column="f:q", value="new\r\nline", form="text", timestamp="")
    assert "Old and new value of f:q Value Type Size Age now old text?" in preview.text
    assert applied.status == 303
    assert applied.headers["location"] == "/row/t?key=r&done=1"
    assert db.table("t").value("r", "f:q") == b"new\nline"
    [record] = [one for one in caplog.records if one.name == "rowstone.audit"]
    assert record.getMessage() == (
        "change user='' from=127.0.0.1 table=t put row='r' column='f:q' bytes=8 timestamp=None"
    )


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        ("text", "tab\tand \u202e mark", "tab\tand \u202e mark".encode()),
        ("escaped", r"\x00\xFFa", b"\x00\xffa"),
        ("hex", "00 ff", b"\x00\xff"),
        ("declared", "7", b"\0\0\0\7"),
    ],
)
def test_every_byte_of_a_value_survives_the_preview(
    writer: Visitor, db: rs.Database, form: str, text: str, value: bytes
) -> None:
    codecs.declare(db, "t", {"f:n": "int32"})
    _, applied = change(writer, kind="put", key=r"r\x00\x1F", column="f:n", value=text, form=form, timestamp="5")
    assert applied.status == 303
    row = db.table("t").get(b"r\x00\x1f")
    assert (row["f:n"], row.timestamp("f:n")) == (value, 5)


def test_increments_need_a_counter(writer: Visitor, db: rs.Database) -> None:
    db.table("t").increment("r", "f:n", 40)
    preview, _ = change(writer, kind="increment", key="r", column="f:n", amount="2")
    assert "40 + 2 = 42" in preview.text
    assert db.table("t").value("r", "f:n") == (42).to_bytes(8, "big")
    db.table("t").put("r", {"f:n": "text"}, timestamp=NOW + 10)
    refused = writer.post("edit", token=writer.token(), kind="increment", key="r", column="f:n", amount="2")
    assert (refused.status, "not a counter: it has 4 bytes, a counter has 8" in refused.text) == (400, True)


@pytest.mark.parametrize(
    ("scope", "timestamp", "hidden", "left"),
    [
        ("version", "", 1, {b"f:q": b"v1", b"f:r": b"x", b"g:q": b"y"}),
        ("version", "1", 1, {b"f:q": b"v2", b"f:r": b"x", b"g:q": b"y"}),
        ("column", "", 2, {b"f:r": b"x", b"g:q": b"y"}),
        ("family", "", 3, {b"g:q": b"y"}),
        ("row", "", 4, {}),
    ],
)
def test_deletes_hide_what_the_preview_shows(
    writer: Visitor, db: rs.Database, scope: str, timestamp: str, hidden: int, left: dict[bytes, bytes]
) -> None:
    table = db.table("t")
    table.put("r", {"f:q": "v1"}, timestamp=1)
    table.put("r", {"f:q": "v2", "f:r": "x", "g:q": "y"}, timestamp=2)
    before = sum(len(row.cells) for row in table.scan(versions=None))
    preview, _ = change(writer, kind="delete", key="r", column="f:q", scope=scope, timestamp=timestamp)
    assert f"{hidden} visible version{'s' * (hidden > 1)} that the delete hides" in preview.text
    assert sum(len(row.cells) for row in table.scan(versions=None)) == before - hidden
    assert table.get("r").to_dict() == left


def test_a_change_since_the_preview_is_shown_first(writer: Visitor, db: rs.Database) -> None:
    preview = writer.post("edit", token=writer.token(), kind="put", key="r", column="f:q", value="mine", form="text")
    db.table("t").put("r", {"f:q": "theirs"})
    again = writer.post("edit", **fields_of(preview))
    assert again.status == 409
    assert "theirs" in again.text
    assert db.table("t").value("r", "f:q") == b"theirs"


def test_an_equal_timestamp_with_another_value_is_a_change(writer: Visitor, db: rs.Database) -> None:
    table = db.table("t")
    table.put("r", {"f:q": "old"}, timestamp=5)
    preview = writer.post("edit", token=writer.token(), kind="delete", key="r", column="f:q", scope="row")
    table.put("r", {"f:q": "new"}, timestamp=5)
    assert writer.post("edit", **fields_of(preview)).status == 409
    assert table.value("r", "f:q") == b"new"


def test_a_preview_that_a_limit_cut_cannot_be_applied(
    writer: Visitor, db: rs.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = db.table("t")
    table.put("r", {f"f:{number:02}": "v" * 100 for number in range(40)})
    form = {"kind": "delete", "key": "r", "column": "f:q", "scope": "row", "token": writer.token()}
    seen = fields_of(writer.post("edit", **form))["seen"]
    monkeypatch.setattr(_budget.Budget, "spend", lambda *_: "bytes")
    preview = writer.post("edit", **form)
    assert "The limit of bytes ended the preview" in preview.text
    assert "Apply</button>" not in preview.html
    assert writer.post("edit", **form, step="apply", seen=seen).status == 400
    assert len(table.get("r").cells) == 40


def test_an_empty_qualifier_is_not_the_family(writer: Visitor, db: rs.Database) -> None:
    table = db.table("t")
    table.put("r", {"f:": "empty", "f:q": "other"})
    preview, _ = change(writer, kind="delete", key="r", column="f:", scope="column")
    assert "1 visible version " in preview.text
    assert table.get("r").to_dict() == {b"f:q": b"other"}
    assert "No cell." in writer.post("edit", token=writer.token(), kind="put", key="r", column="f:", value="v").text


def test_spaces_belong_to_a_qualifier(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "kept", "f: q ": "lost"})
    change(writer, kind="delete", key="r", column="f: q ", scope="column")
    assert db.table("t").get("r").to_dict() == {b"f:q": b"kept"}


def test_versions_of_the_future_stay_visible(writer: Visitor, db: rs.Database) -> None:
    table, future = db.table("t"), round(time.time() * 1000) + 3_600_000
    table.put("r", {"f:q": "later"}, timestamp=future)
    put = writer.post("edit", token=writer.token(), kind="put", key="r", column="f:q", value="now")
    assert "older timestamp than that of the newest version" in put.text
    table.put("r", {"f:q": "past"}, timestamp=5)
    preview, _ = change(writer, kind="delete", key="r", column="f:q", scope="column")
    assert "1 visible version that the delete hides" in preview.text
    assert "1 version with future timestamps, which stay visible Column Value Size Age f:q later" in preview.text
    assert [cell.value for row in table.scan(versions=None) for cell in row.cells] == [b"later"]


@pytest.mark.parametrize(
    "form",
    [
        {"kind": "put", "key": "", "column": "f:q"},
        {"kind": "put", "key": "r", "column": "f"},
        {"kind": "put", "key": "r", "column": "none:q"},
        {"kind": "put", "key": "r", "column": "f:q", "form": "hex", "value": "xyz"},
        {"kind": "put", "key": "r", "column": "f:q", "form": "declared", "value": "1"},
        {"kind": "put", "key": "r", "column": "f:q", "form": "text", "timestamp": "later"},
        {"kind": "put", "key": "r", "column": "f:q", "form": "text", "timestamp": "9" * 30},
        {"kind": "increment", "key": "r", "column": "f:q", "amount": "1.5"},
        {"kind": "delete", "key": "r", "column": "", "scope": "column"},
        {"kind": "delete", "key": "r", "column": "f:q", "scope": "column", "timestamp": "5"},
        {"kind": "delete", "key": "r", "column": "f:q", "scope": "row", "timestamp": "5"},
        {"kind": "truncate", "key": "r", "column": "f:q"},
    ],
)
def test_wrong_forms_are_refused(writer: Visitor, db: rs.Database, form: dict[str, str]) -> None:
    token = writer.token()
    assert writer.post("edit", token=token, **form).status == 400
    assert writer.post("edit", token=token, step="apply", seen="0-0", **form).status == 400
    assert list(db.table("t")) == []


def test_a_read_only_explorer_has_no_forms(visitor: Visitor, db: rs.Database) -> None:
    answer = visitor.get("edit")
    assert (answer.status, "Changes are only in rowstone explore --write" in answer.text) == (404, True)
    assert visitor.post("edit", kind="put", key="r", column="f:q", value="v", form="text").status in (404, 413)
    assert "Put a cell" not in visitor.text("rows")
    assert list(db.table("t")) == []


def test_a_read_only_database_cannot_be_changed(tmp_path: Any) -> None:
    rs.connect(tmp_path / "db").close()
    with (
        rs.connect(tmp_path / "db", read_only=True) as found,
        pytest.raises(rs.errors.UnsupportedOperation, match="is read-only"),
    ):
        explore(found, write=True)


def form_of(answer: Answer) -> tuple[str, str]:
    """The value and the encoding in the form for a put."""
    put = answer.html.partition("<h2>Put</h2>")[2].partition("</form>")[0]
    value = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", put, re.DOTALL)
    chosen = re.search(r'<option value="(\w+)" selected>', put)
    assert value is not None
    return unescape(value[1]), chosen[1] if chosen else ""


@pytest.mark.parametrize(
    ("column", "value", "shown"),
    [
        ("f:q", b"\n12045 <b>", ("\n12045 <b>", "text")),
        ("f:q", b"\x00\tA", (r"\x00\x09A", "escaped")),
        ("f:n", b"\0\0\0\7", ("7", "declared")),
        ("f:q", b"x" * (65 << 10), ("", "")),
    ],
)
def test_edit_links_lead_to_the_present_value(
    writer: Visitor, db: rs.Database, column: str, value: bytes, shown: tuple[str, str]
) -> None:
    codecs.declare(db, "t", {"f:n": "int32"})
    db.table("t").put("r", {column: value})
    for page in (writer.get("row", key="r"), writer.get("cell", key="r", column=column)):
        [address] = re.findall(r'href="([^"]+)">Edit</a>', page.html)
        answer = writer.request("GET", unescape(address))
        assert answer.html.count(f'name="column" value="{column}"') == 3
        assert form_of(answer) == shown


def test_only_the_newest_visible_version_of_a_column_has_an_edit_link(writer: Visitor, db: rs.Database) -> None:
    for stamp in (1, 2):
        db.table("t").put("r", {"f:q": "v"}, timestamp=stamp)
    db.table("t").put("r", {"g:gone": "v"}, timestamp=1)
    db.table("t").delete("r", ["g:gone"])
    assert writer.get("row", key="r").html.count(">Edit</a>") == 1


def test_a_read_only_explorer_has_no_edit_links(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"})
    assert "Edit" not in visitor.text("row", key="r") + visitor.text("cell", key="r", column="f:q")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"kind": "put", "column": "f:q", "value": "12O45"}, "f:q is now 12O45 ."),
        ({"kind": "put", "column": "f:q", "value": "x", "timestamp": "3"}, "the newest is still old ."),
        ({"kind": "increment", "column": "f:n", "amount": "2"}, "f:n is now 2 ."),
        ({"kind": "delete", "column": "f:q", "scope": "column"}, "Deleted: f:q ."),
        ({"kind": "delete", "column": "f:q", "scope": "version"}, "Deleted: the newest version of f:q ."),
        ({"kind": "delete", "column": "f:q", "scope": "family"}, "Deleted: the family f ."),
        ({"kind": "delete", "column": "", "scope": "row"}, "Deleted: the row."),
    ],
)
def test_the_row_says_what_was_changed(writer: Visitor, db: rs.Database, form: dict[str, str], words: str) -> None:
    db.table("t").put("r", {"f:q": "old"}, timestamp=5)
    _, applied = change(writer, key="r", **form)
    text = writer.request("GET", applied.headers["location"]).text
    assert words in text.partition("Versions")[0]
    assert "put row=" not in text
    assert words not in writer.text("row", key="other", done=1)


def test_a_refused_change_keeps_its_form(writer: Visitor) -> None:
    form = {"kind": "put", "key": "r", "column": "none:q", "value": "typed <b>", "form": "escaped", "timestamp": "7"}
    answer = writer.post("edit", token=writer.token(), **form)
    assert (answer.status, "none" in answer.text.partition("Row key")[0]) == (400, True)
    assert form_of(answer) == ("typed <b>", "escaped")
    assert 'name="timestamp" value="7"' in answer.html
    again = writer.post("edit", token=writer.token(), kind="delete", key="r", column="f", scope="version")
    assert 'value="version" selected' in again.html


def test_a_broken_escape_is_refused_by_name(writer: Visitor, db: rs.Database) -> None:
    for form in ({"key": r"r\xZZ"}, {"column": r"f:\x0"}, {"value": r"a\x", "form": "escaped"}):
        given = {"kind": "put", "key": "r", "column": "f:q", "value": "v", "token": writer.token(), **form}
        answer = writer.post("edit", **given)
        assert (answer.status, "is not a byte" in answer.text) == (400, True)
