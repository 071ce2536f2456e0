"""Tables in a notebook: the first rows as plain HTML, and row keys for the Tab key."""

from __future__ import annotations

import rowstone as rs


def test_a_table_shows_its_schema_and_first_rows(db: rs.Database) -> None:
    for number in range(30):
        db.table("t").put(f"k{number:02}", {"f:q": "<b>bold</b>"})
    html = db.table("t")._repr_html_()
    assert "&lt;b&gt;bold&lt;/b&gt;" in html
    assert ("k19" in html, "k20" in html) == (True, False)
    assert "<b>" not in html


def test_row_keys_are_completed(db: rs.Database) -> None:
    for key in (b"com.cnn", b"\x00\xff", "ü".encode(), b"line\nbreak"):
        db.table("t").put(key, {"f:q": "v"})
    assert db.table("t")._ipython_key_completions_() == [b"\x00\xff", "com.cnn", b"line\nbreak", "ü".encode()]


def test_stores_are_drawn_along_the_keys(db: rs.Database) -> None:
    db.create_table("s", ["f", "g"], splits=["<b>", "m"])
    db.table("s").put("n", {"f:q": "value"})
    html = db.admin.metrics.stores("s")._repr_html_()
    assert html.startswith("<svg")
    assert html.count("<rect") == 3 * 3
    assert "from m: 1 row</title>" in html
    assert ("<b>" in html, "<table>" in html) == (False, True)
    assert not db.admin.metrics.stores()._repr_html_().startswith("<svg")
    assert not db.admin.metrics.stores("s").sums("family")._repr_html_().startswith("<svg")


def test_a_heat_map_is_drawn(db: rs.Database) -> None:
    db.table("t").put("<b>", {"f:q": "value"})
    html = db.admin.metrics.heat_map("t")._repr_html_()
    assert html.startswith("<svg")
    assert "&lt;b&gt;" in html


def test_bytes_by_family_are_drawn(db: rs.Database) -> None:
    db.table("t").put("r", {"f:q": "value", "g:q": "v"})
    html = db.table("t").column_catalogue().size_report()._repr_html_()
    assert html.startswith("<svg")
    assert ('width="100.0%"' in html, html.count("<rect")) == (True, 2)
