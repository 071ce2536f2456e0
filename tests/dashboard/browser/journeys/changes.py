"""Journeys that change cells, each with its preview; refused where changes are not allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.dashboard.browser.journeys.plan import ADDRESS, click, journey, section, show_rows
from tests.dashboard.browser.journeys.targets import Target
from tests.dashboard.browser.visit import Visit


def _of_row(key: str) -> Callable[[Callable[[Visit, Target], None]], Callable[[Visit, Target], None]]:
    """Steps on the form for changes of a row; on a target without changes, the refusal."""

    def wrap(steps: Callable[[Visit, Target], None]) -> Callable[[Visit, Target], None]:
        def run(visit: Visit, target: Target) -> None:
            target.customers.put(key, {"info:name": "old", "info:points": (40).to_bytes(8, "big")}, timestamp=5)
            target.customers.put(key, {"info:name": "newer", "visits:last": "cart"}, timestamp=6)
            show_rows(visit, Row_prefix=key)
            click(visit, key)
            if target.is_explorer:
                click(visit, "Put, increment or delete")
                steps(visit, target)
            else:
                _is_refused(visit)
            target.customers.delete(key)

        run.__name__ = steps.__name__
        return run

    return wrap


def _is_refused(visit: Visit) -> None:
    """No link leads to a form, and the form's address says why there is none."""
    assert "Put" not in visit.text()
    visit.go(f"edit/{ADDRESS}")
    assert "Changes are only in rowstone explore --write" in visit.text()
    click(visit, "all tables")


def _fill(visit: Visit, title: str, **fields: str) -> Any:
    form = section(visit, title)
    for name, text in fields.items():
        field = form.locator(f"[name={name}]")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)
    visit.follow(form.get_by_role("button", name="Preview"))


@journey()
def find_no_way_to_change_without_write(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="c0000")
    assert "Put a cell" not in visit.text()
    click(visit, "c0000")
    _is_refused(visit)


@journey(is_writing=True)
@_of_row("put-1")
def put_a_value(visit: Visit, target: Target) -> None:
    _fill(visit, "Put", column="info:name", value="Ada \u202e\n<b>", form="text")
    values = section(visit, "Old and new value of info:name").inner_text()
    assert ("newer" in values, "<b>" in values) == (True, True)
    assert target.customers.value("put-1", "info:name") == b"newer"
    click(visit, "Back to the form", "button")
    assert section(visit, "Put").locator("[name=value]").input_value() == "Ada \u202e\n<b>".encode().hex()
    visit.follow(section(visit, "Put").get_by_role("button", name="Preview"))
    click(visit, "Apply", "button")
    assert f"/row/{ADDRESS}?key=put-1&done=" in visit.page.url
    assert "info:name is now Ada" in visit.page.get_by_role("status").inner_text()
    assert target.customers.value("put-1", "info:name") == "Ada \u202e\n<b>".encode()


@journey(is_writing=True)
@_of_row("put-2")
def put_by_the_codec_of_a_column(visit: Visit, target: Target) -> None:
    visit.go(f"edit/{ADDRESS}?key=put-2&column=info%3Aage")
    _fill(visit, "Put", value="thirty")
    assert "'thirty' is not a value of type int32" in visit.text()
    visit.page.go_back()
    _fill(visit, "Put", value="30")
    click(visit, "Apply", "button")
    assert target.customers.value("put-2", "info:age") == b"\0\0\0\x1e"
    visit.go(f"edit/{ADDRESS}")
    _fill(visit, "Put", key=r"put-2\x00", column="info:name", value="00 ff", form="hex")
    click(visit, "Apply", "button")
    assert target.customers.value(b"put-2\0", "info:name") == b"\0\xff"
    target.customers.delete(b"put-2\0")


@journey(is_writing=True)
@_of_row("increment")
def increment_a_counter(visit: Visit, target: Target) -> None:
    _fill(visit, "Increment", column="info:points", amount="2")
    assert "40 + 2 = 42" in visit.text()
    click(visit, "Apply", "button")
    assert "42" in visit.text()
    assert target.customers.value("increment", "info:points") == (42).to_bytes(8, "big")
    click(visit, "Put, increment or delete")
    _fill(visit, "Increment", column="info:name", amount="2")
    assert "a counter has 8" in visit.text()


@journey(is_writing=True)
@_of_row("delete-1")
def delete_a_version(visit: Visit, target: Target) -> None:
    _fill(visit, "Delete", column="info:name", scope="version", timestamp="6")
    assert "1 visible version that the delete hides" in visit.text()
    click(visit, "Apply", "button")
    assert "marker Delete" in visit.text()
    assert target.customers.value("delete-1", "info:name") == b"old"


@journey(is_writing=True)
@_of_row("delete-2")
def delete_a_row(visit: Visit, target: Target) -> None:
    _fill(visit, "Delete", scope="row")
    assert "4 visible versions that the delete hides" in visit.text()
    click(visit, "back to the row")
    assert "marker Delete" not in visit.text()
    click(visit, "Put, increment or delete")
    _fill(visit, "Delete", scope="row")
    click(visit, "Apply", "button")
    assert "marker DeleteFamily" in visit.text()
    assert target.customers.get("delete-2").to_dict() == {}


@journey(is_writing=True)
@_of_row("conflict")
def see_a_change_of_another_client_first(visit: Visit, target: Target) -> None:
    _fill(visit, "Put", column="info:name", value="mine")
    target.customers.put("conflict", {"info:name": "theirs"}, timestamp=7)
    click(visit, "Apply", "button")
    assert "have changed since the preview" in visit.page.get_by_role("alert").inner_text()
    assert "theirs" in visit.text()
    assert target.customers.value("conflict", "info:name") == b"theirs"
    click(visit, "Apply", "button")
    assert target.customers.value("conflict", "info:name") == b"mine"


@journey(is_writing=True, has_script=False)
@_of_row("no-script")
def change_without_a_script(visit: Visit, target: Target) -> None:
    _fill(visit, "Put", column="info", value="x")
    assert "write family:qualifier" in visit.text()
    assert section(visit, "Put").locator("[name=value]").input_value() == "x"
    _fill(visit, "Put", column="info:name", value="plain")
    click(visit, "Apply", "button")
    assert target.customers.value("no-script", "info:name") == b"plain"


@journey(is_writing=True)
@_of_row("edit")
def edit_the_present_value_and_undo_it(visit: Visit, target: Target) -> None:
    click(visit, "rows from here on")
    click(visit, "edit")
    click(visit, "newer")
    click(visit, "Edit")
    assert section(visit, "Put").locator("[name=value]").input_value() == "newer"
    _fill(visit, "Put", value="newest")
    click(visit, "Apply", "button")
    assert "info:name is now newest." in visit.page.get_by_role("status").inner_text()
    visit.page.reload()
    assert visit.page.get_by_role("status").count() == 0
    click(visit, "Undo this change", "button")
    click(visit, "Apply", "button")
    assert "Undone: info:name is newer again." in visit.page.get_by_role("status").inner_text()
