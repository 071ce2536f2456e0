"""Gets of named columns skip files that contain only older cells; their results equal those of a scan."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs

QUIET = {"rowstone.compaction.background": "false"}


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:", configuration=QUIET) as database:
        database.create_table("t", {"f": rs.Family(max_versions=3)})
        yield database


def blocks_asked_for(db: rs.Database, get: Callable[[], object]) -> int:
    """Number of blocks that the second such get reads; the first one also reads indexes and filters."""

    def count_lookups() -> int:
        stats = db.admin.metrics.stats()
        return stats["cache_hits"] + stats["cache_misses"]

    get()
    before = count_lookups()
    get()
    return count_lookups() - before


def test_older_files_are_not_read(db: rs.Database) -> None:
    table = db.table("t")

    def get() -> object:
        return table.get("r", "f:q")

    def newest() -> object:
        value = get()
        assert value["f:q"] == b"newest"
        return value

    table.put("r", {"f:q": "newest"}, timestamp=1)
    db.admin.flush("t")
    one_file = blocks_asked_for(db, newest)
    for timestamp in range(2, 8):
        table.put("r", {"f:q": "newest" if timestamp == 7 else "old"}, timestamp=timestamp)
        db.admin.flush("t")
    # Plus a block of the newest file's Bloom filter.
    assert blocks_asked_for(db, newest) == one_file + 1
    # In memory: no file at all.
    table.put("r", {"f:q": "recent"}, timestamp=8)
    assert blocks_asked_for(db, get) == 0
    # A newer marker covers older cells, wherever they are.
    table.delete("r", "f:q", timestamp=8)
    assert not get()
    assert blocks_asked_for(db, get) > one_file + 1


def test_a_file_without_the_row_is_not_read_for_one_in_memory(db: rs.Database) -> None:
    table = db.table("t")
    for row in ("a", "z"):
        table.put(row, {"f:q": "in a file"})
    db.admin.flush("t")
    table.put("m", {"f:q": "recent"})
    # Only its Bloom filter is read.
    assert blocks_asked_for(db, lambda: table.get("m")) == 1


CELLS = st.tuples(
    st.sampled_from(["put", "put", "put", "delete", "delete_version", "delete_family", "flush", "flush"]),
    st.sampled_from(["r", "s"]),
    st.sampled_from(["p", "q"]),
    st.integers(1, 6),
)


@settings(max_examples=150, deadline=None)
@given(
    steps=st.lists(CELLS, max_size=25),
    kept=st.integers(1, 3),
    bloom=st.sampled_from(["ROW", "ROWCOL", "NONE"]),
    keeps_deleted=st.booleans(),
    time_range=st.none() | st.tuples(st.integers(0, 3), st.integers(4, 8)),
    versions=st.sampled_from([1, 1, 2]),
)
def test_gets_answer_what_scans_answer(
    steps: list[tuple[str, str, str, int]],
    kept: int,
    bloom: str,
    keeps_deleted: bool,
    time_range: tuple[int, int] | None,
    versions: int,
) -> None:
    options = {"time_range": time_range, "versions": versions}
    family = rs.Family(max_versions=kept, bloom_filter=bloom, keep_deleted_cells="TRUE" if keeps_deleted else "FALSE")
    with rs.connect(":memory:", configuration=QUIET) as db:
        db.create_table("t", {"f": family})
        table = db.table("t")
        for number, (what, row, qualifier, timestamp) in enumerate(steps):
            column = f"f:{qualifier}"
            if what == "put":
                table.put(row, {column: str(number)}, timestamp=timestamp)
            elif what == "delete":
                table.delete(row, column, timestamp=timestamp)
            elif what == "delete_family":
                table.delete(row, "f", timestamp=timestamp)
            elif what == "delete_version":
                table.delete(row, column, version=timestamp)
            else:
                db.admin.flush("t")
            scanned = {row.key: row for row in table.scan(**options)}
            for columns in (["f:p"], ["f:q"], ["f:p", "f:q"]):
                for key in ("r", "s"):
                    whole = scanned.get(key.encode())
                    expected = [] if whole is None else whole.cells
                    found = table.get(key, columns, **options).cells
                    assert [(cell.column, cell.timestamp, cell.value) for cell in found] == [
                        (cell.column, cell.timestamp, cell.value)
                        for cell in expected
                        if cell.column.decode() in columns
                    ]
