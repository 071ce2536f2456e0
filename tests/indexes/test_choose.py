"""Choice of an index: each of the five answers matters, and the choice states its reason."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from rowstone.cli.schemas.design import app
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.indexes import choose
from rowstone.indexes._definition import STRATEGIES
from tests.checklist import checklist

SMALL = {
    "users": 1,
    "rows": 1e6,
    "rows_per_second": 100,
    "reports": "ad-hoc",
    "answer_seconds": 90,
    "spare_cores": 1,
}
LARGE = {**SMALL, "rows": 2e9, "stale_seconds": 3600}


@checklist("204", clause="each of the five answers can change the choice")
@pytest.mark.parametrize(
    ("use", "strategy"),
    [
        (SMALL, "filter"),
        # Users: each scan takes a core.
        ({**SMALL, "rows": 8e7}, "filter"),
        ({**SMALL, "rows": 8e7, "users": 4}, "coprocessor"),
        # Size, and how fast it grows.
        ({**SMALL, "rows": 2e9}, "coprocessor"),
        (LARGE, "periodic"),
        ({**LARGE, "rows_per_second": 30_000}, "coprocessor"),
        # Each rebuild may read all of it.
        ({**LARGE, "stale_seconds": 60}, "coprocessor"),
        # Required flexibility of reports.
        ({**LARGE, "reports": "fixed"}, "summary"),
        # Required latency of an answer.
        ({**SMALL, "answer_seconds": 0.1}, "coprocessor"),
        ({**LARGE, "answer_seconds": 3600}, "filter"),
        # Processing power.
        ({**SMALL, "rows": 8e7, "users": 4, "spare_cores": 4}, "filter"),
        ({**LARGE, "rows_per_second": 30_000, "spare_cores": 0.5}, "dual"),
        # And what is not among the five.
        ({**SMALL, "rows": 2e9, "place": "cluster"}, "dual"),
    ],
)
def test_each_answer_changes_the_choice(use: dict[str, Any], strategy: str) -> None:
    found = choose(**use)
    assert (found.strategy, found.fits) == (strategy, True)


@checklist("204", clause="the choice is explained")
def test_the_choice_is_explained() -> None:
    found = choose(**LARGE)
    assert sorted(verdict.strategy for verdict in found.verdicts) == sorted(STRATEGIES)
    assert all(verdict.why for verdict in found.verdicts)
    assert found.why == next(verdict.why for verdict in found.verdicts if verdict.strategy == "periodic")
    assert str(found).splitlines()[:2] == [
        "periodic: a rebuild every 3,600 s takes up to 0.56 cores, of 1 to spare",
        "- filter: 2,000,000,000 rows read for 1 user on 1 core take 2,000 s, and 90 s is wanted",
    ]
    assert "<caption" in found._repr_html_()


def test_requirements_that_no_strategy_meets_are_reported() -> None:
    found = choose(**{**SMALL, "rows": 2e9, "rows_per_second": 1e6})
    assert (found.strategy, found.fits) == ("coprocessor", False)
    assert found.why.startswith("none of the five does all of it")
    assert "1,000,000 rows a second" in found.why


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"users": 0}, InvalidArgument, "users must be from 1 to"),
        ({"rows": float("nan")}, InvalidArgument, "rows must be from 0 to"),
        ({"reports": "any"}, InvalidArgument, "reports must be one of fixed, ad-hoc, not 'any'"),
        ({"place": "moon"}, InvalidArgument, "place must be one of directory, cluster"),
        ({"spare_cores": 0}, InvalidArgument, "spare_cores must be above 0"),
        ({"rows": 10**400}, InvalidArgument, "rows must be from 0 to 1e18"),
        ({"users": 1.5}, InvalidArgument, "users must be a whole number, not 1.5"),
        ({"rows": "many"}, InvalidType, "rows must be a number, not str"),
        ({"users": True}, InvalidType, "users must be a number, not bool"),
    ],
)
def test_wrong_answers_are_named(wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        choose(**{**SMALL, **wrong})


@checklist("204", clause="the command asks for the five")
def test_the_command_asks_for_what_is_not_given() -> None:
    done = CliRunner().invoke(app, ["index", "--users", "1"], input="1e6\n100\nadhoc\nad-hoc\n90\n1\n0\ndirectory\n")
    assert done.exit_code == 0
    asked = ("rows the table has", "Rows written a second", "Reports:", "answer may take", "Cores with", "may be old")
    assert [words for words in (*asked, "Where it is") if words not in done.output] == []
    # A wrong word is refused where it is said.
    assert "'adhoc' is not one of" in done.output
    assert "filter: 1,000,000 rows read" in done.stdout
