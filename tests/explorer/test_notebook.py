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
