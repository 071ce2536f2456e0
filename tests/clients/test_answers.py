"""Answers to HBase's Java client, line by line, that a real HBase gave to the same calls (`answers.py`)."""

from __future__ import annotations

from pathlib import Path

import rowstone as rs
from tests.clients.answers import RECORDED, session

LEAST = 240
DOCUMENT = Path(__file__).parents[2] / "docs/explanation/differences.md"


def documented() -> list[tuple[str, str, str]]:
    """Rows of the document's table: the case, HBase's answer, ours."""
    table = DOCUMENT.read_text().partition("<!-- java: begin -->\n")[2].partition("<!-- java: end -->")[0]
    rows = [[cell.strip().strip("`") for cell in line.strip("| ").split(" | ")] for line in table.splitlines()[2:]]
    return [(row[0], row[1], row[2]) for row in rows]


def test_the_java_client_is_answered_as_by_hbase(tmp_path: Path) -> None:
    with rs.serve(tmp_path / "db", port=0, zk_port=None) as server:
        found = session(f"127.0.0.1:{server.port}")
    expected = RECORDED["AnswersSession"].read_text().splitlines()
    assert len(expected) >= LEAST
    assert found == expected


def test_different_answers_match_the_documentation(tmp_path: Path) -> None:
    """docs/explanation/differences.md shows each case with both answers: HBase's as recorded, ours as given now."""
    with rs.serve(tmp_path / "db", port=0, zk_port=None) as server:
        found = dict(line.split(": ", 1) for line in session(f"127.0.0.1:{server.port}", "DifferentAnswers"))
    recorded = dict(line.split(": ", 1) for line in RECORDED["DifferentAnswers"].read_text().splitlines())
    assert [(what, recorded[what], found[what]) for what in found] == documented()
    assert all(recorded[what] != found[what] for what in found)
