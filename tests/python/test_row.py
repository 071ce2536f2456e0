"""Rows and cells: mappings that create objects on access."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Mapping

import pytest

import rowstone as rs


@pytest.fixture
def row(t: rs.Table) -> rs.Row:
    t.put("r", {"f:a": "old"}, timestamp=1)
    t.put("r", {"f:a": "1", "f:b": "2", "g:c": "3"}, timestamp=5)
    return t.get("r", versions=3)


def test_a_row_is_a_mapping_to_newest_values(row: rs.Row) -> None:
    assert isinstance(row, Mapping)
    assert dict(row) == row.to_dict() == {b"f:a": b"1", b"f:b": b"2", b"g:c": b"3"}
    assert list(row) == list(row.keys()) == [b"f:a", b"f:b", b"g:c"]
    assert list(row.values()) == [b"1", b"2", b"3"]
    assert next(iter(row.items())) == (b"f:a", b"1")
    assert (len(row), bool(row)) == (3, True)
    assert "f:a" in row
    assert "f:z" not in row
    assert 5 not in row
    assert row.get("f:z") is None
    assert row.get("f:z", 7) == 7
    assert {**row} == dict(row)
    match row:
        case {b"f:a": value}:
            assert value == b"1"


def test_the_garbage_collector_does_not_visit_rows(t: rs.Table, row: rs.Row) -> None:
    with t.scan() as scan:
        rows = [row, t.get("none"), *t.get_many(["r", "none"]), *scan]
    assert len(rows) == 5
    assert not any(map(gc.is_tracked, [*rows, *row.cells, *row.versions("f:a")]))


def test_a_missing_column_is_a_key_error(row: rs.Row) -> None:
    with pytest.raises(KeyError, match="f:z"):
        row["f:z"]
    with pytest.raises(KeyError):
        row["f"]
    with pytest.raises(KeyError):
        row.timestamp("f:z")


def test_cells_and_versions(row: rs.Row) -> None:
    assert [(cell.column, cell.timestamp, cell.value) for cell in row.cells] == [
        (b"f:a", 5, b"1"),
        (b"f:a", 1, b"old"),
        (b"f:b", 5, b"2"),
        (b"g:c", 5, b"3"),
    ]
    assert [cell.value for cell in row.versions("f:a")] == [b"1", b"old"]
    assert row.versions("f:z") == []
    assert row.timestamp("f:a") == 5
    assert row.families() == {b"f": {b"a": b"1", b"b": b"2"}, b"g": {b"c": b"3"}}
    cell = row.cells[0]
    assert (cell.row, cell.family, cell.qualifier, cell.type, cell.tags) == (b"r", b"f", b"a", "Put", [])


def test_equality_and_pickle(t: rs.Table, row: rs.Row) -> None:
    assert row == t.get("r", versions=3)
    assert row != t.get("r")
    assert row == {b"f:a": b"1", b"f:b": b"2", b"g:c": b"3"}
    assert t.get("x") == t.get("x") != t.get("y")
    copy = pickle.loads(pickle.dumps(row))
    assert (copy, copy.key, copy.cells) == (row, row.key, row.cells)
    assert pickle.loads(pickle.dumps(t.get("none"))).key == b"none"
    assert len({*row.cells, *row.cells}) == 4
    with pytest.raises(TypeError):
        hash(row)


def test_wide_rows_are_looked_up_by_an_index(t: rs.Table) -> None:
    columns = {f"f:{number:05}": str(number) for number in range(3_000)}
    t.put("wide", {**columns, "g:z": "end"})
    row = t.get("wide")
    assert len(row) == 3_001
    assert all(row[column] == value.encode() for column, value in columns.items())
    assert row["g:z"] == b"end"
    assert "f:03000" not in row
    assert "a:00000" not in row


def test_rows_of_raw_scans_pass_markers_over_in_the_mapping(t: rs.Table) -> None:
    t.put("r", {"f:a": "1", "f:b": "2"}, timestamp=1)
    t.delete("r", "f:a", timestamp=2)
    t.delete("r", "f", timestamp=3)
    [row] = t.scan(raw=True, versions=10)
    assert [(cell.type, cell.qualifier) for cell in row.cells] == [
        ("DeleteFamily", b""),
        ("DeleteColumn", b"a"),
        ("Put", b"a"),
        ("Put", b"b"),
    ]
    assert row.to_dict() == {b"f:a": b"1", b"f:b": b"2"}


def test_representations_are_short(t: rs.Table, row: rs.Row) -> None:
    assert repr(row) == "Row(b'r', {b'f:a': b'1', b'f:b': b'2', b'g:c': b'3'})"
    assert repr(row.cells[0]) == "Cell(row=b'r', column=b'f:a', timestamp=5, type='Put', value=b'1')"
    t.put("big", {f"f:{number}": "x" * 100 for number in range(9)})
    assert len(repr(t.get("big").cells[0])) < 200, "regression: a cell printed its whole value"
    assert repr(t.get("big")).endswith("...})")
    assert "x" * 65 not in repr(t.get("big"))


def test_notebooks_get_escaped_html(t: rs.Table, db: rs.Database) -> None:
    t.put("<b>", {"f:<i>": "<script>"}, timestamp=1)
    html = t.get("<b>")._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    scanner = t.scan()
    assert "&lt;i&gt;" in scanner._repr_html_()
    assert len(list(scanner)) == 1, "looking at a scanner does not move it"
    for thing in (t, t.schema, db, db.admin.metrics.stats()):
        assert thing._repr_html_().startswith("<table>")


def test_families_are_found_by_text(row: rs.Row, t: rs.Table) -> None:
    """Regression: ``"anchor" in row.families()`` was always false because names are bytes."""
    families = row.families()
    assert "f" in families
    assert "h" not in families
    assert families["f"]["a"] == families.get("f").get("a") == b"1"
    assert families.get("h") is None
    assert families.get("h", 7) == 7
    with pytest.raises(KeyError):
        families["h"]
    assert (
        copy.copy(families)
        == pickle.loads(pickle.dumps(families))
        == {b"f": {b"a": b"1", b"b": b"2"}, b"g": {b"c": b"3"}}
    )
    schema = t.schema.families
    assert "f" in schema
    assert schema["f"] == schema[b"f"]
    assert schema.get("h") is None
