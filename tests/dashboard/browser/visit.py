"""A page of the browser, and what a user does with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class Visit:
    """A page of the browser; records its requests and its errors."""

    def __init__(self, page: Any, url: str, pictures: Path) -> None:
        self.page = page
        self.url = url
        self.pictures = pictures
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on(
            "console", lambda line: self.complaints.append(line.text) if line.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"a dialog: {dialog.message}"))

    def go(self, path: str = "") -> None:
        """Opens an address."""
        self.page.goto(self.url + path, wait_until="load")

    def menu(self, title: str) -> None:
        """Follows the menu."""
        self.follow(self.page.get_by_role("navigation").get_by_role("link", name=title, exact=True))

    def follow(self, link: Any) -> None:
        """Clicks on what leads to another page, and waits for that: a click itself does not."""
        with self.page.expect_navigation(wait_until="load"):
            link.click()

    def text(self) -> str:
        """The text of the page."""
        return str(self.page.locator("main").inner_text())

    def rows(self, section: int = 0) -> int:
        """Number of rows in a section's table."""
        return int(self.page.locator("section").nth(section).locator("tbody tr").count())

    def keep(self, name: str) -> None:
        """Take a screenshot; those of `docs/how-to/dashboard.md` are kept in the repository."""
        self.page.screenshot(path=str(self.pictures / f"{name}.png"))

    def first_paint_ms(self) -> float:
        """Time of the first contentful paint."""
        script = """new Promise((found) => new PerformanceObserver((list) => {
            for (const entry of list.getEntriesByName("first-contentful-paint")) found(entry.startTime);
        }).observe({type: "paint", buffered: true}))"""
        return float(self.page.evaluate(script))
