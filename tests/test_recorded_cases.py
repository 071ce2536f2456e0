"""The reference model and the store answer every recorded script as HBase did.

Recorded answers are in `tests/cases`; what is not compared is listed in `tests/script/compare.py`.
"""

from __future__ import annotations

import pytest

from tests.script.compare import first_difference
from tests.script.recorded import Case, load_cases
from tests.script.runners.base import run_script
from tests.script.runners.model import ModelRunner
from tests.script.runners.store import StoreRunner, needs_disk

CASES = load_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_model_answers_as_hbase_did(case: Case) -> None:
    answers = run_script(ModelRunner(), case.commands)
    difference = first_difference(case.lines, case.commands, case.answers, answers)
    assert difference is None, f"\n{difference}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_store_answers_as_hbase_did(case: Case) -> None:
    answers = run_script(StoreRunner(on_disk=needs_disk(case.commands)), case.commands)
    difference = first_difference(case.lines, case.commands, case.answers, answers, with_store=True)
    assert difference is None, f"\n{difference}"
