"""Rows of a query as files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs
from rowstone.server.dashboard.data import _budget, _reader, download
from rowstone.server.dashboard.data._query import Query
from tests.explorer.conftest import Visitor


@pytest.fixture
def filled(db: rs.Database) -> rs.Table:
    table = db.table("t")
    for number in range(5):
        table.put(f"k{number}", {"f:n": number.to_bytes(4, "big"), "g:x": b'a,"b"\n\xff'}, timestamp=9)
    return table


def test_csv_and_json_lines_have_every_cell(visitor: Visitor, filled: rs.Table) -> None:
    lines = list(csv.reader(io.StringIO(visitor.get("download", format="csv", prefix="k").html)))
    assert lines[0] == ["row", "column", "timestamp", "value"]
    assert lines[1] == ["k0", "f:n", "9", "\\x00\\x00\\x00\\x00"]
    assert lines[2] == ["k0", "g:x", "9", 'a,"b"\\x0A\\xFF']
    assert len(lines) == 11
    answer = visitor.get("download", format="jsonl", first="k3")
    rows = [json.loads(line) for line in answer.html.splitlines()]
    assert [row["row"] for row in rows] == ["k3", "k4"]
    assert rows[0]["cells"][0] == {
        "column": "f:n", "timestamp": 9, "type": "Put", "value": "\\x00\\x00\\x00\\x03",
    }  # fmt: skip
    assert answer.headers["content-disposition"] == 'attachment; filename="t.jsonl"'


def test_parquet_has_declared_types(visitor: Visitor, db: rs.Database, filled: rs.Table) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    codecs.declare(db, "t", {"f:n": "int32"})
    query = {"format": "parquet", "columns": "f:n", "filter": "ValueFilter(>=, 'binary:\x00')"}
    answer = visitor.get("download", **query)
    assert parquet.read_table(io.BytesIO(answer.body)).column("f:n").to_pylist() == [0, 1, 2, 3, 4]
    assert visitor.get("download", format="parquet", prefix="z").status == 400
    assert visitor.get("download", format="exe").status == 400


def test_a_file_that_a_limit_ended_says_so(db: rs.Database, filled: rs.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "DOWNLOAD", replace(_budget.DOWNLOAD, rows=3))
    from rowstone.server.dashboard import explore
    from tests.explorer.conftest import admit

    with explore(db) as page:
        answer = admit(page).get("download", format="csv")
    assert 'filename="t-first-3-rows.csv"' in answer.headers["content-disposition"]
    assert len(answer.html.splitlines()) == 7


def test_a_download_has_all_columns_of_a_wide_row(db: rs.Database, visitor: Visitor) -> None:
    db.table("t").put("wide", {f"f:{number:03}": "v" for number in range(100)})
    assert len(visitor.get("download", format="csv").html.splitlines()) == 101
    budget = _budget.Budget(_budget.PAGE)
    page = _reader.read_page(db.table("t"), Query("t"), budget, rows=20)
    assert len(page.rows[0].cells) == _reader.CELLS_PER_FAMILY
