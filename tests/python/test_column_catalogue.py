"""The column catalogue: counts, sizes, guessed types, and the limits of a sample."""

from __future__ import annotations

import json
import struct

import pytest

import rowstone as rs
from rowstone import errors
from rowstone._core.inspect.guess import agreed, guess, show
from tests.checklist import checklist

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"", "empty"),
        (b"CNN", "text"),
        ("Zürich".encode() * 20, "text"),
        (b"12", "decimal"),
        (b"-1.5e3", "decimal"),
        (b"2026-11-21", "date"),
        (b"2026-11-21T10:00:00Z", "date"),
        (b"123e4567-e89b-12d3-a456-426614174000", "UUID"),
        (b'{"a": 1}', "JSON"),
        (b'{"a": "' + b"x" * 100 + b'"}', "JSON"),
        (b"[1, 2]", "JSON"),
        (b"[not json]", "text"),
        (b"{oh", "text"),
        (b"<?xml version='1.0'?>", "XML"),
        (b"\x00\x00\x00\x00\x00\x00\x00\x05", "int64"),
        (b"\xff" * 8, "int64"),
        (struct.pack(">d", 1.5), "float64"),
        (b"\x00\x00\x00\x05", "int32"),
        (b"\x00", "boolean"),
        (b"\xff", "boolean"),
        (b"\xfe", "bytes"),
        (PNG, "PNG"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (bytes(range(128, 160)), "bytes"),
    ],
)
def test_value_types_are_guessed(value: bytes, kind: str) -> None:
    assert guess(value[:64], len(value)) == kind


def test_values_are_shown_by_their_guessed_type() -> None:
    assert show(b"\xff" * 8, "int64") == "-1"
    assert show(struct.pack(">d", 1.5), "float64") == "1.5"
    assert show(b"a\x00\n\xff", "bytes") == "a\\x00\\x0A\\xFF"


def test_guesses_that_do_not_agree() -> None:
    assert agreed({}) == ""
    assert agreed({"text": 95, "int64": 5}) == "text"
    assert agreed({"text": 94, "int64": 6}) == "text 94 %, int64 6 %"


def test_a_column_reports_its_rows_versions_sizes_and_type(t: rs.Table) -> None:
    for number in range(4):
        t.put(f"r{number}", {"f:n": number.to_bytes(8, "big"), "g:x": "v"} if number else {"g:x": "v" * 9})
    found = t.column_catalogue()
    assert (found.rows, found.is_complete, len(found)) == (4, True, 2)
    info = found["f:n"]
    assert (info.rows, info.share, info.versions, info.looks_like) == (3, 0.75, {1: 3}, "int64")
    assert (found[b"g:x"].min_bytes, found["g:x"].average_bytes, found["g:x"].max_bytes) == (1, 3.0, 9)
    assert str(found).splitlines()[2].split() == ["f:n", "3", "75%", "1", "8", "8", "8", "int64", "1,", "2,", "3"]
    assert str(found).splitlines()[-1] == "2 columns in all 4 rows"
    assert "<td style='text-align:left'>f:n</td>" in found._repr_html_()
    assert json.dumps(found.to_dict())
    assert list(found.pandas()["column"]) == ["f:n", "g:x"]
    with pytest.raises(KeyError):
        found["f:other"]


def test_a_sample_says_that_it_is_one(t: rs.Table) -> None:
    with t.batch() as batch:
        for number in range(500):
            batch.put(f"{number:04}", {"f:q": "v"})
    found = t.column_catalogue(rows=50)
    assert (found.rows, found.is_complete, found["f:q"].rows) == (50, False, 50)
    assert found.summary == "1 column in a sample of 50 rows"


def test_qualifiers_that_are_data_are_shown_together(t: rs.Table) -> None:
    t.put("r", {f"f:{number:04}": "v" for number in range(60)} | {"g:\x07": "v"})
    lines = str(t.column_catalogue()).splitlines()
    assert len(lines) == 2 + 50 + 1 + 1 + 1
    assert lines[52].split() == ["f:", "and", "10", "more", "(decimal)", "1", "1", "1", "text"]
    assert lines[53].startswith("g:\\x07 ")


def test_columns_beyond_the_bound_are_counted_together(t: rs.Table) -> None:
    t.put("r", {f"f:{number:04}": "v" for number in range(1_500)})
    sampled = t.column_catalogue(max_columns=100)
    assert (len(sampled), sampled.unlisted_cells, sampled.is_complete) == (100, 900, False)
    scanned = t.column_catalogue(full=True, max_columns=100)
    assert (len(scanned), scanned.unlisted_cells, scanned.is_complete) == (100, 1_400, False)
    assert t.column_catalogue(full=True).is_complete


def test_progress_and_pages(t: rs.Table) -> None:
    with t.batch() as batch:
        for number in range(2_100):
            batch.put(f"{number:04}", {"f:q": "v"})
        batch.put("wide", {f"f:{number:04}": "v" for number in range(2_500)})
    seen: list[int] = []
    found = t.column_catalogue(full=True, progress=seen.append)
    assert seen == [1_000, 2_000]
    assert (found.rows, len(found)) == (2_101, 2_501)


def test_an_empty_table_and_wrong_calls(t: rs.Table) -> None:
    assert t.column_catalogue().summary == "0 columns in all 0 rows"
    assert str(t.column_catalogue(full=True)).endswith("0 columns in all 0 rows")
    with pytest.raises(errors.NoSuchColumnFamily):
        t.column_catalogue("x")
    for wrong in ({"rows": 0}, {"max_columns": 0}):
        with pytest.raises(errors.InvalidArgument, match="at least 1"):
            t.column_catalogue(**wrong)


@checklist("193", clause="a report of sizes shows what they save")
def test_the_size_report_says_what_short_names_save() -> None:
    """The names of the source: f:q instead of mycolumnfamily:mycolumnqualifier."""
    with rs.connect(":memory:") as db:
        long, short = ("mycolumnfamily", "mycolumnqualifier"), ("f", "q")
        for table, (family, qualifier) in (("long", long), ("short", short)):
            db.create_table(table, {family: rs.Family(max_versions=2)})
            for number in range(10):
                for timestamp in (1, 2):
                    db.table(table).put(f"r{number}", {f"{family}:{qualifier}": b"v" * 9}, timestamp=timestamp)
        report = db.table("long").column_catalogue(full=True).size_report()
        [of_family, total] = report
        assert (of_family.family, total.family, total) == (b"mycolumnfamily", b"", report.total)
        assert (total.cells, total.value_bytes) == (20, 180)
        assert (total.name_bytes, total.short_name_bytes, total.saved_bytes) == (20 * 31, 20 * 2, 20 * 29)
        assert total.cell_bytes == 20 * (20 + 31 + 9)
        assert "all             20     620    180     40           580 (48%)" in str(report)
        other = db.table("short").column_catalogue(full=True).size_report().total
        assert (other.saved_bytes, other.cell_bytes) == (0, total.cell_bytes - total.saved_bytes)
        # Too many qualifiers for one letter need two.
        db.create_table("wide", ["f"])
        db.table("wide").put("r", {f"f:name{number}": b"" for number in range(100)})
        assert db.table("wide").column_catalogue(full=True).size_report().total.short_name_bytes == 300
        db.create_table("none", ["f"])
        assert db.table("none").column_catalogue().size_report().total.cells == 0
