"""The long mixed load, for some seconds."""

from pathlib import Path

from tests.crash.soak import Sample, growth, run


def test_answers_stay_right_under_a_mixed_load(tmp_path: Path) -> None:
    operations, samples, problems = run(0.05, 1, tmp_path / "db")
    assert not problems
    assert operations > 100
    assert samples


def test_growth_is_noticed() -> None:
    flat = [Sample(100, 50, 9, 200)] * 16
    assert growth(flat) == []
    leaking = [Sample(100 + 10 * number, 50, 9, 200) for number in range(16)]
    assert growth(leaking) == ["resident_mb grew from 165.0 to 225.0"]
