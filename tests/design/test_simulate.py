"""The simulator's predictions for a key match a table with that key."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas
import pytest

import rowstone as rs
from rowstone import errors, keys
from rowstone.keys import Key, KeyedTable, startswith
from rowstone.schema import design
from tests.checklist import checklist

TIME, HOST = keys.time("at"), keys.text("host")
DESIGNS = {
    "time first": Key(TIME, HOST),
    "bucketed": Key(keys.bucket(8, of="at"), TIME, HOST),
    "host first": Key(HOST, TIME),
    "newest first": Key(HOST, keys.reverse_time("at")),
    "hashed": Key(keys.md5_prefix(2, of="host"), HOST, TIME),
    "salted": Key(keys.salt(6), TIME, HOST),
    "random": Key(keys.fixed_bytes("id", 8)),
}
QUERIES: dict[str, dict[str, Any]] = {
    "a host's while": {"host": "web07", "at": (1_050_000, 1_080_000)},
    "a while": {"at": (1_050_000, 1_080_000)},
    "some hosts": {"host": startswith("web0")},
    "an event": {"event": "stop"},
}


def test_a_simulation_maps_names_to_designs() -> None:
    rows = [{"at": at} for at in range(100)]
    found = design.simulate({"time": Key(keys.time("at")), "salted": Key(keys.salt(4), keys.time("at"))}, rows)
    assert list(found) == ["time", "salted"]
    assert "time" in found
    assert "hashed" not in found
    assert list(found.values()) == list(found.designs)


def log(count: int = 4_000) -> list[dict[str, Any]]:
    """Rows of a log, in the order of time."""
    draw = random.Random(216)
    return [
        {
            "at": 1_000_000 + 60 * number,
            "host": f"web{draw.randrange(24):02}",
            "event": draw.choice(["start", "stop"]),
            "id": draw.randbytes(8),
        }
        for number in range(count)
    ]


ROWS = log()
FOUND = design.simulate(DESIGNS, ROWS, queries=QUERIES)


def loaded(db: rs.Database, one: design.Design, rows: list[dict[str, Any]]) -> KeyedTable:
    """A real table of that design, with the rows in it."""
    db.create_table("t", ["d"], splits=list(one.splits))
    keyed = KeyedTable(db.table("t"), one.key)
    for row in rows:
        keyed.put({name: row[name] for name in one.key.fields}, {"d:event": row["event"]})
    return keyed


@pytest.mark.parametrize("name", DESIGNS)
def test_a_real_load_shows_the_shares_that_were_predicted(name: str) -> None:
    one = FOUND[name]
    with rs.connect(":memory:") as db:
        written = ROWS[len(ROWS) // 10 :]
        table = loaded(db, one, written).table
        regions = db.admin.regions.list("t")
        assert [region.start_key for region in regions] == [b"", *one.splits]
        counts = [len(list(table.scan(region.start_key or None, region.end_key or None))) for region in regions]
    assert [count / len(written) for count in counts] == pytest.approx(one.shares, abs=0.001)


@pytest.mark.parametrize("name", DESIGNS)
def test_real_scans_touch_the_rows_that_were_predicted(name: str) -> None:
    one = FOUND[name]
    with rs.connect(":memory:") as db:
        keyed = loaded(db, one, ROWS)
        for query, cost in one.costs.items():
            where = {part: wanted for part, wanted in QUERIES[query].items() if part in one.key.fields}
            if cost.is_full_scan:
                assert cost.rows_touched == len(ROWS)
                continue
            # A key that cannot use all conditions is queried with those that it can use.
            usable = {"at": where["at"]} if one.key.fields[0] == "at" else where
            with keyed.scan(usable) as scan:
                assert (scan.scan_count, len(list(scan))) == (cost.scans, cost.rows_touched), query


def test_rows_returned_are_those_that_fit() -> None:
    expected = sum(row["host"] == "web07" and 1_050_000 <= row["at"] < 1_080_000 for row in ROWS)
    assert {one.costs["a host's while"].rows_returned for one in FOUND.designs} == {expected}
    assert FOUND["host first"].costs["a host's while"].rows_touched == expected
    assert FOUND["newest first"].costs["a host's while"].rows_touched == expected


@checklist("160", clause="of times the hottest region takes 100 %")
@checklist("216", clause="100 % in the last region")
def test_keys_that_grow_go_to_one_region() -> None:
    one = FOUND["time first"]
    assert one.shares == (0,) * 9 + (1,)
    assert (one.hottest, one.hottest_at_a_time, one.unreached) == (1, 1, 9)


@checklist("161", clause="of random keys no region takes more than 1.3 fair shares")
@checklist("161", clause="a query by time is a full scan")
def test_random_keys_spread_and_find_nothing() -> None:
    rows = log(20_000)
    one = design.simulate({"random": DESIGNS["random"]}, rows, queries=QUERIES)["random"]
    assert max(one.shares) <= 1.3 / len(one.shares)
    assert one.unreached == 0
    assert one.costs["a while"].is_full_scan
    assert one.costs["a while"].rows_touched == len(rows)


@checklist("163", clause="the hot region moves: each takes all writes for a while")
def test_the_hot_region_moves() -> None:
    bounds = [keys.time("at").encode(1_000_000 + 60 * 400 * part) for part in range(1, 10)]
    one = design.simulate({"time": DESIGNS["time first"]}, ROWS, splits=bounds, windows=36)["time"]
    assert max(one.shares) < 0.12
    assert one.hottest_at_a_time > 0.97


@checklist("165", clause="with 200 metrics no region takes 5 %")
def test_metrics_before_times_spread() -> None:
    draw = random.Random(165)
    rows = [{"metric": f"metric{draw.randrange(200):03}", "at": number} for number in range(20_000)]
    key = Key(keys.text("metric"), keys.time("at"))
    one = design.simulate({"metric first": key}, rows, regions=40)["metric first"]
    assert len(one.shares) == 40
    assert max(one.shares) < 0.05


@checklist("159", clause="a report shows the part of keys")
@checklist("170", clause="what the key weighs in every cell is told")
@checklist("221", clause="short names against long ones")
def test_long_keys_weigh() -> None:
    short = [{"host": "a", "event": "e1", "at": number, "d": "value"} for number in range(100)]
    names = {"host": "myserver1.mycompany.com", "event": "com.package1.subpackage2.subsubpackage3.ImportantService"}
    long = [{**row, **names} for row in short]
    key = Key(HOST, keys.text("event"), TIME)
    light, heavy = (design.simulate({"k": key}, rows)["k"] for rows in (short, long))
    assert light.key_bytes == 1 + 1 + 2 + 1 + 8
    assert heavy.key_bytes - light.key_bytes == sum(map(len, names.values())) - 3
    assert light.key_share < heavy.key_share < 1


def test_it_prints_tables_frames_and_pictures() -> None:
    text = str(FOUND)
    lines = text.splitlines()
    assert lines[0].split()[:4] == ["design", "regions", "hottest", "region"]
    assert next(line for line in lines if line.startswith("time first")).split()[2:5] == ["10", "100.0%", "100.0%"]
    assert "FULL SCAN" in text
    frame = FOUND.pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.index) == list(DESIGNS)
    assert (
        frame.loc["host first", "a host's while: rows touched"] == frame.loc["hashed", "a host's while: rows touched"]
    )
    root = ElementTree.fromstring(design.simulate({"<&>": DESIGNS["salted"]}, ROWS).svg())
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sample": ROWS[:19]}, "a sample of 19 rows"),
        ({"keys": {}}, "no key to try"),
        ({"windows": 0}, "0 windows"),
        ({"sample": [*ROWS[:30], {"at": 1}]}, "row 31 of the sample: 'host' is missing"),
        ({"sample": [*ROWS[:30], {"at": "soon", "host": "a"}]}, "row 31 of the sample: .*not str"),
        ({"sample": [{"at": "soon", "host": "a"}] * 30, "from_text": True}, "row 1 of the sample"),
    ],
)
def test_invalid_simulations_are_refused(arguments: Mapping[str, Any], message: str) -> None:
    given = {"keys": {"k": DESIGNS["time first"]}, "sample": ROWS[:50], **arguments}
    with pytest.raises(errors.InvalidArgument, match=message):
        design.simulate(given.pop("keys"), given.pop("sample"), **given)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from rowstone.cli import main; main()", "design", "simulate", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_command_reads_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sample.csv"
    lines = [f"{row['at']},{row['host']},{row['event']}" for row in ROWS[:1000]]
    file.write_text("\n".join(["at,host,event", *lines]))
    picture = tmp_path / "hot.svg"
    grow, salted = "time('at'), text('host')", "salt(4), time('at'), text('host')"
    options = ["--query", "while: at=1010000..1020000, host=web1*", "--svg", str(picture)]
    done = run(str(file), "--key", grow, "--key", salted, *options)
    assert done.returncode == 0, done.stderr
    typed = design.simulate(
        {grow: keys.parse_key(grow), salted: keys.parse_key(salted)},
        [{name: row[name] for name in ("at", "host", "event")} for row in ROWS[:1000]],
        queries={"while": {"at": (1_010_000, 1_020_000), "host": startswith("web1")}},
    )
    assert done.stdout == f"{typed}\n"
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


@pytest.mark.parametrize("text", ["at,host\n1,a\n2\n", "at,host\n1,a,b\n", 'at,host\n1,"a\n'])
def test_a_broken_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "sample.csv"
    file.write_text(text)
    done = run(str(file), "--key", "time('at')")
    assert done.returncode == 2
    assert "sample.csv', line" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--key", "open('x')"], "is not a part of a key"),
        (["--key", "time('when')"], "'when' is missing"),
        (["--key", "time('at')", "--query", "all"], "is not of the form"),
        (["--key", "time('at')", "--query", "q: at=soon"], "soon"),
    ],
)
def test_the_command_says_what_is_wrong(tmp_path: Path, options: list[str], message: str) -> None:
    file = tmp_path / "sample.csv"
    file.write_text("\n".join(["at,host", *(f"{number},a" for number in range(30))]))
    done = run(str(file), *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
