"""Journeys through SQL, which only explorers have."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from tests.dashboard.browser.journeys.plan import ADDRESS, click, journey, section
from tests.dashboard.browser.journeys.targets import Target
from tests.dashboard.browser.journeys.world import CUSTOMERS
from tests.dashboard.browser.visit import Visit

LONG = "SELECT count(*) FROM range(100000000000)"
ATTEMPTS = 3
"""Queries that find all slots in use. Each waits a second, so all of them end before the long queries would."""


def _with_sql(steps: Callable[[Visit, Target], None]) -> Callable[[Visit, Target], None]:
    """Steps on the page for SQL; on a target without it, the refusal."""

    def run(visit: Visit, target: Target) -> None:
        visit.go("tables")
        click(visit, CUSTOMERS)
        if target.is_explorer:
            click(visit, "SQL")
            steps(visit, target)
            return
        assert visit.page.get_by_role("link", name="SQL", exact=True).count() == 0
        visit.go(f"sql/{ADDRESS}")
        assert "SQL is only in rowstone explore" in visit.text()
        click(visit, "all tables")

    run.__name__ = steps.__name__
    return run


def _run(visit: Visit, query: str) -> str:
    visit.page.get_by_label("Query").fill(query)
    click(visit, "Run", "button")
    return visit.text()


@journey()
@_with_sql
def ask_in_sql(visit: Visit, target: Target) -> None:
    query = 'SELECT decode("info:name") AS name, "info:age" FROM rows WHERE "info:age" = 42 ORDER BY row'
    _run(visit, query)
    assert visit.page.locator("section tbody tr").all_inner_texts()[0].split("\t") == ["Customer 22", "42"]
    assert visit.page.locator("section th").all_inner_texts() == ["name", "info:age"]
    assert visit.page.get_by_label("Query").input_value() == query
    visit.page.get_by_label("Query").fill("SELECT 6 * 7 AS answer")
    with visit.page.expect_navigation():
        visit.page.keyboard.press("Control+Enter")
    with visit.page.expect_download() as found:
        visit.page.get_by_role("link", name="CSV", exact=True).click()
    assert found.value.path().read_text().split() == ["answer", "42"]


@journey()
@_with_sql
def find_the_largest_row_by_an_example(visit: Visit, target: Target) -> None:
    click(visit, "largest rows")
    # Writing journeys leave large versions in other rows.
    assert "wide" in section(visit, "Result").locator("tbody td:first-child").all_inner_texts()[:5]
    click(visit, "Run", "button")
    click(visit, "wide")
    assert urlsplit(visit.page.url).path == f"/row/{ADDRESS}"


@journey()
@_with_sql
def compare_two_rows_by_an_example(visit: Visit, target: Target) -> None:
    click(visit, "two rows side by side")
    assert "replace KEY 1 and KEY 2" in visit.text()
    query = visit.page.get_by_label("Query").input_value()
    text = _run(visit, query.replace("KEY 1", "c0001").replace("KEY 2", "c0002"))
    assert "Customer 1\tCustomer 2" in text


@journey()
@_with_sql
def correct_a_mistake_in_sql(visit: Visit, target: Target) -> None:
    assert "nothing" in _run(visit, "SELECT nothing FROM rows")
    assert visit.page.get_by_role("alert").count() == 1
    assert "42" in _run(visit, "SELECT 6 * 7 AS answer")
    assert visit.page.get_by_role("alert").count() == 0


@journey()
@_with_sql
def ask_sql_for_what_is_forbidden(visit: Visit, target: Target) -> None:
    for query in ("COPY cells TO '/tmp/cells.csv'", "SELECT 1; SELECT 2", "INSTALL httpfs", "DROP VIEW cells"):
        assert "one SELECT statement" in _run(visit, query), query
    assert "disabled" in _run(visit, "SELECT * FROM read_text('/etc/hostname')")
    assert "Result" not in visit.text()


@journey()
@_with_sql
def cancel_long_queries(visit: Visit, target: Target) -> None:
    tabs = [visit.page.context.new_page() for _ in range(4)]
    for tab in tabs:
        tab.goto(visit.page.url)
        tab.get_by_label("Query").fill(LONG)
        tab.get_by_role("button", name="Run").click(no_wait_after=True)
        # Chromium may never close a tab whose page begins to arrive at that moment.
        tab.get_by_text("The page is being made").wait_for(state="attached")
    for tab in tabs:
        tab.close()
    visit.page.get_by_label("Query").fill("SELECT 6 * 7 AS answer")
    click(visit, "Run", "button")
    for _ in range(ATTEMPTS):
        if visit.page.locator("main").count():
            break
        visit.page.reload()
    assert "42" in visit.text()
