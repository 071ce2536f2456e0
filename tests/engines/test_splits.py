"""Splits and limits: every key is in one split, whatever regions are listed; a limit counts rows of the result."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import Compare, RowSchema, Source, plan
from rowstone.errors import InvalidArgument
from tests.engines.test_sources import read

pytest.importorskip("pyarrow")

SCHEMA = RowSchema("text", {"n": ("f:n", "int32")})


class _Listed:
    """An address of a table whose regions are listed as given."""

    table = "t"

    def __init__(self, db: rs.Database, regions: list[tuple[bytes, bytes]]) -> None:
        self._db = db
        self._places = [
            SimpleNamespace(region=SimpleNamespace(start_key=start, end_key=end), server=f"host-{start.decode()},1,2")
            for start, end in regions
        ]

    def open_database(self) -> Any:
        """The database for reads, with other locations."""
        regions = SimpleNamespace(locations=lambda _: self._places)
        view = SimpleNamespace(admin=SimpleNamespace(regions=regions), _cluster=None, table=self._db.table)
        return _Opened(view)


class _Opened:
    def __init__(self, view: Any) -> None:
        self._view = view

    def __enter__(self) -> Any:
        return self._view

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    "regions",
    [
        [(b"", b"c"), (b"a", b"c"), (b"b", b"d"), (b"c", b"")],
        [(b"", b"a"), (b"b", b"c"), (b"d", b"d5")],
        [(b"c", b""), (b"b", b"c")],
        [],
    ],
    ids=["overlaps", "gaps", "no first region", "none"],
)
def test_listed_regions_neither_repeat_nor_lose_rows(db: rs.Database, regions: list[tuple[bytes, bytes]]) -> None:
    db.create_table("t", ["f"])
    for row in "abcde":
        db.table("t").put(row, {"f:n": b"\0\0\0\1"})
    source = Source(db, "t", SCHEMA)
    source._address = _Listed(db, regions)  # type: ignore[assignment]
    splits = source.splits(source.plan())
    assert [split.number for split in splits] == list(range(len(splits)))
    assert len(splits) == len({b"", *(start for start, _ in regions)})
    assert splits[-1].host == (f"host-{max(start for start, _ in regions).decode()}" if regions else None)
    assert [row["row"] for row in read(source)] == list("abcde")


def test_rows_that_are_dropped_do_not_count(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    for row in "abcde":
        db.table("t").put(row, {"f:n": b"bad" if row in "ab" else b"\0\0\0\1"})
    assert [row["row"] for row in read(Source(db, "t", SCHEMA, on_error="drop"), limit=2)] == ["c", "d"]
    assert [row["row"] for row in read(Source(db, "t", SCHEMA, on_error="null"), limit=2)] == ["a", "b"]


def test_a_limit_of_no_rows(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    db.table("t").put("a", {"f:n": b"\0\0\0\1"})
    source = Source(db, "t", SCHEMA)
    none = source.plan(limit=0)
    assert source.splits(none) == []
    [split] = source.splits(source.plan())
    assert list(source.read(none, split)) == []
    with pytest.raises(InvalidArgument, match="limit -1 is negative"):
        source.plan(limit=-1)


def test_an_engine_that_checks_rows_gets_all_of_them() -> None:
    assert plan(Compare("n", ">", 1), SCHEMA, limit=1).without_residue().limit is None
    assert plan(None, SCHEMA, limit=1).without_residue().limit == 1
