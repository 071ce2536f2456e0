"""Twelve steps through the web pages, as an operator would take them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import rowstone as rs
from tests.dashboard.browser import world
from tests.dashboard.browser.conftest import REGIONS
from tests.dashboard.browser.visit import Visit


@pytest.fixture
def visit(browser: Any, server: rs.Server, pictures: Path) -> Iterator[Visit]:
    context = browser.new_context(viewport={"width": 1180, "height": 760}, color_scheme="light")
    assert server.info_url is not None
    yield Visit(context.new_page(), server.info_url, pictures)
    context.close()


def test_a_user_visits_every_page(visit: Visit, server: rs.Server) -> None:
    visit.go()  # 1: the overview
    assert "Calls per second" in visit.text()
    assert server.url in visit.text()
    visit.keep("overview")

    visit.menu("Tables")  # 2: all tables
    assert {"webtable", "users", "shop:orders", world.MANY} <= set(visit.text().split())

    visit.follow(visit.page.get_by_role("link", name=world.MANY, exact=True))  # 3: a table of many regions
    assert f"{REGIONS:,} regions" in visit.text()
    assert visit.rows(1) == 100
    visit.keep("table")

    visit.follow(visit.page.get_by_role("link", name="Next →"))  # 4: the next of them
    assert "page 2 of" in visit.text()
    assert "device00100" in visit.text()

    visit.page.get_by_label("From the region of this row on").fill("device00250")  # 5: from a row on
    visit.follow(visit.page.get_by_role("button", name="Show"))
    first = visit.page.locator("section").nth(1).locator("tbody tr").first.inner_text()
    assert first.startswith("device00250")

    visit.page.get_by_label("Order").select_option("writes")  # 6: those first that are written most
    visit.follow(visit.page.get_by_role("button", name="Show"))
    cells = visit.page.locator("section").nth(1).locator("tbody td:nth-child(7)").all_inner_texts()
    counts = [int(cell.replace(",", "")) for cell in cells]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 0

    visit.go("tables/users")  # 7: where it is hot
    visit.follow(visit.page.get_by_role("link", name="heat map", exact=True))
    assert visit.page.locator(".heat svg rect").count() > 10

    visit.menu("Requests")  # 8: how long calls take
    assert "NoSuchColumnFamilyException" in visit.text()
    assert {"Get", "Mutate", "Scan"} <= set(visit.text().split())
    visit.keep("requests")

    visit.menu("Slow calls")  # 9: which were slow
    assert "com.example.0" in visit.text()
    assert visit.rows() == 256 or visit.rows() > 5

    visit.menu("Compactions")  # 10: what files and memory do
    assert "Write amplification" in visit.text()
    visit.menu("Memory")
    assert "Recent writes" in visit.text()
    visit.menu("Cache")
    assert "Share found" in visit.text()
    visit.menu("Snapshots")
    assert "before-the-sale" in visit.text()

    visit.menu("Configuration")  # 11: effective settings and their sources
    given = visit.page.locator("section").first.inner_text()
    assert "hbase.ipc.warn.response.time" in given
    assert "argument" in given

    visit.page.get_by_role("button", name="Dark").click()  # 12: at night
    visit.go()
    assert visit.page.evaluate("document.documentElement.dataset.theme") == "dark"
    visit.keep("overview-dark")

    assert not visit.complaints
    assert {urlsplit(asked).netloc for asked in visit.asked} == {urlsplit(visit.url).netloc}


def test_the_page_follows_what_happens(visit: Visit, server: rs.Server) -> None:
    visit.go("tables")
    assert "newcomer" not in visit.text()
    server.database.create_table("newcomer", ["f"])
    visit.page.evaluate("refresh()")
    assert "newcomer" in visit.text()
    server.database.drop_table("newcomer", force=True)
    visit.page.get_by_role("button", name="Follow").click()
    assert visit.page.get_by_role("button", name="Follow").get_attribute("aria-pressed") == "false"


def test_user_input_is_escaped(visit: Visit, server: rs.Server) -> None:
    with rs.connect(server.url) as client:
        client.table("shop:orders").get("<script>alert(1)</script>")
    visit.go("slow")
    visit.go("heat/shop%3Aorders")
    assert "<script>alert(1)" in visit.page.locator(".heat svg").text_content()
    visit.go("tables/%3Cscript%3Ealert(2)%3C%2Fscript%3E")
    assert "There is no table '<script>alert(2)</script>'" in visit.text()
    assert visit.complaints == ["Failed to load resource: the server responded with a status of 404 (Not Found)"]


def test_first_paint_is_measured(visit: Visit, capsys: pytest.CaptureFixture[str]) -> None:
    """Reported, and not held against a limit: machines differ."""
    times = []
    for _ in range(5):
        visit.go(f"tables/{world.MANY}")
        times.append(visit.first_paint_ms())
    with capsys.disabled():
        print(f"\nfirst paint of a table with {REGIONS:,} regions: {sorted(round(time) for time in times)} ms")
    assert all(time > 0 for time in times)
