"""The long mixed load, for some seconds; and what it calls flat."""

from pathlib import Path

from tests.crash.soak import Sample, growth, run, trend

NOT_FLAT = [55, 63, 64, 65, 66, 66, 69, 69, 72, 74, 74, 74, 74, 74, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75]
NOT_FLAT += [75, 77, 79, 80, 81, 82, 82, 83, 83, 83, 83, 83, 83, 83, 83, 83, 83, 83, 83, 84, 84, 84, 85, 90, 91, 91, 91]
"""Resident memory of a run of 118 minutes, every two of them: freed memory that was not given back (2026-11-21)."""


def samples(megabytes: list[float]) -> list[Sample]:
    return [Sample(2.0 * number, resident, 14, 7, 12) for number, resident in enumerate(megabytes)]


def test_answers_stay_right_under_a_mixed_load(tmp_path: Path) -> None:
    operations, found, problems = run(0.05, 1, tmp_path / "db")
    assert not problems
    assert operations > 100
    assert found


def test_outliers_do_not_count_as_growth() -> None:
    assert growth(samples([90.0] * 10 + [60, 61, 59, 95, 60, 61, 60, 59, 30, 61, 60])) == []
    assert trend(samples([60.0] * 20), "resident_mb").level == 60.0


def test_growth_is_noticed() -> None:
    leaking = [60 + 0.1 * number for number in range(60)]
    assert growth(samples(leaking)) == ["resident_mb rose by 2.9 to about 64.5, 3.0 an hour"]


def test_steps_with_long_rests_are_growth() -> None:
    (found,) = growth(samples([float(one) for one in NOT_FLAT]))
    assert found.startswith("resident_mb rose by ")
