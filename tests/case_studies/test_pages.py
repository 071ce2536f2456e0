"""Pages of the case studies: each study has one with its measurements, and the command writes them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from examples.case_studies.__main__ import STUDIES
from examples.case_studies.measure import pages
from examples.case_studies.measure.pages import BEGIN, END

from tests.case_studies.conftest import report_of
from tests.python.structure import ROOT


@pytest.mark.parametrize("name", STUDIES)
def test_a_report_has_storage_costs_and_advice(name: str) -> None:
    report = report_of(name)
    text = str(report)
    for heading in ("Storage", "Cost of queries", "Which design to choose", "Advice of `rowstone advise`"):
        assert heading in text
    assert {cost.design for cost in report.costs} == {one.design for one in report.stored}
    assert all(why for _, why in report.advice)


@pytest.mark.parametrize("name", STUDIES)
def test_a_page_has_the_current_designs_and_queries(name: str) -> None:
    report = report_of(name)
    page = (pages.FOLDER / f"{report.name}.md").read_text()
    measured = page[page.index(BEGIN) : page.index(END)]
    for one in report.stored:
        assert f"| {one.design} |" in measured
    for cost in report.costs:
        assert f"| {cost.query} | {cost.design} |" in measured
    drawn = ElementTree.parse(pages.FOLDER / f"{report.name}.svg").getroot()
    assert {cost.design for cost in report.costs} <= {element.text for element in drawn.iter()}


def test_new_measurements_replace_the_old_ones(tmp_path: Path) -> None:
    report = report_of("orders")
    page = tmp_path / "orders.md"
    page.write_text(f"# Before\n\n{BEGIN}\nof yore\n{END}\n\nafter\n")
    for _ in range(2):
        pages.write(report, tmp_path)
    text = page.read_text()
    assert text.startswith("# Before\n\n")
    assert text.endswith(f"{END}\n\nafter\n")
    assert "of yore" not in text
    assert text.count(BEGIN) == 1
    page.write_text("no marks")
    with pytest.raises(ValueError, match=re.escape(BEGIN)):
        pages.write(report, tmp_path)


def test_the_command_runs_a_study_and_rejects_unknown_names() -> None:
    command = [sys.executable, "-m", "examples.case_studies"]
    done = subprocess.run([*command, "orders", "--small"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Which design to choose" in done.stdout
    done = subprocess.run([*command, "nothing"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "there is no study 'nothing'" in done.stderr
