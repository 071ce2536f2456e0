"""Case studies of table shapes (tall, middle and wide) and of lists (checklist 235-244)."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from examples.case_studies.lists.forms import FORMS, PAGE, Paged, Tall, Wide
from examples.case_studies.measure import Report
from examples.case_studies.measure.counted import Counted, Counts

import rowstone as rs
from rowstone.filters import ColumnPaginationFilter, ColumnRangeFilter
from rowstone.testing import ManualClock
from tests.checklist import checklist

ENTRIES = [f"entry{number:05}" for number in range(400)]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1_000)


@pytest.fixture
def db(clock: ManualClock) -> Iterator[rs.Database]:
    with rs.connect(":memory:", clock=clock) as db:
        for form in FORMS:
            db.create_table(form.name, ["d"])
            for row, data in form.rows("ann", ENTRIES):
                db.table(form.name).put(row, data)
        yield db


def counted(db: rs.Database, name: str) -> Counted:
    return Counted(db.table(name), Counts())


@checklist("237", clause="the same cells in all shapes")
def test_all_shapes_have_the_same_cells(shapes: Report) -> None:
    assert len({one.cells for one in shapes.stored}) == 1
    rows = {one.design: one.rows for one in shapes.stored}
    assert rows["versions"] == rows["wide"] < rows["middle"] < rows["tall"] == shapes.store("tall").cells
    day = {name: shapes.cost("a day", name) for name in rows}
    assert (day["tall"].rows, day["middle"].rows, day["wide"].rows) == (24, 1, 1)


def test_the_newest_is_one_cell_in_every_shape(shapes: Report) -> None:
    newest = [cost for cost in shapes.costs if cost.query == "the newest"]
    assert [(cost.calls, cost.rows, cost.cells) for cost in newest] == [(1, 1, 1)] * 4


@checklist("235", clause="the case study's versions are pointed out")
def test_versions_are_advised_against(shapes: Report) -> None:
    assert [advice for advice, _ in shapes.advice if advice.startswith("L12 too-many-versions: versions")]


@checklist("238", clause="the first thirty are one scan with a limit")
@checklist("239", clause="pages give the same answers")
@checklist("240", clause="both are measured")
def test_the_first_thirty(lists: Report) -> None:
    first = {form.name: lists.cost("the first 30", form.name) for form in FORMS}
    assert first["tall"].rows == first["tall"].cells == 30
    assert (first["paged"].rows, first["wide"].rows) == (1, 1)
    assert lists.cost("is it in the list", "tall").cells == 1
    assert lists.cost("is it in the list", "paged").rows > 1


@checklist("242", clause="limits, pages and ranges of columns give the same thirty")
def test_slices_of_a_wide_row(db: rs.Database) -> None:
    table = db.table("wide")
    ways = [
        table.get("ann", cells_per_family=30, offset_per_family=60),
        table.get("ann", filter=ColumnPaginationFilter(30, 60)),
        table.get("ann", filter=ColumnPaginationFilter(30, ENTRIES[60].encode())),
        table.get("ann", filter=ColumnRangeFilter(ENTRIES[60], True, ENTRIES[90], False)),
    ]
    assert [[cell.qualifier.decode() for cell in row.cells] for row in ways] == [ENTRIES[60:90]] * 4
    assert Tall().first(counted(db, "tall"), "ann", 30) == Wide().first(counted(db, "wide"), "ann", 30)
    assert Wide().first_by_filter(counted(db, "wide"), "ann", 30) == ENTRIES[:30]


@checklist("243", clause="tall and wide are less than 5 % apart")
def test_tall_and_wide_take_the_same_space(lists: Report) -> None:
    tall, wide = lists.store("tall"), lists.store("wide")
    assert tall.cells == wide.cells
    assert tall.cell_bytes == pytest.approx(wide.cell_bytes, rel=0.05)


@checklist("244", clause="all pages behind an insertion are written again")
def test_an_insertion_rewrites_the_pages_behind_it(db: rs.Database, lists: Report) -> None:
    for place, rewritten in ((0, 9), (200, 5), (399, 1)):
        table = counted(db, "paged")
        Paged().add(table, "ann", f"{ENTRIES[place]}x")
        assert table.counts.written == rewritten, "400 entries are 8 pages, and then 9"
    assert Paged().all(counted(db, "paged"), "ann") == sorted([*ENTRIES, *(f"{ENTRIES[at]}x" for at in (0, 200, 399))])
    added = {form.name: lists.cost("add near the beginning", form.name).written for form in FORMS}
    assert (added["tall"], added["wide"]) == (1, 1)
    assert added["paged"] >= lists.cost("the list after that", "tall").rows // PAGE


@checklist("241", clause="a wide list changes at once, a tall one entry by entry")
def test_only_a_wide_list_changes_at_once(db: rs.Database, clock: ManualClock) -> None:
    """A writer replaces one entry by another and back. Readers of the wide list always see exactly one of them."""
    wide, stop, seen = db.table("wide"), threading.Event(), set()
    one, other = "d:swap-a", "d:swap-b"
    wide.put("ann", {one: ""})

    def read() -> None:
        while not stop.is_set():
            row = wide.get("ann", [one, other])
            seen.add((one in row, other in row))

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(400):
        # A delete hides what is put in the same millisecond.
        clock.advance(1)
        come, go = (other, one) if turn % 2 == 0 else (one, other)
        wide.mutate_row("ann", [rs.Put("ann", {come: ""}), rs.Delete("ann", [go])])
    stop.set()
    reader.join()
    assert seen <= {(True, False), (False, True)}
    # Two entries of a tall list are two rows, and row mutations accept only one row.
    tall = Tall()
    with pytest.raises(rs.errors.UsageError):
        rs.RowMutations(tall.row.encode("ann", "a"), [rs.Put(tall.row.encode("ann", "b"), {"d:": ""})])
