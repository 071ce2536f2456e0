"""Rows of a query as files."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from typing import Any

import pytest

import rowstone as rs
from rowstone import codecs
from rowstone.server.dashboard import explore
from rowstone.server.dashboard.data import _budget, _reader, _routes, download
from rowstone.server.dashboard.data._query import Query
from tests.explorer.conftest import Answer, Visitor, admit


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
    assert answer.headers["content-disposition"] == 'attachment; filename="t-from-k3.jsonl"'


def test_a_file_is_named_for_its_query(visitor: Visitor, filled: rs.Table) -> None:
    """Also with bytes that no header and no file name may have; the page says what the file has."""
    filled.put(b'k"\r\n/..\\\xff', {"f:n": "v"})
    answer = visitor.get("download", format="csv", prefix='k"\\x0D\\x0A/..\\x5C', filter="KeyOnlyFilter()", columns="f")
    assert answer.headers["content-disposition"] == 'attachment; filename="t-k--x0D-x0A-..-x5C-filtered.csv"'
    assert len(answer.html.splitlines()) == 2
    long = visitor.get("download", format="csv", first="k" * 1_000).headers["content-disposition"]
    assert len(long) < 150
    assert "if a limit ends it, its name has the number of its rows" in visitor.text("rows")


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
    with explore(db) as page:
        answer = admit(page).get("download", format="csv")
    assert 'filename="t-first-3-rows.csv"' in answer.headers["content-disposition"]
    assert len(answer.html.splitlines()) == 7


def download_with(db: rs.Database, monkeypatch: pytest.MonkeyPatch, limits: Any, form: str) -> Answer:
    """The file of a download with other limits."""
    monkeypatch.setattr(_routes, "DOWNLOAD", limits)
    with explore(db) as page:
        return admit(page).get("download", format=form)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_limit_inside_a_row_drops_the_row(db: rs.Database, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    for key in "abc":
        db.table("t").put(key, {f"f:{number:02}": "v" * 100 for number in range(40)})
    answer = download_with(db, monkeypatch, replace(_budget.DOWNLOAD, bytes=10_000), form)
    assert f't-first-2-rows.{form}"' in answer.headers["content-disposition"]
    if form == "csv":
        assert len(answer.html.splitlines()) == 1 + 2 * 40
    if form == "parquet":
        parquet: Any = pytest.importorskip("pyarrow.parquet")
        assert parquet.read_table(io.BytesIO(answer.body)).num_rows == 2


def test_a_single_row_that_is_cut_is_named_so(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    db.table("t").put("a", {f"f:{number:02}": "v" * 100 for number in range(40)})
    limits = replace(_budget.DOWNLOAD, bytes=1_000)
    assert 't-first-row-cut.csv"' in download_with(db, monkeypatch, limits, "csv").headers["content-disposition"]
    assert download_with(db, monkeypatch, limits, "parquet").status == 400


def test_parquet_has_a_limit_of_its_own(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow's form of the rows can be larger, and other processes can change them in between."""
    pytest.importorskip("pyarrow")
    for number in range(40):
        db.table("t").put(f"k{number:02}", {f"f:{number:02}": "v"})
    monkeypatch.setattr(download, "_BATCH_ROWS", 10)
    answer = download_with(db, monkeypatch, replace(_budget.DOWNLOAD, bytes=2_000), "parquet")
    found = re.search(r't-first-(\d+)-rows.parquet"', answer.headers["content-disposition"])
    assert found is not None
    assert 0 < int(found[1]) < 40


def test_a_download_has_all_columns_of_a_wide_row(db: rs.Database, visitor: Visitor) -> None:
    db.table("t").put("wide", {f"f:{number:03}": "v" for number in range(100)})
    assert len(visitor.get("download", format="csv").html.splitlines()) == 101
    budget = _budget.Budget(_budget.PAGE)
    page = _reader.read_page(db.table("t"), Query("t"), budget, rows=20)
    assert len(page.rows[0].cells) == _reader.CELLS_PER_FAMILY
