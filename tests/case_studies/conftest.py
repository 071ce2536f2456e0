"""Reports of the case studies: each study runs once, with little data in memory."""

from __future__ import annotations

from functools import cache

import pytest
from examples.case_studies.__main__ import run
from examples.case_studies.measure import Report


@cache
def report_of(name: str) -> Report:
    """Return the report of a study with little data."""
    return run(name, small=True)


@pytest.fixture
def log_data() -> Report:
    return report_of("log_data")


@pytest.fixture
def time_series() -> Report:
    return report_of("time_series")


@pytest.fixture
def shapes() -> Report:
    return report_of("shapes")


@pytest.fixture
def lists() -> Report:
    return report_of("lists")


@pytest.fixture
def orders() -> Report:
    return report_of("orders")


@pytest.fixture
def webtable() -> Report:
    return report_of("webtable")


@pytest.fixture
def user_activity() -> Report:
    return report_of("user_activity")
