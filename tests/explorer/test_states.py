"""States of versions on the row page, and dates on all pages."""

from __future__ import annotations

import rowstone as rs
from rowstone.testing import ManualClock
from tests.explorer.conftest import NOW, Visitor, admit

DATE = "2023-11-14 22:13:20"


def test_versions_beyond_the_limit_say_so(visitor: Visitor, db: rs.Database) -> None:
    for stamp in range(1, 6):
        db.table("t").put("r", {"f:q": f"v{stamp}"}, timestamp=stamp)
    db.table("t").delete("r", ["f:q"], version=5)
    text = visitor.text("row", key="r")
    assert "hidden by Delete of 5 v5" in text
    assert "visible v2 " in text
    assert "hidden: more than VERSIONS = 3 v1" in text


def test_expired_versions_say_so() -> None:
    clock = ManualClock(NOW)
    with rs.connect(":memory:", clock=clock) as db, rs.server.dashboard.explore(db) as page:
        db.create_table("t", {"f": rs.Family(ttl_seconds=10)})
        db.table("t").put("r", {"f:q": "v"})
        clock.advance(20_000)
        assert "expired: TTL is 10 SECONDS v" in admit(page).text("row", key="r")


def test_the_answer_is_where_the_form_is(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"})
    assert '<input type="hidden" name="part" value="missing">' in visitor.get("row", key="r").html
    answer = visitor.get("row", key="r", part="missing", missing="f:q")
    assert (answer.status, answer.headers["location"]) == (303, "/row/t?key=r&missing=f%3Aq#missing")
    refused = visitor.get("row", key="r", missing="f").html
    assert refused.index('id="missing"') < refused.index('role="alert"')


def test_one_cell_is_not_plural(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"})
    assert "Cell 1 of the row, as stored" in visitor.text("row", key="r")
    db.table("t").put("r", {"f:r": "v"})
    assert "Cells 1 to 2 of the row" in visitor.text("row", key="r")


def test_every_page_of_cells_has_dates_as_text(writer: Visitor, db: rs.Database) -> None:
    for stamp in (NOW + 7, NOW + 8):
        db.table("t").put("r", {"f:q": "v"}, timestamp=stamp)
    assert f"text? · 1 B {DATE}" in writer.text("rows")
    assert f"{DATE} UTC {NOW + 8}" in writer.text("row", key="r")
    assert f"{DATE} UTC size" in writer.text("cell", key="r", column="f:q")
    assert f"v {DATE} v {DATE}" in writer.text("compare", key="r", **{"with": "r"})
    explained = writer.text("row", key="r", missing="f:q")
    assert f"the newest of {NOW + 8} ({DATE}.008 UTC)" in explained
    form = {"kind": "delete", "key": "r", "column": "f:q", "scope": "column"}
    assert f"{DATE} UTC" in writer.post("edit", token=writer.token(), **form).text


def test_timestamps_that_are_not_of_a_clock_have_no_age(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"}, timestamp=1_000)
    assert "1 B – 1000" in visitor.text("row", key="r")
