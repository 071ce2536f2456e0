"""The latency benchmark counts a stall for every call that was due in it, and reports quantiles, table and plot."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from benches import latency
from benches.latency_peers import SCAN_ROWS, Control, Event, Rowstone, Store
from benches.latency_report import NOTHING, OPERATIONS, OUTSIDE, Phase, Quantiles, Result, caption, markdown, picture

PLAN = latency.Plan(
    rows=300,
    value_bytes=100,
    write_rate=2_000,
    probe_rate=100,
    scan_rate=50,
    warm_seconds=0.1,
    idle_seconds=0.1,
    seconds=0.2,
)


class Clock:
    """A clock that only moves when something sleeps or works."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def phase(latencies: list[float], rate: float = 10, events: list[Event] | None = None) -> Phase:
    names = (*OPERATIONS, NOTHING, OUTSIDE)
    return Phase(
        len(latencies) / rate, dict.fromkeys(names, rate), dict.fromkeys(names, latencies), events or [], [0.001]
    )


def result(busy: Phase, idle: Phase | None = None) -> Result:
    return Result("rowstone", 1_000, 20_000, idle or phase([0.001] * 20), busy, "0.1 0.1 0.1")


def test_a_stall_delays_every_call_that_was_due_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, calls = Clock(), []
    monkeypatch.setattr(latency, "time", clock)

    def call() -> None:
        calls.append(clock.now)
        clock.now += 0.35 if len(calls) == 3 else 0.01

    found = latency.probe(call, 10, 0.0, 1.0)
    # The third call takes 350 ms; the calls that were due 100, 200 and 300 ms later wait for it.
    assert found.tolist() == pytest.approx([0.01, 0.01, 0.35, 0.26, 0.17, 0.08, 0.01, 0.01, 0.01, 0.01])
    assert calls[2:7] == pytest.approx([0.2, 0.55, 0.56, 0.57, 0.6])


def test_quantiles_are_exact() -> None:
    found = Quantiles.of([number / 1000 for number in range(1000, 0, -1)])
    assert (found.p50, found.p99, found.p999, found.most) == pytest.approx((500, 990, 999, 1000))
    assert found.stalls == 950
    assert Quantiles.of([0.05]) == Quantiles(50, 50, 50, 50, 0)


def test_quantiles_by_second_are_of_the_calls_that_were_due_then() -> None:
    found = phase([0.001] * 10 + [0.002] * 9 + [0.3]).by_second("put")
    assert [(round(second.p50), round(second.most)) for second in found] == [(1, 1), (2, 300)]


def test_the_table_marks_what_misses_the_goals() -> None:
    text = markdown([result(phase([0.001] * 19 + [0.006]))])
    assert "| 1000 B | rowstone | put | 1.0 / 1.0 / 1.0 / 1.0 | 1.0 / 6.0 / 6.0 / 6.0 | **6.0** | 0 |" in text
    text = markdown([result(phase([0.001] * 19 + [0.060]), phase([0.020]))])
    assert "| 3.0 | **1** |" in text


def test_the_table_counts_the_background_work() -> None:
    events = [Event("flush", 0.1, 0.4), Event("flush", 0.6, 0.9), Event("compaction", 1, 2), Event("log roll", 1, 1)]
    assert "| 20,000 | 1.0 / 1.0 | 2 | 1 | 0.1 0.1 0.1 |" in markdown([result(phase([0.001] * 20, events=events))])


def test_the_plot_has_a_panel_for_each_operation_and_store() -> None:
    events = [Event("flush", 0.1, 0.4), Event("compaction", 1, 2), Event("split", 1, 1)]
    found = ElementTree.fromstring(picture([result(phase([0.001] * 20, events=events))] * 2))
    lines = [one for one in found.iter() if one.get("class") == "line red" and "L" in (one.get("d") or "")]
    assert len(lines) == 2 * len(OPERATIONS)
    for kind in ("flush", "compaction"):
        # One more in the legend.
        assert sum(one.get("class") == kind for one in found.iter()) == 2 * len(OPERATIONS) + 1


@pytest.mark.parametrize("kind", [Control, Rowstone])
def test_the_bench_measures_every_call(kind: type[Store], tmp_path: Path) -> None:
    found = latency.measure(kind(), PLAN, tmp_path)
    for measured, seconds in ((found.idle, PLAN.idle_seconds), (found.busy, PLAN.seconds)):
        counts = {name: len(latencies) for name, latencies in measured.latencies.items()}
        often, seldom = int(PLAN.probe_rate * seconds), int(PLAN.scan_rate * seconds)
        assert counts == {"put": often, "get": often, "scan": seldom, NOTHING: often, OUTSIDE: often}
    assert len(found.busy.lags) == round(PLAN.seconds / latency.TICK_SECONDS)
    options = latency.options_of(["--values", "100", "--rows", "300", "--write-rates", "2000"])
    facts = dict.fromkeys(("cpu", "system", "python", "versions", "load", "at", "load at the end"), "?")
    assert "300 rows of 100 B" in caption(options, facts)


def test_reads_that_find_too_little_are_an_error(tmp_path: Path) -> None:
    class Forgetful(Control):
        def scan(self, start: bytes) -> int:
            return SCAN_ROWS - 1

    with pytest.raises(AssertionError, match="did not find all their values"):
        latency.measure(Forgetful(), PLAN, tmp_path)
