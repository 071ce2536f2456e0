"""One row and one cell: versions, markers, missing cells, all forms of a value."""

from __future__ import annotations

import rowstone as rs
from tests.explorer.conftest import NOW, Visitor

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def test_versions_and_markers_in_the_order_of_time(visitor: Visitor, db: rs.Database) -> None:
    table = db.table("t")
    for stamp in (10, 20, 30):
        table.put("r", {"f:q": f"v{stamp}"}, timestamp=stamp)
    table.delete("r", ["f:q"], timestamp=20)
    text = visitor.text("row", key="r")
    places = [text.index(part) for part in ("visible v30", "marker DeleteColumn", "hidden v20", "hidden v10")]
    assert places == sorted(places)


def test_of_two_puts_with_one_timestamp_one_is_visible(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "first"}, timestamp=5)
    db.admin.flush("t")
    db.table("t").put("r", {"f:q": "second"}, timestamp=5)
    text = visitor.text("row", key="r")
    assert "visible second" in text
    assert "visible first" not in text


def test_a_family_marker_belongs_to_the_family(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v", "g:q": "w"}, timestamp=1)
    db.table("t").delete("r", ["f"], timestamp=2)
    assert "marker DeleteFamily" in visitor.text("row", key="r", family="f")
    assert "marker DeleteFamily" not in visitor.text("row", key="r", family="g")


def test_why_a_cell_is_missing(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "v"})
    db.table("t").delete("r", ["f:q"])
    assert f"is hidden by DeleteColumn of {NOW}: of the same millisecond" in visitor.text("row", key="r", missing="f:q")
    assert "never written" in visitor.text("row", key="r", missing="f:other")
    assert visitor.get("row", key="r", missing="f").status == 400


def test_cells_of_a_row_come_two_hundred_at_a_time(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {f"f:{number:04}": "v" for number in range(500)})
    assert ("0199 " in visitor.text("row", key="r"), "0200 " in visitor.text("row", key="r")) == (True, False)
    last = visitor.text("row", key="r", skip=400)
    assert ("f:0400" in last, "f:0499" in last, "Next cells" in last) == (True, True, False)


def test_a_cell_in_all_forms(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": '{"a": [1]}', "f:": "no qualifier"}, timestamp=7)
    text = visitor.text("cell", key="r", column="f:q", timestamp=7)
    assert '{ "a": [ 1 ] }' in text
    assert '00000000 7b 22 61 22 3a 20 5b 31 5d 7d {"a": [1]}' in text
    assert visitor.get("value", key="r", column="f:q").body == b'{"a": [1]}'
    assert "no qualifier" in visitor.text("cell", key="r", column="f:")
    assert visitor.get("cell", key="r", column="f:q", timestamp=8).status == 404
    assert visitor.get("cell", key="r", column="f").status == 404
    assert visitor.get("cell", column="f:q").status == 404


def test_a_hidden_version_can_be_read_too(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "lost"}, timestamp=7)
    db.table("t").delete("r")
    assert "lost" in visitor.text("cell", key="r", column="f:q", timestamp=7)
    assert visitor.get("cell", key="r", column="f:q").status == 404


def test_only_images_are_inline(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r", {"f:png": PNG, "f:svg": b"<svg onload='alert(1)'/>", "f:html": b"<!DOCTYPE html><script>"})
    image = visitor.get("value", key="r", column="f:png", inline=1)
    assert (image.headers["content-type"], image.body) == ("image/png", PNG)
    assert 'alt="the value"' in visitor.get("cell", key="r", column="f:png").html
    for column in ("f:svg", "f:html"):
        other = visitor.get("value", key="r", column=column, inline=1)
        assert other.headers["content-type"] == "application/octet-stream"
        assert other.headers["content-disposition"].startswith("attachment")
        assert other.headers["x-content-type-options"] == "nosniff"
