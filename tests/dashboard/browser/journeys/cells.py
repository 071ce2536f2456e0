"""Journeys through one row and one cell: versions, markers, missing cells, forms of a value."""

from __future__ import annotations

from urllib.parse import urlsplit

from tests.dashboard.browser.journeys.plan import ADDRESS, click, journey, keys, section, show_rows
from tests.dashboard.browser.journeys.targets import Target
from tests.dashboard.browser.journeys.world import LOST_MS, NAMES, PNG
from tests.dashboard.browser.visit import Visit


def _in_order(text: str, *parts: str) -> None:
    places = [text.index(part) for part in parts]
    assert places == sorted(places), parts


@journey()
def read_the_versions_of_a_cell(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="grace")
    assert NAMES[2] in visit.text()
    click(visit, "grace")
    _in_order(visit.text(), *reversed(NAMES))
    click(visit, NAMES[0])
    assert str(LOST_MS) in visit.text()
    assert section(visit, "Decoded").locator("pre").inner_text() == NAMES[0]


@journey()
def find_a_delete_marker_and_what_it_hides(visit: Visit, target: Target) -> None:
    visit.go(f"row/{ADDRESS}?key=grace")
    click(visit, "visits")
    _in_order(visit.text(), "marker DeleteColumn", "hidden", "lost")
    assert NAMES[0] not in visit.text()
    click(visit, "lost")
    assert "6c 6f 73 74" in visit.text()
    visit.page.go_back()
    click(visit, "all families")
    assert NAMES[0] in visit.text()


@journey()
def learn_why_a_cell_is_missing(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="grace", Columns="visits:last")
    assert "No rows." in visit.text()
    visit.go(f"row/{ADDRESS}?key=grace")
    visit.page.get_by_label("Column", exact=True).fill("visits:last")
    click(visit, "Explain", "button")
    assert "is hidden by DeleteColumn" in visit.text()
    assert urlsplit(visit.page.url).fragment == "missing"
    click(visit, "Explain", "button")
    visit.page.get_by_label("Column", exact=True).fill("info:never")
    click(visit, "Explain", "button")
    assert "never written" in visit.text()
    click(visit, "visits:last")
    assert "is hidden by DeleteColumn" in visit.text()
    visit.page.get_by_label("Column", exact=True).fill("info")
    click(visit, "Explain", "button")
    assert "write family:qualifier" in visit.text()


@journey()
def read_a_value_as_bytes(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="c0009", Columns="info:age")
    assert "29" in visit.text()
    click(visit, "29")
    assert "int32" in section(visit, "Cell").inner_text()
    assert "00 00 00 1d" in section(visit, "Hexadecimal").inner_text()
    with visit.page.expect_download() as started:
        visit.page.get_by_role("link", name="download").click()
    assert started.value.path().read_bytes() == (29).to_bytes(4, "big")


@journey()
def look_at_an_image(visit: Visit, target: Target) -> None:
    visit.go(f"row/{ADDRESS}?key=grace")
    click(visit, "(PNG)")
    image = visit.page.get_by_role("img", name="the value")
    assert image.evaluate("one => one.naturalWidth") == 8
    with visit.page.expect_download() as started:
        visit.page.get_by_role("link", name="download").click()
    assert started.value.path().read_bytes() == PNG


@journey()
def read_a_json_value(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="c0003")
    assert "JSON?" in visit.text()
    click(visit, '{"page": "/cart", "seconds": 12}')
    assert section(visit, "Decoded").locator("pre").inner_text() == '{\n  "page": "/cart",\n  "seconds": 12\n}'


@journey()
def follow_a_key_that_is_not_text(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix=r"\xFF")
    assert keys(visit) == [r"\xFF\xFE\x00key"]
    click(visit, r"\xFF\xFE\x00key")
    assert r"info:\x00\xFF" in visit.text()
    click(visit, r"\x00\xFFvalue")
    assert "00 ff 76 61 6c 75 65" in section(visit, "Hexadecimal").inner_text()
    click(visit, "rows from here on")
    assert keys(visit) == [r"\xFF\xFE\x00key"]


@journey()
def page_the_cells_of_a_row(visit: Visit, target: Target) -> None:
    target.customers.put("x-many", {f"visits:{number:04}": str(number) for number in range(450)})
    visit.go(f"row/{ADDRESS}?key=x-many")
    for first in (1, 201, 401):
        assert f"Cells {first} to {min(first + 199, 450)} of the row" in visit.text()
        assert f"visits:{first - 1:04}" in visit.text()
        if first < 401:
            click(visit, "Next cells →")
    assert visit.page.get_by_role("link", name="Next cells →").count() == 0
    click(visit, "← Cells before")
    assert "Cells 201 to 400" in visit.text()
    target.customers.delete("x-many")


@journey()
def go_from_cell_to_row_to_another_row(visit: Visit, target: Target) -> None:
    visit.go(f"cell/{ADDRESS}?key=c0001&column=info:name")
    click(visit, "c0001")
    visit.page.get_by_label("Row key").fill("c0051")
    click(visit, "Show row", "button")
    assert "Customer 51" in visit.text()


@journey()
def compare_two_rows(visit: Visit, target: Target) -> None:
    visit.go(f"row/{ADDRESS}?key=c0001")
    visit.page.get_by_label("Compare with row").fill("c0051")
    click(visit, "Compare", "button")
    assert "1 of 3 columns differs" in visit.text()
    assert ("Customer 1" in visit.text(), "Customer 51" in visit.text()) == (True, True)
    visit.page.get_by_label("Compare with row").fill(r"\xZZ")
    click(visit, "Compare", "button")
    assert "is not a byte" in visit.page.get_by_role("alert").inner_text()
