"""Every kind of page in light and dark, on a wide and on a small screen: axe-core finds nothing serious in it.

With ROWSTONE_PAGE_PICTURES=FOLDER each is also a screenshot.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dashboard.browser.journeys.conftest import visit_of
from tests.dashboard.browser.journeys.plan import ADDRESS, click, section
from tests.dashboard.browser.journeys.targets import Target
from tests.dashboard.browser.journeys.world import EVENTS, FILES, LAYOUT
from tests.dashboard.browser.visit import Visit

AXE = Path(__file__).parents[4] / ".venv/browser/node_modules/axe-core/axe.min.js"
PICTURES = os.environ.get("ROWSTONE_PAGE_PICTURES")
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html + " " + node.failureSummary)])"""
LOOKS = {
    "light": (1180, "light"), "dark": (1180, "dark"), "small": (390, "light"), "small dark": (390, "dark"),
}  # fmt: skip
GRACE = "key=grace&column=info%3Aname"
PLACES = {
    "tables": "tables",
    "table": f"tables/{ADDRESS}",
    "snapshots": "snapshots",
    "rows as a grid": f"rows/{ADDRESS}?prefix=c",
    "rows line by line": f"rows/{ADDRESS}?from=grace",
    "parts of keys": f"rows/{EVENTS}?layout={LAYOUT}",
    "a limit": f"rows/{FILES}",
    "no rows": f"rows/{ADDRESS}?prefix=none",
    "wrong filter": f"rows/{ADDRESS}?filter=ValueFilter(",
    "row": f"row/{ADDRESS}?key=grace&missing=visits:last",
    "compare": f"compare/{ADDRESS}?key=c0001&with=c0051",
    "cell": f"cell/{ADDRESS}?{GRACE}",
    "image": f"cell/{ADDRESS}?key=grace&column=info:photo",
    "scan": f"scan/{ADDRESS}?prefix=c",
    "unknown table": "rows/none",
    "sql": f"sql/{ADDRESS}",
    "edit": f"edit/{ADDRESS}?{GRACE}",
}
_SUBJECTS = "requests slow compactions memory cache heat configuration tables"
SERVER = {name: name for name in ("", *_SUBJECTS.split(), f"heat/{ADDRESS}", f"edit/{ADDRESS}")}


@pytest.fixture(params=LOOKS)
def visit(request: pytest.FixtureRequest, browser: Any, target: Target, tmp_path: Path) -> Iterator[Visit]:
    width, scheme = LOOKS[request.param]
    for visit in visit_of(browser, target.writer, tmp_path / request.param, color_scheme=scheme):
        visit.page.set_viewport_size({"width": width, "height": 844})
        yield visit


def check(visit: Visit, name: str) -> list[str]:
    """Return the violations on the open page."""
    page = visit.page
    if PICTURES:
        path = Path(PICTURES) / visit.pictures.name / f"{name.replace('/', ' ') or 'overview'}.png"
        page.screenshot(path=str(path), full_page=True)
    # Evaluated by the browser itself, so the page's policy does not forbid it.
    page.evaluate(AXE.read_text())
    found = [f"{name}: {rule}" for rule in page.evaluate(RUN)]
    width = page.viewport_size["width"]
    if page.evaluate("document.documentElement.scrollWidth") > width:
        found.append(f"{name}: wider than {width} pixels")
    return found


@pytest.mark.parametrize("target", ["directory", "page of a server"], indirect=True)
def test_pages_are_accessible(visit: Visit, target: Target) -> None:
    found = []
    for name, place in (PLACES if target.is_explorer else SERVER).items():
        visit.go(place)
        found += check(visit, name)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("target", ["directory"], indirect=True)
def test_pages_that_forms_lead_to(visit: Visit, target: Target) -> None:
    found = []
    for title in ("Put", "Delete"):
        visit.go(f"edit/{ADDRESS}?{GRACE}")
        visit.follow(section(visit, title).get_by_role("button", name="Preview"))
        found += check(visit, f"preview of {title.lower()}")
    visit.go(f"sql/{ADDRESS}")
    click(visit, "largest rows")
    click(visit, "Run", "button")
    found += check(visit, "result of SQL")
    visit.page.get_by_label("Query").fill("DROP VIEW cells")
    click(visit, "Run", "button")
    found += check(visit, "mistake in SQL")
    assert not found, "\n".join(found)
