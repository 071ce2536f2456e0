"""The cluster judge's random operations, in tables of their own, while an HBase is disturbed.

A judge compares an episode with the store and the model (`tests/hbase/cluster_judge.py`). It knows nothing of failures.
A change whose answer is lost is sent again, and a server that replays a log flushes. So an episode that overlaps the
failure of a region server may differ, and says nothing then.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tests.hbase.cluster_judge import ClusterJudge, random_episode
from tests.linearizability.history import Outage
from tests.linearizability.workers import Tickets


class Judged(NamedTuple):
    """An episode, with its interval in nanoseconds of the monotonic clock."""

    seed: int
    began: int
    ended: int
    commands: int
    problem: str | None
    """The first difference from the store or the model, or an error."""


def live(url: str, first_seed: int, operations: int, tickets: Tickets, file: Path) -> None:
    """Main function of a process that judges episodes until the clients have begun their last operation."""
    judged: list[Judged] = []
    judge = ClusterJudge(url)
    for seed in count(first_seed):
        if tickets.is_stopped or tickets.count >= operations:
            break
        episode = random_episode(seed)
        began, commands, problem = time.monotonic_ns(), 0, None
        try:
            verdict = judge.judge(episode.lines, episode.splits)
            commands = verdict.operations
            problem = next((f"the {party} differs: {found}" for party, found in verdict.differences.items()), None)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        judged.append(Judged(seed, began, time.monotonic_ns(), commands, problem))
    file.write_bytes(pickle.dumps(judged))


def summarize(judged: Sequence[Judged], failures: Iterable[Outage]) -> tuple[str, list[str]]:
    """Return a summary of the episodes, and the problems of those that no failure overlaps."""
    failures = list(failures)
    calm = [
        one for one in judged if all(one.ended < failure.began or one.began > failure.ended for failure in failures)
    ]
    problems = [f"judge's episode {one.seed}: {one.problem}" for one in calm if one.problem]
    disturbed = [one for one in judged if one not in calm]
    excused = [f"{one.seed} ({' '.join(one.problem.split())})" for one in disturbed if one.problem]
    text = (
        f"judge: {sum(one.commands for one in judged):,} operations in {len(judged)} episodes, "
        f"{len(disturbed)} of them with a failure; {len(excused)} of these differ"
    )
    return "\n  ".join([text, *excused]), problems
