"""Undo of puts and increments: exact, previewed, with a token, in the audit log; and not offered where it is not."""

from __future__ import annotations

import logging

import pytest

import rowstone as rs
from rowstone.server.dashboard.data.change import _undo
from tests.explorer.conftest import Answer, Visitor
from tests.explorer.test_edit import change, fields_of

OFFER = "Undo this change"


def versions(db: rs.Database) -> list[tuple[bytes, int, bytes]]:
    """All that a read of all versions returns."""
    return [
        (cell.column, cell.timestamp, cell.value) for row in db.table("t").scan(versions=None) for cell in row.cells
    ]


def put(writer: Visitor, column: str = "f:q", value: str = "new", **form: str) -> None:
    _, applied = change(writer, kind="put", key="r", column=column, value=value, form="text", **form)
    assert applied.status == 303


def undo(writer: Visitor) -> tuple[Answer, Answer]:
    """The preview of the undo that the row's page offers, and its application."""
    preview = writer.post("edit", **fields_of(writer.get("row", key="r")))
    return preview, writer.post("edit", **fields_of(preview))


@pytest.mark.parametrize("column", ["f:q", "g:q"])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_undo_of_a_put_restores_all_versions(
    writer: Visitor, db: rs.Database, column: str, count: int, caplog: pytest.LogCaptureFixture
) -> None:
    for stamp in range(count):
        db.table("t").put("r", {column: f"v{stamp}"}, timestamp=stamp)
    db.table("t").put("r", {"f:other": "stays"}, timestamp=1)
    before = versions(db)
    put(writer, column)
    assert versions(db) != before
    caplog.set_level(logging.INFO, "rowstone.audit")
    preview, applied = undo(writer)
    assert "Visible afterwards" in preview.text
    assert (f"v{count - 1}" in preview.text) == (count > 0)
    assert applied.status == 303
    assert versions(db) == before
    assert "(undo of put row='r'" in caplog.records[-1].getMessage()
    assert OFFER not in writer.text("row", key="r")


def test_undo_of_an_increment(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:n": (40).to_bytes(8, "big")}, timestamp=5)
    before = versions(db)
    change(writer, kind="increment", key="r", column="f:n", amount="2")
    assert db.table("t").value("r", "f:n") == (42).to_bytes(8, "big")
    undo(writer)
    assert versions(db) == before


def test_a_version_that_a_flush_removed_cannot_be_restored(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"g:q": "old"}, timestamp=5)
    put(writer, "g:q")
    assert OFFER in writer.text("row", key="r")
    db.admin.flush("t")
    assert OFFER not in writer.text("row", key="r")


@pytest.mark.parametrize("other", ["put", "older put", "delete", "marker of the family"])
def test_a_change_by_another_client_ends_the_offer(writer: Visitor, db: rs.Database, other: str) -> None:
    table = db.table("t")
    table.put("r", {"f:q": "old"}, timestamp=5)
    put(writer)
    form = fields_of(writer.get("row", key="r"))
    preview = writer.post("edit", **form)
    if other == "put":
        table.put("r", {"f:q": "theirs"})
    elif other == "older put":
        table.put("r", {"f:q": "theirs"}, timestamp=3)
    elif other == "delete":
        table.delete("r", ["f:q"])
    else:
        table.delete("r", ["f"], timestamp=6)
    before = versions(db)
    assert OFFER not in writer.text("row", key="r")
    assert "cannot be undone any more" in writer.post("edit", **form).text
    assert writer.post("edit", **fields_of(preview)).status == 400
    assert versions(db) == before


def test_undo_is_offered_only_if_it_is_exact(writer: Visitor, db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    db.table("t").put("r", {"f:q": "old", "f:gone": "old"}, timestamp=5)
    change(writer, kind="delete", key="r", column="f:gone", scope="column")
    assert OFFER not in writer.text("row", key="r")
    put(writer, timestamp="5")
    assert OFFER not in writer.text("row", key="r")
    monkeypatch.setattr(_undo, "_MOST_BYTES", 10)
    put(writer, value="large")
    assert OFFER not in writer.text("row", key="r")


def test_families_whose_deleted_versions_count_have_no_undo(writer: Visitor, db: rs.Database) -> None:
    db.admin.alter_table("t", families={"f": {"new_version_behavior": True}})
    put(writer)
    assert OFFER not in writer.text("row", key="r")


def test_a_delete_says_that_it_cannot_be_undone(writer: Visitor, db: rs.Database) -> None:
    form = {"kind": "delete", "key": "r", "column": "f:q", "scope": "column"}
    assert "cannot be undone here" in writer.post("edit", token=writer.token(), **form).text


def test_an_undo_needs_the_token_and_a_change(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "old"}, timestamp=5)
    form = {"kind": "delete", "key": "r", "column": "f:q", "scope": "version", "timestamp": "5", "undo": "1"}
    assert "cannot be undone" in writer.post("edit", token=writer.token(), **form).text
    put(writer)
    fields = fields_of(writer.get("row", key="r"))
    assert writer.post("edit", **{**fields, "token": "0" * 64}).status == 403
    assert writer.post("edit", **{**fields, "timestamp": "5"}).status == 400
    assert db.table("t").value("r", "f:q") == b"new"


def test_the_memory_of_changes_is_bounded(writer: Visitor, db: rs.Database) -> None:
    for number in range(25):
        change(writer, kind="put", key=f"k{number}", column="f:q", value="v", form="text")
    assert OFFER not in writer.text("row", key="k4")
    assert OFFER in writer.text("row", key="k5")


def test_the_row_says_what_was_undone(writer: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "old"}, timestamp=5)
    put(writer)
    assert "Last put or increment: f:q is now new . Undo this change" in writer.text("row", key="r")
    _, applied = undo(writer)
    assert "Undone: f:q is old again." in writer.request("GET", applied.headers["location"]).text
    put(writer, "f:fresh")
    _, applied = undo(writer)
    assert "Undone: f:fresh has no value again." in writer.request("GET", applied.headers["location"]).text


def test_a_delete_after_a_put_keeps_its_own_words(writer: Visitor, db: rs.Database) -> None:
    put(writer)
    db.table("t").put("r", {"g:q": "old"}, timestamp=5)
    _, applied = change(writer, kind="delete", key="r", column="g:q", scope="column")
    text = writer.request("GET", applied.headers["location"]).text
    assert "Deleted: g:q . Last put or increment: f:q is now new . Undo this change" in text
