"""Journeys around the data: tables, access, the keyboard, no script, a small screen, names that do not exist."""

from __future__ import annotations

from urllib.parse import urlsplit

from tests.dashboard.browser.journeys.plan import ADDRESS, click, journey, keys, send, show_rows
from tests.dashboard.browser.journeys.targets import Target
from tests.dashboard.browser.journeys.world import CUSTOMERS, EVENTS, FILES, SNAPSHOT
from tests.dashboard.browser.visit import Visit

MOST_TABS = 60
FOCUS = "document.activeElement.innerText || document.activeElement.name"
RIGHT_OF_KEYS = "document.querySelector('.heat .keys')?.getBoundingClientRect().right ?? 0"
"""Right end of a heat map's labels."""
OUTLINE = "getComputedStyle(document.activeElement).outlineStyle"


@journey()
def read_about_tables(visit: Visit, target: Target) -> None:
    visit.menu("Tables")
    assert {CUSTOMERS, EVENTS, FILES} <= set(visit.text().split())
    click(visit, CUSTOMERS)
    assert "2 regions" in visit.text()
    assert "info" in visit.text()
    visit.page.get_by_label("From the region of this row on").fill(r"\x6d")
    click(visit, "Show", "button")
    assert visit.rows(1) == 1
    visit.menu("Snapshots")
    assert SNAPSHOT in visit.text()


@journey()
def come_with_and_without_the_token(visit: Visit, target: Target) -> None:
    assert "token" not in visit.page.url
    stranger = visit.page.context.browser.new_context()
    page = stranger.new_page()
    page.goto(f"{visit.url}rows/{ADDRESS}")
    text = page.locator("body").inner_text()
    stranger.close()
    assert ("Unauthorized: open the address that the command printed" in text) == target.is_explorer
    assert ("c0000" in text) != target.is_explorer


@journey()
def use_the_keyboard_only(visit: Visit, target: Target) -> None:
    visit.go(f"rows/{ADDRESS}")
    _tab_to(visit, "prefix")
    visit.page.keyboard.type("grace")
    with visit.page.expect_navigation():
        visit.page.keyboard.press("Enter")
    _tab_to(visit, "grace")
    with visit.page.expect_navigation():
        visit.page.keyboard.press("Enter")
    assert "marker DeleteColumn" in visit.text()
    _tab_to(visit, "missing")
    visit.page.keyboard.type("visits:last")
    _tab_to(visit, "Explain")
    with visit.page.expect_navigation():
        visit.page.keyboard.press("Space")
    assert "is hidden by DeleteColumn" in visit.text()


def _tab_to(visit: Visit, name: str) -> None:
    """Press Tab until a link, button or field has the focus, which each of them shows."""
    for _ in range(MOST_TABS):
        visit.page.keyboard.press("Tab")
        found = visit.page.evaluate(FOCUS)
        assert visit.page.evaluate(OUTLINE) != "none", found
        if found == name:
            return
    raise AssertionError(f"{MOST_TABS} times Tab do not reach {name}")


@journey(has_script=False)
def read_without_a_script(visit: Visit, target: Target) -> None:
    visit.menu("Tables")
    click(visit, CUSTOMERS)
    click(visit, "rows")
    click(visit, "Next rows →")
    assert keys(visit)[0] == "c0020"
    send(visit, Row_prefix="grace")
    click(visit, "grace")
    visit.page.get_by_label("Column", exact=True).fill("visits:last")
    click(visit, "Explain", "button")
    assert "is hidden by DeleteColumn" in visit.text()
    click(visit, "(PNG)")
    assert visit.page.get_by_role("img", name="the value").count() == 1


@journey()
def read_in_the_dark_on_a_small_screen(visit: Visit, target: Target) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    visit.page.get_by_role("button", name="Dark").click()
    show_rows(visit, Row_prefix="grace")
    assert visit.page.evaluate("document.documentElement.dataset.theme") == "dark"
    click(visit, "grace")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    click(visit, "(PNG)")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    visit.go(f"heat/{ADDRESS}")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert visit.page.evaluate(RIGHT_OF_KEYS) <= 130


@journey()
def ask_for_names_that_do_not_exist(visit: Visit, target: Target) -> None:
    for page in ("rows", "row", "cell", "scan", "tables"):
        visit.go(f"{page}/none?key=r&column=f:q")
        assert "none" in visit.text(), page
        assert "Not found" in visit.text(), page
    visit.go(f"row/{ADDRESS}?key=nobody")
    assert "The row has no stored cells here." in visit.text()
    visit.go(f"cell/{ADDRESS}?key=c0001&column=info:none")
    assert "no such version of column info:none" in visit.text()
    click(visit, "all tables")
    assert urlsplit(visit.page.url).path == "/tables"


@journey()
def open_an_address_again(visit: Visit, target: Target) -> None:
    """An address has the whole query, so that it can be stored and sent."""
    show_rows(visit, Row_prefix="c", Columns="info:name", Filter="ValueFilter(=, 'substring:5')", Limit="3")
    click(visit, "Next rows →")
    found, address = keys(visit), visit.page.url
    visit.menu("Tables")
    visit.page.goto(address)
    assert keys(visit) == found
    assert visit.page.get_by_label("Filter").input_value() == "ValueFilter(=, 'substring:5')"
    visit.page.reload()
    assert keys(visit) == found
