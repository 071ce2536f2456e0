"""HBase's own tools before our server: those marked as quick of `tests/ecosystem`, with the answers that HBase gave."""

from __future__ import annotations

from pathlib import Path

from tests.ecosystem import results
from tests.ecosystem.description import read
from tests.ecosystem.run import run_program

LEAST_TESTS = 8


def test_hbase_tools_answer_as_on_hbase(tmp_path: Path) -> None:
    program = read("hbase")
    quick = program.select([test.name for test in program.tests if test.quick])
    outcomes = run_program(quick, "rowstone", tmp_path / "rowstone")
    recorded = results.read_results()
    assert len(outcomes) >= LEAST_TESTS
    for name, outcome in outcomes.items():
        assert outcome.passed, f"{name}: {outcome.answer}"
        assert outcome.answer == recorded["hbase", name].answer, name
