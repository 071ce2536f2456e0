"""The sample: all of what is small, a spread of what is large, each row once, and never more than its bounds."""

from __future__ import annotations

import random
from bisect import bisect_left
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone._core.inspect.places import spread
from rowstone._core.inspect.sampling import PAGE_CELLS, Bounds, sample_range
from rowstone.schema.advise import Access, advise
from rowstone.schema.advise._sample import take_sample


def filled(db: rs.Database, keys: list[str], **options: object) -> rs.Table:
    db.create_table("t", ["f", "g"], **options)  # type: ignore[arg-type]
    table = db.table("t")
    with table.batch() as batch:
        for key in keys:
            batch.put(key, {"f:q": "v"})
    return table


def test_a_small_range_is_read_whole(db: rs.Database) -> None:
    table = filled(db, [f"{number:02}" for number in range(20)])
    rows, is_complete = sample_range(table, b"05", b"15", Bounds(rows=10))
    assert [row.key for row in rows] == [b"%02d" % number for number in range(5, 15)]
    assert is_complete


def test_a_large_range_is_seen_all_over(db: rs.Database) -> None:
    keys = [f"user{number:06}" for number in range(5_000)]
    rows, is_complete = sample_range(filled(db, keys), b"", b"", Bounds(rows=100))
    assert not is_complete
    found = [row.key.decode() for row in rows]
    assert len(found) == 100
    assert all(one < two for one, two in pairwise(found))
    places = [bisect_left(keys, key) for key in found]
    assert all(any(part * 1000 <= place < (part + 1) * 1000 for place in places) for part in range(5))


def test_random_keys_of_any_kind(db: rs.Database) -> None:
    chosen = random.Random(7)
    keys = [chosen.choice(["a", "é", "\x00", "~"]) + str(chosen.random()) for _ in range(2_000)]
    rows, _ = sample_range(filled(db, keys), b"", b"", Bounds(rows=60))
    found = [row.key for row in rows]
    assert found == sorted(set(found))
    assert set(found) <= {key.encode() for key in keys}
    assert 10 <= len(found) <= 60


def test_a_wide_row_is_counted_and_not_kept(db: rs.Database) -> None:
    table = filled(db, ["a", "z"])
    table.put("m", {f"f:{number:05}": "v" for number in range(PAGE_CELLS * 2 + 5)})
    rows, is_complete = sample_range(table, b"", b"", Bounds())
    assert [(row.key, row.cell_count, row.column_count, len(row.cells)) for row in rows] == [
        (b"a", 1, 1, 1),
        (b"m", PAGE_CELLS * 2 + 5, PAGE_CELLS * 2 + 5, PAGE_CELLS),
        (b"z", 1, 1, 1),
    ]
    assert is_complete


def test_a_wide_family_hides_no_other(db: rs.Database) -> None:
    table = filled(db, [])
    table.put("m", {f"f:{number:05}": "v" for number in range(PAGE_CELLS + 1)})
    table.put("m", {"g:q": "value"})
    [row], _ = sample_range(table, b"", b"", Bounds())
    assert row.family_cells == {b"f": PAGE_CELLS + 1, b"g": 1}
    assert row.value_bytes == {b"f": PAGE_CELLS + 1, b"g": 5}
    assert (len(row.cells), row.cells[-1].family) == (PAGE_CELLS + 1, b"g")


def test_a_row_over_its_bound_is_cut_and_the_next_is_read(db: rs.Database) -> None:
    table = filled(db, ["a", "z"])
    table.put("m", {f"f:{number:05}": "v" for number in range(PAGE_CELLS * 3)})
    rows, is_complete = sample_range(table, b"", b"", Bounds(row_cells=PAGE_CELLS))
    assert [(row.key, row.is_whole) for row in rows] == [(b"a", True), (b"m", False), (b"z", True)]
    assert rows[1].cell_count == PAGE_CELLS
    assert not is_complete


def test_the_bound_of_bytes_ends_it(db: rs.Database) -> None:
    table = filled(db, [f"{number:04}" for number in range(2_000)])
    rows, is_complete = sample_range(table, b"", b"", Bounds(total_bytes=300))
    assert sum(row.size_bytes for row in rows) < 400
    assert not is_complete


def test_one_family_alone(db: rs.Database) -> None:
    table = filled(db, ["a", "b", "c"])
    table.put("b", {"g:q": "v"})
    rows, _ = sample_range(table, b"", b"", Bounds(family=b"g"))
    assert [(row.key, [cell.family for cell in row.cells]) for row in rows] == [(b"b", [b"g"])]


def test_advice_about_versions_names_its_sample(db: rs.Database) -> None:
    """Regression: it said that no program writes a history; two rows with one were not in the sample."""
    db.create_table("v", {"f": rs.Family(max_versions=3)})
    table = db.table("v")
    for number in range(500):
        table.put(f"{number:04}", {"f:q": "v"})
    messages = [
        [one.message for one in advise(db, ["v"], rows_per_region=rows).findings if one.code == "L13"]
        for rows in (200, 500)
    ]
    table.put("0000", {"f:q": "new"})
    messages.append([one.message for one in advise(db, ["v"], rows_per_region=500).findings if one.code == "L13"])
    assert messages == [
        ["VERSIONS is 3, but 0 of 200 cells have several, in a sample of 200 rows"],
        ["VERSIONS is 3, but 0 of 500 cells have several, in all 500 rows"],
        ["VERSIONS is 3, but 1 of 500 cells have several, in all 500 rows"],
    ]


def test_a_sample_does_not_advise_to_lose_versions(db: rs.Database) -> None:
    """Regression: "set VERSIONS => 1" for a family whose hot row had 170 versions that the sample had missed."""
    db.create_table("v", {"f": rs.Family(max_versions=3)})
    for number in range(500):
        db.table("v").put(f"{number:04}", {"f:q": "v"})

    def remedy(rows: int, access: Access | None = None) -> str:
        used = {"v": access} if access else None
        findings = advise(db, ["v"], rows_per_region=rows, access=used).findings
        return next(one.remedy for one in findings if one.code == "L13")

    assert remedy(200) == "look at rows that are written often: the sample may have missed their versions"
    assert "rows that are written most, such as a, b:" in remedy(200, Access(hot_rows=(b"a", b"b")))
    assert remedy(500).startswith("set VERSIONS => 1")


def test_regions_share_what_may_be_read(db: rs.Database) -> None:
    splits = [f"{number:02}" for number in range(1, 100)]
    table = filled(db, [f"{number:02}-{row}" for number in range(100) for row in range(12)], splits=splits)
    keys = [key.encode() for key in splits]
    every = take_sample(table, keys, 200, 20_000)
    assert (len(every.rows), every.is_complete) == (1_200, True)
    some = take_sample(table, keys, 200, 100)
    assert len(some.rows) <= 120
    assert not some.is_complete
    assert some.regions == (0, 20, 40, 60, 80)
    assert {row.region for row in some.rows} == set(some.regions)


@settings(max_examples=50)
@given(st.binary(max_size=12), st.binary(max_size=12), st.integers(1, 40), st.lists(st.binary(max_size=12)))
def test_places_lie_between_and_in_order(one: bytes, two: bytes, count: int, known: list[bytes]) -> None:
    low, high = sorted((one, two))
    places = spread(low, high, count, known)
    assert places == sorted(set(places))
    assert len(places) <= count
    assert all(place <= high + b"\xff" * 8 for place in places)
