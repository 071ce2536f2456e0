"""The shell writes times of the machine's zone; the recordings were made in UTC."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def recorded_zone(utc: None) -> None:
    """Each test of this folder runs in UTC."""
