"""The judge itself: HBase's readers agree, our import of a snapshot has the same cells, and differences are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from tests.roots import text
from tests.roots.comparing import find_difference
from tests.roots.plan import CONTENTS
from tests.roots.session import LIVE, RootSession, snapshot_place

UNCHANGED = (
    "compacted_1",
    "enc_PREFIX_1",
    "expiring_1",
    "divided_1",
    "united_1",
    "linked_2",
    "restored_2",
    "tracked_1",
)
"""Snapshots whose tables were not written any more."""
EVERYTHING = "scan raw versions=all"


@pytest.mark.parametrize("snapshot", UNCHANGED)
def test_both_readers_of_hbase_find_the_same(session: RootSession, snapshot: str) -> None:
    table = CONTENTS.snapshots[snapshot]
    for scan in ("scan", EVERYTHING):
        found = session.dump(snapshot_place(snapshot), table, scan)
        assert found == session.dump(LIVE, table, scan)
        assert found.cells > 0


@pytest.mark.parametrize("snapshot", ["enc_FAST_DIFF_1", "divided_1", "linked_1"])
def test_an_import_of_the_snapshot_has_the_same_cells(session: RootSession, tmp_path: Path, snapshot: str) -> None:
    table = CONTENTS.snapshots[snapshot]
    with rs.connect(tmp_path / "db", configuration={"rowstone.compaction.background": False}) as db:
        db.admin.snapshots.import_from(snapshot, session.root)
        db.admin.snapshots.clone(snapshot, "imported")
        for scan in ("scan", EVERYTHING):
            assert not find_difference(session, snapshot_place(snapshot), table, db.table("imported"), scan)


def test_a_difference_is_shown(session: RootSession, tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", configuration={"rowstone.compaction.background": False}) as db:
        db.admin.snapshots.import_from("divided_1", session.root)
        db.admin.snapshots.clone("divided_1", "imported")
        table = db.table("imported")
        first = next(iter(table.scan()))
        table.put(first.key, {"f:another": "value"}, timestamp=5)
        difference = find_difference(session, snapshot_place("divided_1"), "divided", table, EVERYTHING)
    assert f"ours  {first.key.decode('latin-1')}/f:another@5 Put value" in difference


def test_the_first_difference_has_the_lines_before() -> None:
    lines = [f"{number:02x} 66 71 {number} Put 76\n" for number in range(65, 75)]
    changed = [*lines[:5], "46 66 72 70 Put 76\n", *lines[6:]]
    assert text.first_difference(lines, lines) == ""
    assert text.first_difference(lines, changed) == (
        "cell 5:\n    C/f:q@67 Put v\n    D/f:q@68 Put v\n    E/f:q@69 Put v\n"
        "  HBase F/f:q@70 Put v\n  ours  F/f:r@70 Put v"
    )
    assert "ours  (no more cells)" in text.first_difference(lines, lines[:3])


def test_a_long_value_is_its_length_and_digest() -> None:
    assert text.value_text(b"ab") == "6162"
    assert text.value_text(b"a" * 41).startswith("#41:")
