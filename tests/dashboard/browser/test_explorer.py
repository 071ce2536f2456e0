"""The explorer in a real browser: a journey, without a script, on a small screen, in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import rowstone as rs
from rowstone import codecs
from rowstone.server.dashboard import explore
from tests.dashboard.browser.visit import Visit

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000080000000808020000004b6d29dc0000001149444154789c633861a3811531"
    "0c2d0900767b4b011b3bf9a70000000049454e44ae426082"
)


@pytest.fixture(scope="module")
def shop() -> Iterator[rs.Database]:
    """Customers with typed values, versions, a delete, and a wide row."""
    with rs.connect(":memory:") as db:
        db.create_table("customers", {"info": rs.Family(max_versions=5), "visits": {}}, splits=["m"])
        codecs.declare(db, "customers", {"info:age": "int32"})
        table = codecs.typed(db.table("customers"))
        for number in range(120):
            place = {"info:name": f"Customer {number}".encode(), "info:age": 20 + number % 50}
            table.put(f"c{number:04}", {**place, "visits:last": b'{"page": "/cart", "seconds": 12}'})
        db.table("customers").put("c0007", {"info:name": "Grace", "info:photo": PNG})
        db.table("customers").delete("c0007", ["visits:last"])
        db.table("customers").put("wide", {f"visits:{number:04}": "seen" for number in range(90)})
        yield db


def visit_of(browser: Any, db: rs.Database, pictures: Path, **context: Any) -> Iterator[Visit]:
    with explore(db, write=True) as page:
        opened = browser.new_context(viewport={"width": 1180, "height": 760}, **context)
        place = urlsplit(page.url)
        visit = Visit(opened.new_page(), f"{place.scheme}://{place.netloc}/", pictures)
        visit.page.goto(page.url)
        yield visit
        opened.close()


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def visit(request: pytest.FixtureRequest, browser: Any, shop: rs.Database, pictures: Path) -> Iterator[Visit]:
    yield from visit_of(browser, shop, pictures, java_script_enabled=request.param)


def test_a_user_browses_filters_and_explains_rows(visit: Visit, shop: rs.Database) -> None:
    page = visit.page
    assert "token" not in page.url
    visit.follow(page.get_by_role("link", name="customers", exact=True))
    visit.follow(page.get_by_role("link", name="rows", exact=True))
    assert visit.rows() == 20
    visit.keep("explore")
    visit.follow(page.get_by_role("link", name="Next rows →").first)
    assert "c0020" in visit.text()

    page.get_by_label("Row prefix").fill("c000")
    page.get_by_label("Filter").fill("SingleColumnValueFilter('info', 'name', =, 'binary:Grace')")
    page.get_by_label("Filter").press("Enter")
    page.wait_for_load_state("load")
    assert visit.rows() == 1
    assert "1 row of 10 examined" in visit.text()

    visit.follow(page.get_by_role("link", name="cost and code of this scan"))
    assert "ROWPREFIXFILTER" in visit.text()
    page.go_back()

    visit.follow(page.get_by_role("link", name="c0007", exact=True))
    assert "marker DeleteColumn" in visit.text()
    page.get_by_label("Column", exact=True).fill("visits:last")
    visit.follow(page.get_by_role("button", name="Explain"))
    assert "is hidden by DeleteColumn" in visit.text()
    visit.follow(page.get_by_role("link", name="PNG", exact=False).first)
    assert page.locator("img").evaluate("image => image.naturalWidth") == 8
    assert not visit.complaints
    assert {urlsplit(asked).netloc for asked in visit.asked} == {urlsplit(visit.url).netloc}


def test_a_change_with_its_preview(visit: Visit, shop: rs.Database) -> None:
    page, table = visit.page, shop.table("customers")
    table.put("c0001", {"info:name": "Customer 1"})
    visit.go("edit/customers?key=c0001&column=info%3Aname")
    put = page.locator("section").filter(has_text="Put")
    put.get_by_label("Value").fill("Ada")
    visit.follow(put.get_by_role("button", name="Preview"))
    assert "Customer 1" in visit.text()
    assert table.value("c0001", "info:name") == b"Customer 1"
    visit.follow(page.get_by_role("button", name="Apply"))
    assert "/row/customers?key=c0001" in page.url
    assert table.value("c0001", "info:name") == b"Ada"
    assert not visit.complaints


PLACES = [
    "tables", "tables/customers", "rows/customers", "rows/customers?prefix=wide",
    "row/customers?key=c0007&missing=visits:last",
    "cell/customers?key=c0007&column=info:photo", "scan/customers?prefix=c", "edit/customers?key=c0001&column=info:age",
    "sql/customers",
]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_small_screen(browser: Any, shop: rs.Database, pictures: Path, scheme: str) -> None:
    """No page is wider than a screen of 390 pixels."""
    for visit in visit_of(browser, shop, pictures, color_scheme=scheme):
        for width in (390, 1180):
            visit.page.set_viewport_size({"width": width, "height": 844})
            for place in PLACES:
                visit.go(place)
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, (place, width)
                name = place.partition("?")[0].replace("/", "-")
                path = pictures / f"explore-{name}-{PLACES.index(place)}-{width}-{scheme}.png"
                visit.page.screenshot(path=str(path), full_page=True)
        assert not visit.complaints
