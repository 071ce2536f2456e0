"""The oracle of full disks knows a loss, an undone drop and a late write. The disks themselves: `make full-disk`."""

from __future__ import annotations

import pytest

from tests.power.full_disk import Broken, Oracle

FIRST = ["O 5", "E", "I 0 4 t 0-000", "A 0 4 1", "I 0 8 t 0-000", "N 0 8 1 DiskFull: no room"]


def oracle_after(*lines: str) -> Oracle:
    oracle = Oracle()
    for line in lines:
        oracle.read(line)
    return oracle


@pytest.mark.parametrize("found", ["4", "8"])
def test_a_refused_write_may_be_there_or_not(found: str) -> None:
    assert not oracle_after(*FIRST, "O 5", f"R t 0-000 {found}", "E").figures.broken


@pytest.mark.parametrize("found", [[], ["R t 0-000 12"], ["R t 0-000 4", "R t 1-000 5"]])
def test_a_missing_or_an_unknown_write_is_noticed(found: list[str]) -> None:
    with pytest.raises(Broken):
        oracle_after(*FIRST, "O 5", *found, "E")


def test_a_drop_that_was_killed_may_have_happened_and_one_that_was_acknowledged_stays() -> None:
    for found in ([], ["R t 0-000 4"]):
        oracle_after(*FIRST, "D t", "O 5", *found, "E")
    with pytest.raises(Broken, match="there again"):
        oracle_after(*FIRST, "D t", "d t", "O 5", "R t 0-000 4", "E")


def test_a_write_that_waits_and_a_refusal_without_the_reason_are_noticed() -> None:
    late = oracle_after("O 5", "E", "I 0 4 t 0-000", "A 0 4 5001").figures.broken
    other = oracle_after("O 5", "E", "I 0 4 t 0-000", "N 0 4 1 RegionTooBusy: later").figures.broken
    assert "longer than 5000 ms" in late[0]
    assert "without the reason" in other[0]
