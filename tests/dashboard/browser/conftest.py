"""The browser, and a served database for it. The size comes from the environment: see `make browser-full`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright import sync_api as playwright

import rowstone as rs
from tests.dashboard.browser import world

REGIONS = int(os.environ.get("ROWSTONE_BROWSER_REGIONS", "300"))
ROWS = int(os.environ.get("ROWSTONE_BROWSER_ROWS", "2000"))
_NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder for screenshots."""
    given = os.environ.get("ROWSTONE_PICTURES")
    folder = Path(given) if given else tmp_path_factory.mktemp("pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[playwright.Browser]:
    """Chromium of this machine."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    assert found is not None, "no chromium: make test-browser installs it"
    with playwright.sync_playwright() as started:
        # As root, which containers use, chromium's sandbox refuses to start.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = started.chromium.launch(executable_path=found, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[rs.Server]:
    """A directory in use, with its page."""
    before = Path.cwd()
    # The directory's name is on every page.
    os.chdir(tmp_path_factory.mktemp("served"))
    try:
        with rs.serve("crawl", port=0, zk_port=None, info_port=0, configuration=world.SETTINGS) as server:
            os.chdir(before)
            world.fill(server.database, region_count=REGIONS, rows=ROWS)
            with rs.connect(server.url) as client:
                world.use(client, rounds=ROWS // 10, look=_look_of(server))
            yield server
    finally:
        os.chdir(before)


def _look_of(server: rs.Server) -> Callable[[], object]:
    """Takes the page's figures at once, as time does otherwise: so that there is a course to be seen."""
    return server._gateways._running["info_port"]._site.history.sample  # type: ignore[attr-defined, no-any-return]
