"""`db.admin` is small, its areas are bounded and documented."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.admin._area import Area

MOST_OWN_METHODS = 12
MOST_METHODS_OF_AN_AREA = 25


@pytest.fixture(scope="module")
def admin() -> Iterator[rs.Admin]:
    with rs.connect(":memory:") as db:
        yield db.admin


def public(value: object) -> list[str]:
    return [name for name in dir(type(value)) if not name.startswith("_")]


def areas(admin: rs.Admin) -> dict[str, Area]:
    return {name: value for name, value in vars(admin).items() if isinstance(value, Area)}


def test_there_are_few_methods_in_one_place(admin: rs.Admin) -> None:
    assert len(public(admin)) <= MOST_OWN_METHODS
    for name, area in areas(admin).items():
        assert 0 < len(public(area)) <= MOST_METHODS_OF_AN_AREA, name


def test_areas_are_documented(admin: rs.Admin) -> None:
    for name, area in areas(admin).items():
        assert f"``{name}``" in (inspect.getdoc(admin) or ""), name
        assert type(area) is getattr(rs.admin, type(area).__name__)
        # A server without groups cannot show them.
        assert ">>> " in (inspect.getdoc(area) or "") or name == "groups", name
        for method in public(area):
            assert inspect.getdoc(getattr(area, method)), f"{name}.{method}"


def test_admin_shows_its_methods_and_areas(admin: rs.Admin) -> None:
    assert all(name in repr(admin) for name in (*public(admin), *areas(admin)))
    assert repr(admin.switches) == "<db.admin.switches: get, set, set_compactions>"
