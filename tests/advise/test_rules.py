"""Every rule fires on a bad example and is silent on a good one that it has inspected."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rowstone.schema.advise import rules
from tests.advise.case import Case, report_on
from tests.advise.examples import access, families, keys, regions, storage, values, versions

EXAMPLES: dict[str, Callable[[bool], Case]] = {
    name: example
    for module in (access, families, keys, regions, storage, values, versions)
    for name, example in module.EXAMPLES.items()
}


def test_there_are_the_46_rules_and_each_has_an_example() -> None:
    codes = [rule.code for rule in rules()]
    assert codes == [f"L{number:02}" for number in range(1, 47)]
    assert sorted({name[:3] for name in EXAMPLES}) == codes


def test_every_rule_says_why_who_and_what_to_do() -> None:
    for rule in rules():
        assert all((rule.name, rule.reason, rule.source, rule.remedy)), rule.code
    assert len({rule.name for rule in rules()}) == 46


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_it_fires_on_the_bad_example(name: str) -> None:
    report = report_on(EXAMPLES[name](True), name[:3])
    found = [advice for advice in report if advice.code == name[:3]]
    assert len(found) == 1, str(report)
    assert found[0].table == "t"
    assert found[0].message


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_it_is_silent_on_the_good_example(name: str) -> None:
    report = report_on(EXAMPLES[name](False), name[:3])
    assert [str(advice) for advice in report if advice.code == name[:3]] == []
    assert name[:3] not in report.silent


def test_one_cell_of_the_future_is_not_plural() -> None:
    [found] = [one for one in report_on(versions.future_timestamps(True), "L22") if one.code == "L22"]
    assert found.message.startswith("1 cell has a timestamp in the future, up to ")
    assert found.message.endswith(" UTC)")
