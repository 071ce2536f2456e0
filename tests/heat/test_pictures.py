"""The map in the terminal, as SVG and PNG, and the command."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rowstone as rs
from rowstone.schema.heat import HeatMap
from rowstone.schema.heat._map import heat_map
from rowstone.schema.heat._places import Places
from rowstone.schema.heat._side import Window


def window(slot: int, *rows: tuple[bytes, float]) -> Window:
    return Window(1_000 + slot * 250, 250, round(sum(weight for _, weight in rows)), rows)


@pytest.fixture
def diagonal() -> HeatMap:
    """In each of twelve windows another range is written; the fifth is missing."""
    writes = [window(slot, (f"row<{slot:02}>".encode(), 10.0)) for slot in range(12) if slot != 4]
    return heat_map("t", [], writes)


def test_the_terminal_shows_keys_downwards_and_time_to_the_right(diagonal: HeatMap) -> None:
    lines = str(diagonal).splitlines()
    assert lines[0] == "reads: none"
    assert lines[2] == "writes: 110 rows in 3 s"
    marks = [line.index("█") for line in lines if "█" in line]
    assert marks == sorted(marks)
    assert marks[-1] - marks[0] == 11
    assert lines[-1].startswith("sequential: keys go up")


def test_the_svg_is_well_formed_and_names_keys_and_patterns(diagonal: HeatMap) -> None:
    root = ElementTree.fromstring(diagonal.svg())
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "row<00>" in texts
    assert any(text.startswith("sequential") for text in texts)
    cells = root.find(".//*[@class='cells']")
    assert cells is not None
    assert len(cells) == 1 + 11
    assert [texts.count(text) for text in ("first key", "last key", "0", "10 rows in a box")] == [1, 1, 1, 1]


def test_times_have_fractions_if_the_windows_are_short() -> None:
    """Regression: both ends of the time axis of a short program were the same second."""
    drawn = heat_map("t", [], [window(0, (b"r", 1.0))]).svg()
    assert [text in drawn for text in ("00:00:01.000 UTC", "00:00:01.250 UTC", "a column is 250 ms")] == [True] * 3
    long = heat_map("t", [], [Window(0, 1_000, 1, ((b"r", 1.0),))]).svg()
    assert [text in long for text in ("00:00:00 UTC", "00:00:01 UTC", "a column is 1 s")] == [True] * 3


def test_long_keys_are_cut_between_two_bytes() -> None:
    """Regression: a binary key was cut within an escape."""
    found = heat_map("t", [], [window(0, (b"web1\x00\x7f\xff\xfet0\x18\x00end", 1.0))])
    assert ">web1\\x00\\x7F\\xFF\\xFEt0\\x18…</text>" in found.svg()
    assert "1 row in a box" in found.svg()
    assert "web1\\x00\\x7F\\xFF\\xFEt0…" in str(found)


def test_numbers_of_a_sample_are_said_to_be_estimates() -> None:
    """Regression: 417, which one sampled row stands for, was shown as if rows had been counted."""
    rows = tuple((f"k{number:02}".encode(), 417.3) for number in range(24))
    found = heat_map("t", [Window(0, 250, 10_015, rows)], [Window(0, 250, 1, ((b"k05", 1.0),))], is_sample=True)
    assert "reads: 10,015 rows" in found.svg()
    assert "about 835 rows in a box" in found.svg()
    part = found.zoom(b"k03", b"k06")
    assert (part.reads.total_text, part.writes.total_text) == ("about 1,250 rows", "1 row")
    assert str(part).startswith("reads: about 1,250 rows in 250 ms")
    none = found.zoom(b"k03x", b"k04")
    assert (none.reads.total_text, none.writes.total_text) == ("too few to be sampled", "none")
    assert [found.zoom(last_seconds=1).reads.total_text, part.start, part.stop] == ["10,015 rows", b"k03", b"k06"]
    assert (found.reads.number_text(0), found.writes.number_text(0)) == ("", "0")
    assert heat_map("t", found.reads.windows, []).zoom(b"k03", b"k06").reads.total_text == "1,252 rows"


def test_few_sampled_rows_show_no_pattern() -> None:
    """Regression: three sampled rows of a thousand were "even"."""
    rows = ((b"a", 400.0), (b"b", 400.0), (b"c", 400.0))
    assert heat_map("t", [], [window(0, *rows)]).writes.patterns
    assert not heat_map("t", [], [window(0, *rows)], is_sample=True).writes.patterns


@pytest.mark.parametrize("slots", [1, 12, 480])
def test_the_map_has_the_same_width_for_any_number_of_windows(slots: int) -> None:
    """Regression: a map of few windows filled a quarter of the picture, and its two times nearly touched."""
    drawn = heat_map("t", [], [window(slot, (b"r", 1.0)) for slot in range(slots)]).svg()
    cells = ElementTree.fromstring(drawn).find(".//*[@class='cells']")
    assert cells is not None
    ground, *boxes = cells
    assert float(boxes[-1].get("x", 0)) + float(boxes[-1].get("width", 0)) == pytest.approx(840, abs=3)
    assert (ground.get("x"), ground.get("width")) == ("200", "640")


def test_the_png_is_one(diagonal: HeatMap) -> None:
    data = diagonal.png()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    place, chunks = 8, {}
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        content = data[place + 8 : place + 8 + length]
        assert struct.unpack(">I", data[place + 8 + length : place + 12 + length]) == (zlib.crc32(kind + content),)
        chunks[kind] = content
        place += 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == height * (1 + 3 * width)
    # The first window's range is the darkest there is, in the upper left of the writes.
    assert bytes((84, 0, 33)) in pixels[: 1 + 3 * width]


def test_nothing_has_pictures_too() -> None:
    nothing = heat_map("t", [], [])
    assert str(nothing) == "reads: none\n\nwrites: none"
    assert ElementTree.fromstring(nothing.svg()).tag.endswith("svg")
    assert nothing.png().startswith(b"\x89PNG")


def test_places_go_by_the_bytes_that_come() -> None:
    rows = [f"user{number:04}".encode() for number in range(10_000)]
    places = Places(rows)
    found = [places.of(row) for row in rows]
    assert found == pytest.approx([number / 10_000 for number in range(10_000)])
    sparse = Places([b"EWR1", b"JFK1", b"LGA1"])
    assert [sparse.of(row) for row in (b"EWR1", b"JFK1", b"LGA1")] == pytest.approx([0, 1 / 3, 2 / 3], abs=0.3)
    assert Places([b"a", b"ab", b"b"]).of(b"a") < Places([b"a", b"ab", b"b"]).of(b"ab")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from rowstone.cli import main; main()", "heatmap", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_command_shows_a_directory_s_last_use(tmp_path: Path) -> None:
    place = str(tmp_path / "db")
    with rs.connect(place) as db:
        db.create_table("t", ["f"])
        for number in range(2_000):
            db.table("t").put(f"row{number % 50:02}", {"f:q": ""})
        expected = str(db.admin.metrics.heat_map("t"))
    svg, png = tmp_path / "t.svg", tmp_path / "t.png"
    done = run(place, "t", "--svg", str(svg), "--png", str(png))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{expected}\n"
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert run(f"{place}/HEAT", "t").stdout == done.stdout


def test_the_command_watches_a_server() -> None:
    with rs.testing.server() as url:
        with rs.connect(url) as db:
            db.create_table("t", ["f"])
        done = run(url, "t", "--seconds", "0.2")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "reads: none\n\nwrites: none\n"


@pytest.mark.parametrize(("arguments", "message"), [(("nowhere", "t"), "is not there"), ((".", "t"), "HEAT")])
def test_the_command_says_what_is_missing(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run(str(tmp_path / arguments[0]), arguments[1])
    assert done.returncode == 3
    assert message in done.stderr
    assert "Traceback" not in done.stderr
