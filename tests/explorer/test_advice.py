"""Schema advice: findings with their evidence, within the limits of a page."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from rowstone.server.dashboard import explore, serve
from rowstone.server.dashboard.data._budget import Budget
from tests.explorer.conftest import Visitor, admit


@pytest.fixture
def people(db: rs.Database) -> rs.Table:
    db.create_table("people", {"<i>profile": rs.Family(max_versions=1_000)})
    table = db.table("people")
    for number in range(1, 40):
        table.put(f"user{number}", {"<i>profile:age": str(number)})
    return table


def test_findings_have_reason_remedy_and_source(visitor: Visitor, people: rs.Table) -> None:
    answer = visitor.get("advice", "people")
    for text in ("error L12 too-many-versions", "VERSIONS is 1,000, over 999", "prefer rows", "HBase guide"):
        assert text in answer.text
    assert "user#" in answer.text.partition("L09")[2]
    assert "<i>" not in answer.html.partition("<main>")[2]
    assert "L28 hot-and-cold-columns access" in answer.text.partition("Rules that were not checked")[2]


def test_the_page_of_a_table_leads_to_its_advice(visitor: Visitor, people: rs.Table) -> None:
    assert 'href="/advice/people">schema advice' in visitor.get("tables", "people").html
    assert visitor.get("advice", "none").status == 404


def test_writes_by_region_are_evidence(db: rs.Database) -> None:
    db.create_table("hot", ["f"], splits=["b", "c", "d", "e"])
    for _ in range(200):
        db.table("hot").put("c1", {"f:q": "v"})
    with explore(db) as page:
        text = admit(page).text("advice", "hot")
        assert "L08 hot-region region from 'c' it got 100% of 200 writes; an even share is 20%" in text
    for _ in range(1_000):
        db.table("hot").put("a1", {"f:q": "v"})
    with explore(db) as page:
        assert "L08 hot-region the first region it got" in admit(page).text("advice", "hot")


def test_families_are_compared_by_their_files(visitor: Visitor, db: rs.Database) -> None:
    """Regression: the sample had nothing of a family with most of the data, which was to go to another table."""
    db.create_table("pages", ["items", "o"])
    with db.table("pages").batch() as batch:
        for number in range(150):
            batch.put(f"a{number:03}", {"o:q": "v" * 100})
    items = {f"items:{number}": "v" * 1_000 for number in range(100)}
    db.table("pages").put("z", items)
    db.admin.flush("pages")
    assert "family-byte-ratio" not in visitor.text("advice", "pages").partition("Rules that")[0]
    with db.table("pages").batch() as batch:
        for number in range(60):
            batch.put(f"z{number}", {"items:q": f"{number}" * 100_000})
    db.admin.flush("pages")
    found = visitor.text("advice", "pages").partition("L26 family-byte-ratio")[2]
    assert "bytes in its files" in found
    assert "in those of family items" in found


def test_the_heat_map_of_the_last_process_is_evidence(tmp_path: Path) -> None:
    """Regression: the advice had no access statistics, and to set VERSIONS => 1 ignored the row with the history."""
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", {"f": rs.Family(max_versions=5)}, splits=["b", "c", "d", "e"])
        for number in range(300):
            db.table("t").put(f"a{number:03}", {"f:q": "v"})
        for _ in range(2_000):
            db.table("t").put("hot", {"f:q": "v"})
    with rs.connect(tmp_path / "db", read_only=True) as db, explore(db) as page:
        text = admit(page).text("advice", "t")
        assert "look at rows that are written most, such as hot:" in text.partition("L13")[2]
        assert "set VERSIONS" not in text
        assert "L08 hot-region" in text
        assert "L28 hot-and-cold-columns access" in text.partition("Rules that were not checked")[2]


def test_a_limit_ends_the_sample_but_not_the_advice(
    visitor: Visitor, people: rs.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget, "spend", lambda *_: "seconds")
    text = visitor.text("advice", "people")
    assert "The limit of seconds ended the sample" in text
    assert "L12 too-many-versions" in text
    assert "L09 unpadded-numbers" not in text.partition("Rules that were not checked")[0]


def test_a_dashboard_without_data_has_no_sample(db: rs.Database) -> None:
    with serve(db) as page:
        visitor = Visitor(page.url.rstrip("/"))
        assert visitor.get("advice").status == 404
        assert "/advice/" not in visitor.get("tables").html
