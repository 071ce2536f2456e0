"""A table and its coprocessor index under kill -9: the small form of `make index-kills` (checklist 210)."""

from __future__ import annotations

from pathlib import Path

from tests.checklist import checklist
from tests.indexes.kills import run


@checklist("210", clause="never apart under kill -9")
def test_indexes_survive_three_kills(tmp_path: Path) -> None:
    assert "none apart" in run(tmp_path / "db", 3, 1)
