"""`Database.explain`: its plan matches what a scan reads, and skipped files contain no cell of the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors, filters
from tests.checklist import checklist


@pytest.fixture
def db() -> Iterator[rs.Database]:
    """Three regions, each with two files of family f (times 1 to 9 and 100 to 109) and one of g; and memory cells."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"], splits=["d", "m"])
        table = db.table("t")
        for first, families in ((1, "f"), (100, "fg")):
            for place, row in enumerate(["a", "c", "d", "f", "m", "z"]):
                for family in families:
                    table.put(row, {f"{family}:q": b"x" * 50}, timestamp=first + place)
            db.admin.flush("t")
        table.put("f", {"g:q": "recent"})
        yield db


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, (3, 9, 0, 0, 0)),
        ({"columns": ["f"]}, (3, 6, 0, 3, 0)),
        ({"columns": "g:q"}, (3, 3, 0, 6, 0)),
        ({"columns": [("f", "q"), b"g"]}, (3, 9, 0, 0, 0)),
        ({"start": "d", "stop": "m"}, (1, 3, 6, 0, 0)),
        ({"start": "d", "stop": "m\x00"}, (2, 6, 3, 0, 0)),
        ({"start": b"m", "columns": ["f:q"]}, (1, 2, 6, 1, 0)),
        ({"stop": "d", "time_range": (100, None)}, (1, 2, 6, 0, 1)),
        ({"time_range": (None, 100)}, (3, 3, 0, 0, 6)),
        ({"time_range": (0, 1)}, (3, 0, 0, 0, 9)),
        ({"prefix": "c"}, (1, 3, 6, 0, 0)),
        ({"prefix": b"l\xff\xff"}, (1, 3, 6, 0, 0)),
        ({"prefix": b"\xff"}, (1, 3, 6, 0, 0)),
        ({"start": "m", "stop": "d"}, (0, 0, 9, 0, 0)),
    ],
)
def test_the_plan_counts_read_and_skipped_files(
    db: rs.Database, options: dict[str, Any], expected: tuple[int, ...]
) -> None:
    found = db.explain("t", **options)
    left_out = found.files_of_other_rows, found.files_of_other_families, found.files_of_other_times
    assert (found.regions, found.files, *left_out) == expected
    assert found.files + sum(left_out) == 9
    assert 0 <= found.file_bytes + found.memory_bytes <= found.table_bytes
    # Skipped files contain no cell of the result.
    cells = sum(len(row.cells) for row in db.table("t").scan(versions=None, **options))
    assert not cells or found.files


def test_memory_counts_where_it_is(db: rs.Database) -> None:
    everything = db.explain("t")
    assert everything.file_bytes + everything.memory_bytes == everything.table_bytes
    assert everything.memory_bytes == db.explain("t", prefix="f", columns=["g"]).memory_bytes > 0
    assert db.explain("t", prefix="f", columns=["f"]).memory_bytes == 0
    assert "3 of 3 regions, families f, g\nat most 9 files" in str(everything)


@checklist("009", clause="explain says which one a scan is")
@pytest.mark.parametrize(
    ("options", "access"),
    [
        ({"row": "a"}, "one key"),
        ({"start": "a", "stop": b"a\0"}, "one key"),
        ({"start": "a", "stop": "b"}, "a range of keys"),
        ({"start": "a"}, "a range of keys"),
        ({"stop": "z"}, "a range of keys"),
        ({"prefix": "a"}, "a range of keys"),
        ({"prefix": b"\xff"}, "a range of keys"),
        ({}, "everything"),
        ({"start": "", "stop": b""}, "everything"),
        ({"prefix": ""}, "everything"),
        ({"columns": ["g:q"], "time_range": (1, 2)}, "everything"),
        ({"filter": "PrefixFilter('a')"}, "everything"),
    ],
)
def test_there_are_three_ways_in(db: rs.Database, options: dict[str, Any], access: str) -> None:
    found = db.explain("t", **options)
    assert found.access == access
    assert found.is_full_scan == (access == "everything")
    assert ("FULL SCAN, everything: at most " if found.is_full_scan else f"{access}: at most ") in str(found)


@checklist("010", clause="a value filter without key bounds is reported as a full scan")
@pytest.mark.parametrize(
    "filter", [filters.ValueFilter("=", "recent"), rs.value == "recent", "ValueFilter(=,'binary:recent')"]
)
def test_a_filter_on_values_makes_no_scan_shorter(db: rs.Database, filter: Any) -> None:
    assert [row.key for row in db.table("t").scan(filter=filter)] == [b"f"]
    found = db.explain("t", filter=filter, count=True)
    assert found.is_full_scan
    assert found.rows_examined == len(list(db.table("t").scan())) == 6
    assert str(found).startswith("FULL SCAN, everything: 6 rows examined, then filtered by ")
    assert "recent" in str(found).splitlines()[0]
    # With bounds it is not a full scan.
    found = db.explain("t", "d", "m", filter=filter, count=True)
    assert (found.access, found.rows_examined) == ("a range of keys", 2)


def test_rows_are_counted_when_asked(db: rs.Database) -> None:
    assert db.explain("t").rows_examined is None
    # 12 of f, 6 of g, one in memory: an old version and a marker are examined too.
    assert db.explain("t").max_cells == 19
    assert db.explain("t", row="f").max_cells == 7
    assert db.explain("t", columns=["f"], time_range=(0, 10)).max_cells == 6
    for options, rows in [({"row": "f"}, 1), ({"row": "nobody"}, 0), ({"prefix": "m"}, 1), ({"start": "m"}, 2)]:
        assert db.explain("t", **options, count=True).rows_examined == rows  # type: ignore[arg-type]
    db.table("t").put("only-g", {"g:q": "v"})
    assert db.explain("t", columns=["f"], count=True).rows_examined == 6
    assert db.explain("t", start="m", stop="d", count=True).rows_examined == 0


def test_invalid_calls_are_refused(db: rs.Database) -> None:
    with pytest.raises(errors.TableNotFound):
        db.explain("u")
    with pytest.raises(errors.NoSuchColumnFamily, match="no family 'h'"):
        db.explain("t", columns=["h:q"])
    with pytest.raises(errors.InvalidArgument, match="either row, or prefix"):
        db.explain("t", "a", prefix="b")
    with pytest.raises(errors.InvalidArgument, match="either row, or prefix"):
        db.explain("t", row="a", prefix="b")
    with pytest.raises(errors.InvalidArgument):
        db.explain("t", filter="NoSuchFilter('a'")


def test_on_a_cluster_regions_are_explained() -> None:
    """Regression: it raised UnsupportedOperation, because the servers of a cluster do not list their files."""
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as db:
        db.create_table("t", ["f", "g"], splits=["m"])
        db.table("t").put("a", {"f:q": "value"})
        db.table("t").put("x", {"f:q": "value"})
        server.database.admin.flush("t")
        found = db.explain("t", prefix="a", columns=["f"], count=True)
        assert (found.access, found.regions, found.table_regions) == ("a range of keys", 1, 2)
        assert (found.families, found.rows_examined, found.is_by_region) == ((b"f",), 1, True)
        assert (found.files, found.files_of_other_rows, found.max_cells) == (1, 1, None)
        assert "do not list their files" in str(found)
        assert "an unknown number of cells" in str(db.explain("t"))
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        assert not db.explain("t").is_by_region
