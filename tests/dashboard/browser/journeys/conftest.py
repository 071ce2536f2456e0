"""The targets, and a browser that visits one of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.dashboard.browser.journeys.targets import TARGETS, Target
from tests.dashboard.browser.visit import Visit


@pytest.fixture(scope="session", params=TARGETS)
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """Each target, which starts once."""
    with TARGETS[request.param](tmp_path_factory.mktemp("target")) as found:
        yield found


def visit_of(browser: Any, url: str, pictures: Path, **context: Any) -> Iterator[Visit]:
    """A new window of the browser at an address. At the end: no script failed, and no request left the machine."""
    opened = browser.new_context(viewport={"width": 1180, "height": 760}, **context)
    place = urlsplit(url)
    visit = Visit(opened.new_page(), f"{place.scheme}://{place.netloc}/", pictures)
    visit.page.goto(url)
    yield visit
    opened.close()
    assert not [line for line in visit.complaints if "the server responded with a status of 40" not in line]
    assert {urlsplit(asked).netloc for asked in visit.asked} == {place.netloc}
