"""``rowstone top``: sizes of regions, and their activity between two refreshes."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

import rowstone as rs
from rowstone import StoreReport, StoreStats
from rowstone.cli.commands.top import By, page, poll, read_report
from tests.python.test_tools import rowstone


def text_of(before: StoreReport, now: StoreReport, seconds: float = 2.0) -> list[list[str]]:
    """The cells of the page's lines."""
    console = Console(width=200, record=True, force_terminal=False)
    with console.capture() as captured:
        console.print(page(before, now, seconds, "db"))
    lines = [line for line in captured.get().splitlines() if "│" in line or "┃" in line]
    return [[cell.strip() for cell in line.replace("┃", "│").split("│")[1:-1]] for line in lines]


def test_a_directory_is_looked_at_beside_its_writer(tmp_path: Path) -> None:
    directory = str(tmp_path / "db")
    with rs.connect(directory) as db:
        db.create_table("t", ["f", "g"], splits=["m"])
        for row in ("a", "b", "x"):
            db.table("t").put(row, {"f:q": "1", "g:q": "2"})
        db.admin.flush("t")
        every = poll(directory, None, By.region, 0.1)
        before, now, _ = next(every)
        assert before == now
        assert [(one.start_key, one.store_file_cells) for one in now] == [(b"", 4), (b"m", 2)]
        db.table("t").put("y", {"f:q": "1"})
        db.admin.flush("t")
        before, now, seconds = next(every)
        assert seconds >= 0.1
        assert [one.store_file_cells for one in now] == [4, 3]
        shown = rowstone("top", directory, "--once", "--by", "family")
        assert [line.split()[:2] for line in shown.splitlines()[1:]] == [["t", "f"], ["t", "g"]]
        assert read_report(directory, "t") == read_report(directory, None)


def test_a_page_shows_the_busiest_first_with_rates_and_sizes() -> None:
    def store(start: bytes, reads: int, size: int) -> StoreStats:
        return StoreStats("t", start.hex(), start, None, region_reads=reads, store_file_bytes=size, store_files=1)

    before = StoreReport([store(b"", 10, 5), store(b"m", 10, 3 << 20), store(b"\x00x", 10, 2048)])
    now = StoreReport([store(b"", 10, 5), store(b"m", 10, 3 << 20), store(b"\x00x", 30, 2048)])
    heading, *lines = text_of(before, now)
    assert heading[:3] == ["table", "start key", "reads/s"]
    column = heading.index("files")
    assert [(line[1], line[2], line[column]) for line in lines] == [
        ("\\x00x", "10", "2.0 KiB"),
        ("m", "0", "3.0 MiB"),
        ("", "0", "5 B"),
    ]


def test_a_long_page_says_how_many_lines_are_left_out() -> None:
    report = StoreReport(StoreStats(f"t{number:03}", None, None, None, store_files=1) for number in range(50))
    assert page(report, report, 1.0, "db").caption == "10 more"
    assert len(text_of(report, report)) == 41
