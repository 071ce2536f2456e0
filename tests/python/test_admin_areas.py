"""`db.admin` is small, its areas are bounded and documented, and former names lead to the present ones."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.admin._area import Area
from rowstone.admin._moved import MOVED
from tests.python.structure import ROOT

MOST_OWN_METHODS = 12
MOST_METHODS_OF_AN_AREA = 25
_ROW = re.compile(r"^\| `(\w+)` \| (`\w+` → .*) \|$", re.MULTILINE)
_PAIR = re.compile(r"`(\w+)` → `(\w+)`")


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


@pytest.mark.parametrize(("former", "present"), MOVED.items())
def test_former_names_lead_to_present_ones(admin: rs.Admin, former: str, present: str) -> None:
    area, name = present.split(".")
    assert name in public(getattr(admin, area))
    if former not in areas(admin):
        with pytest.raises(AttributeError, match=rf"db\.admin\.{area}\.{name} now$"):
            getattr(admin, former)


def test_other_names_have_no_hint(admin: rs.Admin) -> None:
    with pytest.raises(AttributeError, match=r"^'Admin' object has no attribute 'nonsense'$"):
        admin.nonsense  # type: ignore[attr-defined] # noqa: B018


def test_the_changelog_has_the_table() -> None:
    rows = _ROW.findall((ROOT / "CHANGELOG.md").read_text())
    assert {former: f"{area}.{name}" for area, pairs in rows for former, name in _PAIR.findall(pairs)} == MOVED
