"""Case study of user activity with five index strategies: answers, rows read and rows missed (checklist 203-209)."""

from __future__ import annotations

from examples.case_studies.measure import Report
from examples.case_studies.user_activity.strategies import STRATEGIES

from tests.checklist import checklist

HOUR, SUMS = "an hour of all users", "rows and miles of that day"


def lines(report: Report, title: str) -> dict[str, tuple[str, ...]]:
    """The lines of a table of the report, by design."""
    [grid] = [grid for grid in report.grids if grid.title == title]
    return {line[0]: tuple(line[1:]) for line in grid.lines}


@checklist("203", clause="in the case study too")
def test_every_strategy_answers_alike(user_activity: Report) -> None:
    """The study asserts that the answers are equal; this test asserts that all queries ran."""
    for query in (HOUR, "a day of all users", SUMS):
        costs = [user_activity.cost(query, name) for name in STRATEGIES]
        assert len({cost.wanted for cost in costs}) == 1
        assert costs[0].wanted


def test_an_index_reads_matching_rows_and_a_filter_all_rows(user_activity: Report) -> None:
    wanted = user_activity.cost(HOUR, "filter").wanted
    assert wanted is not None
    rows = {name: user_activity.cost(HOUR, name).rows for name in STRATEGIES}
    assert rows.pop("filter") == user_activity.store("filter").rows > 10 * wanted
    assert set(rows.values()) == {2 * wanted}, "an entry and its row"


def test_a_summary_answers_a_day_from_one_row(user_activity: Report) -> None:
    assert user_activity.cost(SUMS, "summary").rows == 1
    assert user_activity.cost(SUMS, "dual").rows > 100


def test_periodic_indexes_miss_later_rows_until_rebuilt(user_activity: Report) -> None:
    later = lines(user_activity, "100 rows written later")
    behind = {name: (line[1], line[2]) for name, line in later.items()}
    assert behind["periodic"] == behind["summary"] == ("100", "0")
    assert behind["filter"] == behind["dual"] == behind["coprocessor"] == ("0", "100")
    assert {line[4:] for line in later.values()} == {("100", "0")}, "all of them catch up, and then none differs"


def test_entries_take_space_and_writes(user_activity: Report) -> None:
    takes = lines(user_activity, "Size of the indexes")
    assert takes["filter"] == ("0", "0", "1.00")
    assert all(float(line[2]) > 1.2 for name, line in takes.items() if name != "filter")
