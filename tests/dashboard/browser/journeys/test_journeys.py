"""Each journey on each target. What a target cannot do, its pages refuse in words."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.dashboard.browser.journeys.conftest import visit_of
from tests.dashboard.browser.journeys.plan import JOURNEYS
from tests.dashboard.browser.journeys.targets import Target

for _name in ("rows", "cells", "code", "sql", "changes", "surroundings"):
    import_module(f"tests.dashboard.browser.journeys.{_name}")


def test_there_are_enough_journeys() -> None:
    assert len(JOURNEYS) >= 25


@pytest.mark.parametrize("name", JOURNEYS)
def test_each_journey_succeeds(browser: Any, target: Target, pictures: Path, name: str) -> None:
    journey = JOURNEYS[name]
    url = target.writer if journey.is_writing else target.reader
    for visit in visit_of(browser, url, pictures, java_script_enabled=journey.has_script):
        journey.steps(visit, target)
