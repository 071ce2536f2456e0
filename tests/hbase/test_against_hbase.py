"""HBase, the reference model and the store give the same answers to random scripts.

Needs Java and Maven. ROWSTONE_JUDGE_SCRIPTS and ROWSTONE_JUDGE_SEED set the number of scripts and the first seed.
`python -m tests.hbase.judge` does the same with a progress bar and more options.
"""

from __future__ import annotations

import os

from tests.hbase import judge


def test_recorded_answers_are_still_hbases() -> None:
    assert judge.check_recorded() == []


def test_random_scripts_have_equal_results() -> None:
    count = int(os.environ.get("ROWSTONE_JUDGE_SCRIPTS", judge.SCRIPTS))
    seed = int(os.environ.get("ROWSTONE_JUDGE_SEED", "0"))
    with judge.Judge(with_store=True) as party:
        totals = judge.judge_all(party, judge.random_scripts(seed, count), write=False)
    judge.print_totals(totals)
    assert totals.failed == []
