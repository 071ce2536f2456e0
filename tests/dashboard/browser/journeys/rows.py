"""Journeys through the rows of a table: keys, prefixes, columns, filters, pages forward and sideways, limits."""

from __future__ import annotations

from tests.dashboard.browser.journeys.plan import ADDRESS, click, journey, keys, send, show_rows
from tests.dashboard.browser.journeys.targets import Target
from tests.dashboard.browser.journeys.world import CUSTOMERS, EVENTS, FILES, LAYOUT
from tests.dashboard.browser.visit import Visit


@journey()
def find_a_row_by_its_prefix(visit: Visit, target: Target) -> None:
    visit.menu("Tables")
    click(visit, CUSTOMERS)
    click(visit, "rows")
    assert len(keys(visit)) == 20
    send(visit, Row_prefix="c011")
    assert keys(visit) == [f"c011{digit}" for digit in range(10)]
    click(visit, "c0117")
    assert "Customer 117" in visit.text()
    click(visit, "rows from here on")
    assert keys(visit)[:2] == ["c0117", "c0118"]


@journey()
def page_forward_and_back(visit: Visit, target: Target) -> None:
    visit.go(f"rows/{ADDRESS}?prefix=c")
    found = [keys(visit)]
    while visit.page.get_by_role("link", name="Next rows →").count():
        click(visit, "Next rows →")
        found.append(keys(visit))
    assert [key for part in found for key in part] == [f"c{number:04}" for number in range(120)]
    visit.page.go_back()
    assert keys(visit) == found[-2]
    click(visit, "⇤ First rows")
    assert keys(visit) == found[0]


@journey()
def jump_to_a_key(visit: Visit, target: Target) -> None:
    show_rows(visit, Start_row="c0118")
    assert keys(visit)[:3] == ["c0118", "c0119", "grace"]
    send(visit, Start_row=r"w\x69")
    assert keys(visit)[0] == "wide"
    visit.page.get_by_label("End row (excluded)").fill("wide0")
    send(visit, Start_row="w", Limit="20")
    assert keys(visit) == ["wide"]
    visit.page.get_by_label("End row (excluded)").fill("")
    send(visit, Start_row="zzz", Limit="5")
    assert len(keys(visit)) == 1, "the key that is not text comes last"
    send(visit, Start_row="", Row_prefix="zzz")
    assert "No rows." in visit.text()


@journey()
def read_the_parts_of_keys(visit: Visit, target: Target) -> None:
    visit.go(f"rows/{EVENTS}")
    send(visit, Key_parts=LAYOUT)
    assert "host='web1' · at=1700000120000" in visit.text()
    send(visit, Row_prefix="host='web2'")
    assert len(keys(visit)) == 3
    assert "web1" not in " ".join(keys(visit))
    send(visit, Key_parts="__import__('os')")
    assert visit.page.get_by_role("alert").count() == 1
    assert visit.page.get_by_label("Key parts").input_value() == "__import__('os')"


@journey()
def choose_columns_by_form(visit: Visit, target: Target) -> None:
    show_rows(visit, Columns="info:age", Row_prefix="c00", Limit="50")
    assert len(keys(visit)) == 50
    assert visit.page.locator("th").all_inner_texts() == ["Row", "info:age"]
    assert "int32 ·" in visit.text()
    visit.page.get_by_label("Values").select_option("hexadecimal")
    send(visit, Limit="1")
    assert "00 00 00 14" in visit.text()
    send(visit, Columns="none:x")
    assert "none" in visit.page.get_by_role("alert").inner_text()
    assert visit.page.get_by_label("Columns").input_value() == "none:x"


@journey()
def filter_in_the_filter_language(visit: Visit, target: Target) -> None:
    show_rows(visit, Filter="SingleColumnValueFilter('info', 'name', =, 'binary:Customer 42')", Row_prefix="c")
    assert keys(visit) == ["c0042"]
    assert "1 row of 120 examined" in visit.text()
    send(visit, Filter="ValueFilter(=, 'binary:none')")
    assert "0 rows of 120 examined" in visit.text()


@journey()
def filter_by_form(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="c")
    visit.page.get_by_text("Add a condition").click()
    visit.page.locator("select[name=comparison]").select_option("contains")
    send(visit, **{"Column (none: the row key)": "info:name", "Text": "mer 42"})
    assert keys(visit) == ["c0042"]
    assert "SingleColumnValueFilter" in visit.page.get_by_label("Filter", exact=True).input_value()


@journey()
def correct_a_mistake_in_a_filter(visit: Visit, target: Target) -> None:
    show_rows(visit, Filter="ValueFilter(=, 'substring:42'", Row_prefix="c")
    assert "parenthesis" in visit.page.get_by_role("alert").inner_text()
    assert visit.page.get_by_label("Row prefix").input_value() == "c"
    send(visit, Filter="ValueFilter(=, 'substring:mer 42')")
    assert keys(visit) == ["c0042"]


@journey()
def page_a_wide_row_sideways(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="wide")
    assert "visits:0023" in visit.text()
    assert "visits:0024" not in visit.text()
    click(visit, "Further columns ⇥")
    click(visit, "Further columns ⇥")
    assert "visits:0059" in visit.text()
    assert visit.page.get_by_role("link", name="Further columns ⇥").count() == 0
    click(visit, "← Columns before")
    assert "visits:0024" in visit.text()
    click(visit, "wide")
    assert "Cells 1 to 60 of the row" in visit.text()


@journey()
def reach_a_limit_and_continue(visit: Visit, target: Target) -> None:
    visit.go(f"rows/{FILES}")
    assert "The limit of bytes ended this page early" in visit.page.get_by_role("alert").inner_text()
    found = keys(visit)
    assert 10 < len(found) < 20
    click(visit, "Next rows →")
    assert found + keys(visit) == [f"file{number:02}" for number in range(20)]
    assert visit.page.get_by_role("alert").count() == 0
