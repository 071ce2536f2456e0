"""Pages of the studies: replaces the measured part between two marks, and the picture."""

from __future__ import annotations

import re
from pathlib import Path

from examples.case_studies.measure.picture import svg
from examples.case_studies.measure.report import Report

FOLDER = Path(__file__).parents[3] / "docs/explanation/case-studies"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def write(report: Report, folder: Path = FOLDER) -> None:
    """Writes the measurements into ``<name>.md`` and the picture into ``<name>.svg``.

    Raises:
        ValueError: The page has no such marks.
    """
    page = folder / f"{report.name}.md"
    text = page.read_text(encoding="utf-8")
    found = re.search(f"{BEGIN}.*{END}", text, re.DOTALL)
    if found is None:
        raise ValueError(f"{page} has no '{BEGIN}' and '{END}'")
    tables = "\n\n".join(grid.markdown() for grid in report.all_grids())
    picture = f"![rows read per question and design]({report.name}.svg)"
    measured = f"{BEGIN}\n{report.data}\n\n{picture}\n\n{tables}\n{END}"
    page.write_text(text[: found.start()] + measured + text[found.end() :], encoding="utf-8")
    drawn = svg(f"{report.title}: rows read", report.costs)
    (folder / f"{report.name}.svg").write_text(drawn, encoding="utf-8")
