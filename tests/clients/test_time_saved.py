"""The classes that count in the table of `tests.clients.apache.time_saved`, and the table's figures."""

from __future__ import annotations

import pytest

from tests.clients.apache.results import Outcome
from tests.clients.apache.time_table import Run, report


def run(seconds: float, **tests: str) -> Run:
    return Run(seconds, 1.0, {("", test): Outcome(status) for test, status in tests.items()})


def test_a_row_has_medians_and_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    mini_cluster = [run(seconds, one="pass", two="pass") for seconds in (40.0, 30.0, 50.0)]
    rowstone = [run(seconds, one="pass", two="pass") for seconds in (5.0, 4.0, 7.0)]
    assert report({"TestX": (mini_cluster, rowstone)}) == 0
    assert "| `TestX` | 2 | 40.0 (30.0–50.0) | 5.0 (4.0–7.0) | 35.0 | 1.0, 1.0 |" in capsys.readouterr().out


@pytest.mark.parametrize("tests", [{"one": "fail"}, {"two": "pass"}, {}], ids=["failed", "other", "none"])
def test_a_class_counts_only_if_the_same_tests_pass(tests: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    runs = {"TestX": ([run(40.0, one="pass")], [run(5.0, **tests)]), "TestY": ([run(9.0)], [run(1.0)])}
    assert report(runs) == 1
    assert "|" not in capsys.readouterr().out
