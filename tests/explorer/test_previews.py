"""Previews say what a change does: hidden and returning versions, timestamps of the past and the future."""

from __future__ import annotations

import re
import time
from html import escape

import pytest

import rowstone as rs
from rowstone import codecs
from tests.explorer.conftest import Answer, Visitor
from tests.explorer.test_edit import change, fields_of


def preview(writer: Visitor, kind: str, **form: str) -> Answer:
    return writer.post("edit", token=writer.token(), **{"kind": kind, "key": "r", "column": "f:q", **form})


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        ("version", "put later with the same timestamp,"),
        ("column", "put later with an older or the same timestamp,"),
        ("family", "put later with an older or the same timestamp,"),
        ("row", "put later with an older or the same timestamp,"),
    ],
)
def test_a_delete_names_the_later_puts_that_it_hides(writer: Visitor, db: rs.Database, scope: str, words: str) -> None:
    db.table("t").put("r", {"f:q": "v"}, timestamp=5)
    assert words in preview(writer, "delete", scope=scope).text
    change(writer, kind="delete", key="r", column="f:q", scope=scope)
    db.table("t").put("r", {"f:q": "older"}, timestamp=4)
    assert (db.table("t").value("r", "f:q") is None) == (scope != "version")


@pytest.mark.parametrize("timestamp", ["", "4", "5"])
def test_a_delete_of_one_version_shows_what_returns(writer: Visitor, db: rs.Database, timestamp: str) -> None:
    """Also a version that was beyond the three of the family."""
    for stamp in range(1, 6):
        db.table("t").put("r", {"f:q": f"v{stamp}"}, timestamp=stamp)
    form = {"scope": "version", "timestamp": timestamp}
    shown = preview(writer, "delete", **form).text.partition("Visible afterwards")[2]
    change(writer, kind="delete", key="r", column="f:q", **form)
    cells = db.table("t").get("r", versions=None).cells
    assert len(cells) == 3
    assert re.findall(r"v\d", shown) == [cell.value.decode() for cell in cells]


def test_a_delete_of_the_only_version_leaves_none(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"}, timestamp=5)
    assert "Visible afterwards No cell." in preview(writer, "delete", scope="version").text
    assert "Visible afterwards" not in preview(writer, "delete", scope="column").text


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("put", {"value": 'two\nlines & "marks"', "form": "text", "timestamp": "7"}),
        ("put", {"value": "0009", "form": "hex"}),
        ("increment", {"amount": "12"}),
        ("delete", {"scope": "version", "timestamp": "5"}),
    ],
)
def test_a_way_back_to_the_form_keeps_what_was_typed(
    writer: Visitor, db: rs.Database, kind: str, fields: dict[str, str]
) -> None:
    back = fields_of(preview(writer, kind, **fields), leads_back=True)
    assert back.items() >= fields.items()
    html = writer.post("edit", **back).html
    form = html.partition(f'name="kind" value="{kind}"')[2].partition("</form>")[0]
    for name, value in fields.items():
        shown = escape(value)
        ways = (f'<option value="{shown}" selected>', f'name="{name}" value="{shown}"', f">\n{shown}</textarea>")
        assert any(way in form for way in ways), name
    assert db.table("t").value("r", "f:q") is None


def test_a_put_of_the_future_is_warned_of(writer: Visitor) -> None:
    words = "The timestamp is in the future: 9000000000000 (2255-03-14 16:00:00.000 UTC)"
    assert words in preview(writer, "put", value="v", timestamp="9000000000000").text
    assert "in the future" not in preview(writer, "put", value="v").text
    assert "in the future" not in preview(writer, "put", value="v", timestamp=str(round(time.time() * 1000))).text


def test_a_put_with_an_older_timestamp_does_not_show_its_value_as_the_newest(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "8"}, timestamp=50)
    text = preview(writer, "put", value="77", timestamp="40").text
    assert re.search(r"now 8 .* written 77 .* after 8 ", text)
    assert re.search(r"now 8 .* after 77 ", preview(writer, "put", value="77", timestamp="60").text)


def test_the_button_comes_before_the_way_back(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"}, timestamp=5)
    html = preview(writer, "delete", scope="row").html
    assert html.index('<button class="danger">Apply') < html.index("back to the row")
    assert '<button class="primary">Apply' in preview(writer, "put", value="v").html


def test_a_value_that_is_too_long_for_the_form_cannot_become_empty(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": b"x" * (65 << 10), "f:short": "v"})
    assert 'too long to be shown here." required>' in writer.get("edit", key="r", column="f:q").html
    assert 'rows="3" placeholder="">' in writer.get("edit", key="r", column="f:short").html


def test_the_outcome_is_shown_once_and_the_undo_stays(writer: Visitor, db: rs.Database) -> None:
    _, applied = change(writer, kind="put", key="r", column="f:q", value="v", form="text")
    first, again = (writer.request("GET", applied.headers["location"]) for _ in range(2))
    assert '<div class="notice done" role="status">' in first.html
    assert 'role="status"' not in again.html
    assert "Undo this change" in first.text
    assert "Last put or increment: f:q is now v . Undo this change" in again.text


def test_values_that_are_not_of_their_encoding(writer: Visitor) -> None:
    answer = preview(writer, "put", value="xyz", form="hex")
    assert "'xyz' is not a hexadecimal value: write two digits" in answer.text
    assert "fromhex" not in answer.text
    assert "timestamp 'abc' is not a whole number" in preview(writer, "put", timestamp="abc").text.lower()
    assert "'speed' is not a column: write family:qualifier" in preview(writer, "put", column="speed").text


def test_a_timestamp_before_1970_is_refused_in_the_preview(writer: Visitor) -> None:
    answer = preview(writer, "put", value="v", timestamp="-5")
    assert answer.status == 400
    assert "'-5' is not a time: write milliseconds since 1970-01-01 UTC" in answer.text


def test_a_value_that_the_codec_of_its_column_cannot_decode_is_warned_of(writer: Visitor, db: rs.Database) -> None:
    codecs.declare(db, "t", {"f:q": "int32"})
    warning = "The new value is not int32, the codec of the column: typed reads of it will fail"
    assert warning in preview(writer, "put", value="22", form="text").text
    assert warning not in preview(writer, "put", value="22", form="declared").text


def test_a_delete_of_a_family_without_a_name_asks_for_the_family(writer: Visitor) -> None:
    answer = writer.post(
        "edit", token=writer.token(), step="preview", kind="delete", key="r", column="", scope="family"
    )
    assert "the column is empty: write the family" in answer.text.lower()
