"""Case study of log data with seven row key designs (checklist 215-224)."""

from __future__ import annotations

import pytest
from examples.case_studies.log_data.keys import BUCKETS, designs
from examples.case_studies.log_data.records import records
from examples.case_studies.log_data.study import load
from examples.case_studies.measure import Bench, Report

import rowstone as rs
from tests.checklist import checklist

WEEK, HOST_WEEK, NEWEST, LINE = (
    "a week of all hosts",
    "a week of a host",
    "a host's newest late departure",
    "a line",
)
BY_HOST = ("host first", "newest first", "hashed", "substituted")


def writes(report: Report) -> dict[str, tuple[float, float]]:
    """Share of the hottest region by design: predicted and counted."""
    [grid] = [grid for grid in report.grids if grid.title == "Distribution of writes"]
    return {line[0]: (float(line[2].rstrip("%")) / 100, float(line[3].rstrip("%")) / 100) for line in grid.lines}


@checklist("215", clause="the case study tells the shares of its regions")
def test_predicted_writes_are_counted(log_data: Report) -> None:
    for name, (predicted, counted) in writes(log_data).items():
        assert predicted == pytest.approx(counted, rel=0.05), name


@checklist("216", clause="in a real load the last region takes all")
def test_keys_with_the_time_first_make_one_region_hot(log_data: Report) -> None:
    assert writes(log_data)["time first"] == (1, 1)


@checklist("217", clause="a remainder that never changes spreads nothing")
def test_buckets_spread_only_what_changes(log_data: Report) -> None:
    shares = writes(log_data)
    assert shares["16 buckets"] == (1, 1)
    assert shares[f"{BUCKETS} buckets"][1] < 1.5 / BUCKETS


@checklist("218", clause="in a real load too")
def test_a_time_range_takes_one_scan_per_bucket(log_data: Report) -> None:
    time_first, bucketed = log_data.cost(WEEK, "time first"), log_data.cost(WEEK, "17 buckets")
    assert (time_first.calls, bucketed.calls) == (1, BUCKETS)
    assert time_first.rows == bucketed.rows == time_first.wanted
    for name in BY_HOST:
        assert log_data.cost(WEEK, name).rows == log_data.store(name).rows, "a full scan"


@checklist("219", clause="a host reads its own rows only")
def test_keys_with_the_host_first_read_one_range_per_kind(log_data: Report) -> None:
    for name in BY_HOST:
        cost = log_data.cost(HOST_WEEK, name)
        assert (cost.calls, cost.rows) == (3, cost.wanted), "a range for each kind of event"
    assert log_data.cost(HOST_WEEK, "time first").rows > 10 * log_data.cost(HOST_WEEK, "host first").rows


@checklist("220", clause="one row is read for it")
def test_the_newest_line_of_a_host(log_data: Report) -> None:
    for name in BY_HOST:
        assert (log_data.cost(NEWEST, name).calls, log_data.cost(NEWEST, name).rows) == (1, 1)
    assert log_data.cost(NEWEST, "time first").rows > 1


def test_a_line_is_read_with_one_get(log_data: Report) -> None:
    assert {cost.calls for cost in log_data.costs if cost.query == LINE} == {1}


@checklist("222", clause="a real load has 40 bytes a key")
@checklist("223", clause="a real load has 24 bytes a key")
def test_hashes_and_numbers_have_a_fixed_length(log_data: Report) -> None:
    [grid] = [grid for grid in log_data.grids if grid.title == "Distribution of writes"]
    lengths = {line[0]: line[-1] for line in grid.lines}
    assert (lengths["hashed"], lengths["substituted"]) == ("40.0", "24.0")


@checklist("224", clause="hosts and events are columns too")
def test_hashed_lines_keep_their_names() -> None:
    lines = records(300)
    with rs.connect(":memory:") as db:
        key = designs(db)["hashed"]
        load(Bench(db, Report("", "", "")), "hashed", key, lines, ())
        with db.table("hashed").scan() as rows:
            found = {(key.decode(row.key).at, row["d:h"].decode(), row["d:e"].decode()) for row in rows}
    assert found == {(one.at, one.host, one.event) for one in lines}
