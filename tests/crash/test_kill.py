"""kill -9 in the middle of writing: nothing acknowledged is lost, no row is torn, nothing deleted comes back.

`ROWSTONE_KILLS` says how many; `ROWSTONE_SEED` chooses others. `make kills` is for thousands.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.crash.harness import run
from tests.crash.oracle import Content, Lost, Operation, Oracle

KILLS = int(os.environ.get("ROWSTONE_KILLS", "100"))
SEED = int(os.environ.get("ROWSTONE_SEED", "20"))


def test_nothing_acknowledged_is_lost_by_kill_9(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = run(tmp_path / "db", KILLS, SEED, longest=2.0)
    with capsys.disabled():
        print(f"\nseed {SEED}: {report}")
    assert report.acknowledged > 20 * KILLS


JOURNAL = b"E\nI 0 1 put 0-001\nA 0 1\nI 0 2 delete 0-001\nI 3 1 put 3-001\nA 3 1\nI 4 1 put 4-001\nA 4 1\n"


def rows_of(**rows: str) -> dict[str, tuple[str, int]]:
    return {name.replace("r", "").replace("_", "-"): (identity, 0) for name, identity in rows.items()}


@pytest.mark.parametrize(
    ("rows", "is_kept"),
    [
        (rows_of(r0_001="1", r3_001="1"), True),
        (rows_of(r3_001="1"), True),  # the delete that was under way
        (rows_of(r0_001="1"), True),  # ASYNC_WAL and SKIP_WAL may lose
        (rows_of(r0_001="2"), False),  # was never written
        (rows_of(r0_001="1", r0_002="1"), False),
        (rows_of(r0_001="1", r3_001="2"), False),
    ],
)
def test_the_oracle_knows_a_loss(rows: dict[str, tuple[str, int]], is_kept: bool) -> None:
    oracle = Oracle()
    assert oracle.read(JOURNAL)
    if is_kept:
        oracle.check(rows)
    else:
        with pytest.raises(Lost):
            oracle.check(rows)


def test_the_oracle_expects_what_a_flush_or_a_later_write_made_safe() -> None:
    for later in (b"F 1,0,0,1,1\n", b"I 1 1 put 1-001\nA 1 1\n"):
        oracle = Oracle()
        oracle.read(JOURNAL + later)
        with pytest.raises(Lost, match=r"thread [13]"):
            oracle.check(rows_of(r0_001="1"))


def test_a_content_knows_what_an_operation_makes_of_it() -> None:
    content = Content().after(Operation(1, "batch", ["x", "y"])).after(Operation(2, "delete", ["x"]))
    assert content.after(Operation(3, "count", ["c"])) == Content({"y": "1"}, 1)
