"""The button that cancels a query while it runs."""

from __future__ import annotations

import threading
from typing import Any
from urllib.parse import urlsplit

import pytest

import rowstone as rs
from rowstone.server.dashboard import explore
from rowstone.server.dashboard.data import rows
from rowstone.server.dashboard.data._budget import Budget, Cancelled
from rowstone.server.dashboard.data._query import Query
from rowstone.server.dashboard.data._reader import Page


def test_the_button_ends_the_query(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started, ended, stop = threading.Event(), threading.Event(), threading.Event()

    def read(table: rs.Table, query: Query, budget: Budget, **_limits: int) -> Page:
        if not query.prefix:
            return Page()
        started.set()
        while not stop.wait(0.01):
            try:
                budget.check()
            except Cancelled:
                ended.set()
                raise
        return Page()

    monkeypatch.setattr(rows, "read_page", read)
    with rs.connect(":memory:") as db, explore(db) as site:
        db.create_table("t", ["f"])
        page = browser.new_context().new_page()
        try:
            page.goto(site.url)
            place = urlsplit(site.url)
            page.goto(f"{place.scheme}://{place.netloc}/rows/t")
            page.get_by_label("Row prefix").fill("endless")
            page.get_by_role("button", name="Show rows").click(no_wait_after=True)
            assert started.wait(20)
            assert not ended.is_set()
            # Clicks wait for the end of the navigation, keys do not. The button comes after the one that was clicked.
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            assert ended.wait(20)
            assert page.get_by_role("button", name="Cancel").count() == 0
            assert page.get_by_label("Row prefix").input_value() == "endless"
        finally:
            stop.set()
            page.close()
