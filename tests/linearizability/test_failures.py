"""A failure of a server excuses a difference of the judge, and lets the clients go on only so far."""

from __future__ import annotations

import random
from multiprocessing import get_context

from tests.linearizability.disruptions import Disruptions
from tests.linearizability.history import Outage
from tests.linearizability.judging import Judged, summarize
from tests.linearizability.workers import Tickets


def test_only_an_episode_during_a_failure_may_differ() -> None:
    judged = [Judged(1, 0, 10, 400, None), Judged(2, 11, 20, 400, "the store differs"), Judged(3, 21, 30, 400, "lost")]
    text, problems = summarize(judged, [Outage(19, 20)])
    assert problems == ["judge's episode 3: lost"]
    assert text == (
        "judge: 1,200 operations in 3 episodes, 1 of them with a failure; 1 of these differ\n  2 (the store differs)"
    )


class _FailingTarget:
    """Takes note of how far the clients may go while it fails."""

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets
        self.limits: list[int] = []

    def fail(self, dice: random.Random) -> tuple[str, None]:
        self.limits.append(self._tickets.allowed)
        return "failure", None


def test_a_long_failure_leaves_operations_for_the_next_one() -> None:
    tickets = Tickets(get_context("spawn"), 1)
    target = _FailingTarget(tickets)
    disruptions = Disruptions(target, tickets, operations=100, kills=4, seed=1)  # type: ignore[arg-type]
    while tickets.count < 100:
        tickets.take()
        disruptions.fail_if_due()
    assert disruptions.failures == {"failure": 4}
    assert tickets.allowed > 100
    assert target.limits == sorted(target.limits)
    assert all(0 < limit <= 100 for limit in target.limits)
