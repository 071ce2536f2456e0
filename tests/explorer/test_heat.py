"""Heat maps of the explorer: live, zoomed, with hot keys, splits and regions; and those of a cluster's servers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.schema.heat import Watch
from rowstone.server.dashboard import _heat, explore
from rowstone.server.dashboard._heat import HeatSource
from rowstone.server.dashboard.pages._key_axis import key_axis
from rowstone.testing import ManualClock
from tests.explorer.conftest import NOW, Visitor, admit


def write(table: rs.Table, *, hot: bytes = b"k3") -> None:
    """A thousand writes, three quarters of them to one key."""
    for number in range(1_000):
        table.put(hot if number % 4 else f"k{number % 10}", {"f:q": "v"})


def test_the_map_of_this_process_changes_while_the_explorer_runs(visitor: Visitor, db: rs.Database) -> None:
    assert "No table was read or written yet." in visitor.text("heat", "")
    write(db.table("t"))
    answer = visitor.get("heat")
    assert "writes: 1,000 rows" in answer.text
    assert 'id="follow"' in answer.html
    assert 'id="follow"' not in visitor.get("rows").html
    assert "style=" not in answer.html
    assert re.search(r"k3 writes (about )?[78]\d\d [78]\d\.\d%", answer.text.partition("Hot key candidates")[2])
    assert "hot range" in answer.text.partition("Patterns")[2].partition("Hot key")[0]
    assert "no split divides row 'k3', which has" in answer.text
    assert "split there" not in answer.text
    db.table("t").put("k3", {"f:q": "v"})
    assert "writes: 1,001 rows" in visitor.text("heat")


def test_zoom_by_keys_and_time(db: rs.Database) -> None:
    clock = ManualClock(NOW)
    with rs.connect(":memory:", clock=clock) as found:
        found.create_table("t", ["f"], splits=["k3", "k7"])
        for second in range(120):
            found.table("t").put(f"k{second // 20}", {"f:q": "v"})
            clock.advance(1_000)
        with explore(found) as page:
            visitor = admit(page)
            whole = visitor.text("heat")
            assert ("writes: 120 rows" in whole, "split k3" in whole) == (True, True)
            part = visitor.text("heat", first="k1", to="k3")
            assert "writes: 40 rows" in part
            assert "Shown: 0 of 0 rows read, 40 of 120 written (since the database was opened)." in part
            assert "Since the database was opened:" not in part
            assert ("k0" in part, "split k3" in part.partition("Regions in key order Keys")[0]) == (False, False)
            late = visitor.text("heat", last=60)
            assert "Time span all last minute last 10 minutes last hour" in late
            assert re.search(r"Shown: 0 of 0 rows read, 6\d of 120 written", late)
            assert ("k5" in late, "k0" in late.partition("Patterns")[0]) == (True, False)
            links = re.findall(r'href="(/heat/t\?(?:from|to)=[^"]+)"', visitor.get("heat").html)
            assert len(links) == 6
            assert "writes: 20 rows" in visitor.request("GET", links[0].replace("&amp;", "&")).text


def test_numbers_of_a_sample_are_estimates(tmp_path: Path) -> None:
    """Regression: ranges showed multiples of 417 as counts, and 0 for ranges that the sample had missed."""
    with rs.connect(tmp_path / "db", clock=ManualClock(NOW)) as db:
        db.create_table("t", ["f"], splits=["k5"])
        with db.table("t").batch() as batch:
            for number in range(3_000):
                batch.put(f"k{number:04}", {"f:q": "v"})
        for number in range(2_000):
            db.table("t").get("k0007" if number % 2 else "k2999")
    with rs.connect(tmp_path / "db", read_only=True) as db, explore(db) as page:
        visitor = admit(page)
        text = visitor.text("heat")
        assert "2,000 rows read, 3,000 written." in text
        assert re.search(
            r"estimates from a sample: 1\d\d of the 2,000 rows read and [12]\d\d of the 3,000 rows written", text
        )
        ranges = text.partition("Rows by key range")[2]
        assert re.search(r"Both first key k\d{4} ", ranges)
        assert re.search(r"k\d{4} last key ", ranges)
        assert "An empty field: too few to be sampled." in ranges
        assert "about" in ranges
        part = visitor.text("heat", first="k0001", to="k00010")
        assert "reads: too few to be sampled" in part
        assert "Shown: almost none of 2,000 rows read, " in part


def test_a_range_never_shows_less_than_a_key_in_it(visitor: Visitor, db: rs.Database) -> None:
    """Regression: 23,890 rows of a range, and 23,891 of the hot key in it."""
    for _ in range(2_001):
        db.table("t").get("k0")
    text = visitor.text("heat")
    [key] = re.findall(r"k0 reads about ([\d,]+) 100\.0%", text)
    assert re.search(f"Both first key last key about {key} ", text)


def test_a_range_that_ends_before_it_starts_is_a_mistake(visitor: Visitor) -> None:
    text = visitor.text("heat", first="z", to="a")
    assert "Row 'z' is not before row 'a': the range has no keys" in text
    assert ("too few to be sampled" in text, "Patterns" in text, "Hot key" in text) == (False, False, False)
    assert "has no keys" not in visitor.text("heat", first="a", to="b")


def test_the_map_of_a_finished_process_is_not_followed(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        write(db.table("t"))
    with rs.connect(tmp_path / "db") as db, explore(db, write=True) as page:
        visitor = admit(page)
        assert 'id="follow"' not in visitor.get("heat").html
        assert 'id="follow"' in visitor.get("heat", period="explorer").html


@pytest.mark.parametrize("given", ["<script>", "\\x00\\xff", "%00", "zzz", "9" * 5_000])
def test_zooms_of_any_text(visitor: Visitor, db: rs.Database, given: str) -> None:
    write(db.table("t"), hot=b"<script>\x00")
    answer = visitor.get("heat", first=given, to=given, last=given, period=given)
    assert answer.status == 200
    assert "<script>" not in answer.html.partition("<main>")[2]


def test_the_explorer_with_write_has_both_processes(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        write(db.table("t"))
    with rs.connect(tmp_path / "db") as db, explore(db, write=True) as page:
        visitor = admit(page)
        assert "writes: none" in visitor.text("heat", period="explorer")
        assert "writes: 1,000 rows" in visitor.text("heat", period="last")
        assert "1,000" in visitor.text("heat", "", period="last")
        assert 'href="/heat?period=explorer"' in visitor.get("heat", "").html
        assert visitor.get("heat", "none", period="last").status == 404


def test_the_reads_of_the_explorer_are_no_traffic_of_the_table(tmp_path: Path) -> None:
    """Regression: after a page of rows, the map of a hot key of the last process named the rows of that page."""
    with rs.connect(tmp_path / "db") as db:
        for name in ("new", "t"):
            db.create_table(name, ["f"], splits=["k5"])
        write(db.table("t"))
        for _ in range(500):
            db.table("t").get("k3")
    with rs.connect(tmp_path / "db") as db, explore(db, write=True) as page:
        visitor = admit(page)
        visitor.get("rows")
        text = visitor.text("heat")
        assert "The last process that used the directory: 500 rows read, 1,000 written." in text
        assert "estimated from its sample" in text.partition("Regions in key order Keys")[2]
        assert "Rows read: at most 500 rows in a region from the first key: 500 rows from k5: 0 rows" in text
        assert re.search("its own reads: [1-9][0-9]* rows read", visitor.text("heat", period="explorer"))
        assert "Since this explorer started" in visitor.text("heat", "new")


def test_a_process_that_worked_before_its_explorer_comes_first(tmp_path: Path) -> None:
    for _ in range(2):
        with rs.connect(tmp_path / "db") as db:
            if "t" not in db.admin.tables.list():
                db.create_table("t", ["f"])
            write(db.table("t"))
            with explore(db) as page:
                assert "Since the database was opened: 0 rows read, 1,000 written." in admit(page).text("heat")


def test_pages_of_live_traffic_say_that_their_own_reads_count(tmp_path: Path) -> None:
    """Regression: SQL over a table lowered the share of its hot key, and the heat map gave no reason."""
    words = "The reads of these pages and of SQL count too."
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        write(db.table("t"))
        with explore(db) as page:
            visitor = admit(page)
            assert [words in visitor.text("heat", name) for name in ("", "t")] == [True, True]
            assert "Traffic" not in visitor.text("heat")
    with rs.connect(tmp_path / "db") as db, explore(db, write=True) as page:
        visitor = admit(page)
        assert [words in visitor.text("heat", name) for name in ("", "t")] == [False, False]
        assert "Traffic" in visitor.text("heat")


def test_a_directory_of_another_process_is_not_followed(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        write(db.table("t"))
    with rs.connect(tmp_path / "db", read_only=True) as db, explore(db) as page:
        answer = admit(page).get("heat")
        assert "writes: 1,000 rows" in answer.text
        assert ("explorer" in answer.text, 'id="follow"' in answer.html) == (False, False)


def test_the_regions_of_a_served_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_heat, "EVERY_SECONDS", 300.0)
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as client:
        client.create_table("t", ["f"], splits=["k5"])
        with explore(client) as page:
            visitor = admit(page)
            assert "t 0 0" in visitor.text("heat", "")
            assert "writes: none" in visitor.text("heat")
            write(server.database.table("t"), hot=b"k9")
            page._site.heat.poll()
            text = visitor.text("heat")
            assert "writes: 1,000 rows" in text
            assert "The servers count by region" in text
            assert "t 0 1,000" in visitor.text("heat", "")
            assert visitor.get("heat", "none").status == 404


def test_tables_that_are_dropped_or_no_longer_viewed_are_not_polled(
    db: rs.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_heat, "_MOST_TABLES", 2)
    source = HeatSource(db, ("servers",))
    for name in ("a", "b", "c"):
        db.create_table(name, ["f"])
        source.find(name, "servers")
    assert sorted(source._watched) == ["b", "c"]
    db.admin.disable_table("b")
    db.admin.drop_table("b")
    source.poll()
    assert sorted(source._watched) == ["c"]
    source._watched["c"].opened_seconds -= _heat.KEPT_SECONDS
    source.poll()
    assert not source._watched
    source.stop()


def test_a_watch_keeps_a_bounded_number_of_polls(db: rs.Database) -> None:
    moments = iter(range(100))
    found = Watch(db, "t", max_polls=3, now=lambda: float(next(moments)))
    for _ in range(5):
        db.table("t").put("k", {"f:q": "v"})
        found.poll()
    assert [window.total for window in found.map(1_000).writes.windows] == [1, 1, 1]


@pytest.mark.parametrize(("count", "boxes"), [(1, 1), (2, 2), (100, 100), (250, 84), (1_000, 100)])
def test_regions_along_the_key_axis_are_bounded(db: rs.Database, count: int, boxes: int) -> None:
    db.create_table("many", ["f"], splits=[f"k{number:04}" for number in range(count - 1)])
    db.table("many").put("k", {"f:q": "v"})
    drawn = key_axis(list(db.admin.metrics.stores("many").sums("region")))
    assert drawn.count("<rect") == 3 * boxes
    assert "from the first key: " in drawn
    assert f"{count - 1:,} split" in drawn


def test_a_table_page_has_its_key_axis(visitor: Visitor, db: rs.Database) -> None:
    db.create_table("s", ["f"], splits=["<b>", "m"])
    html = visitor.get("tables", "s").html
    assert "&lt;b&gt;" in html
    assert "<b>" not in html.partition("<main>")[2]
    assert html.count("<g><title>from ") == 9
