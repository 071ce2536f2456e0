"""Random operations against a whole HBase, through the client; against the store; and against the model.

    python -m tests.hbase.cluster_judge hbase://127.0.0.1:16000             ten minutes, 20,000 operations
    python -m tests.hbase.cluster_judge hbase://… --operations 2000000 --seconds 0
    python -m tests.hbase.cluster_judge hbase://… --seed 17 --episodes 1    one episode again

An episode is one random script (`tests/script/generate`) in a table of its own, some of them of several
regions. HBase is right. A difference is shrunk and printed, with the seed that leads to it. What is not
compared, and why:

* timestamps that servers give, see `tests/script/online.py`;
* what `tests/script/compare.py` lists for the store, and whatever needs HBase's clock to be moved (times to
  live): a single region of HBase with a clock of ours judges that (`tests/hbase/judge.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import rowstone as rs
from tests.oracle.oracle import is_command
from tests.reference import HBaseError
from tests.script import commands as c
from tests.script.answers import Answer
from tests.script.compare import Difference, first_difference
from tests.script.generate.scripts import Weights, random_script
from tests.script.generate.shape import Shape, random_shape
from tests.script.generate.shrink import shrink
from tests.script.online import Clock
from tests.script.parse import ParseError, parse_script
from tests.script.runners.base import CannotAnswer, CannotGoOn
from tests.script.runners.model import ModelRunner
from tests.script.runners.online import AHEAD_MS, OnlineRunner
from tests.script.runners.store import StoreRunner

SECONDS, OPERATIONS = 600, 20_000
EPISODE_LENGTH = 400
SHRINKING_RUNS = 60
"""A table is made and dropped for each: shrinking on a cluster is slow."""

WEIGHTS = Weights(
    put=30, delete=14, read_modify_write=9, check_and_mutate=8, mutate_row=6, batch=6, scan=19, get=12,
    scanner=0, flush=0, compact=0, minor=0, major=0, reopen=0, clock=0, internals=0,
)  # fmt: skip
MAINTENANCE = 0.002
"""The share of flushes and major compactions: HBase takes seconds for one."""


@dataclass(frozen=True)
class Episode:
    """One script and the regions of its table."""

    seed: int
    lines: list[str]
    splits: tuple[bytes, ...]


def random_episode(seed: int, length: int = EPISODE_LENGTH) -> Episode:
    """The episode with this seed."""
    random = Random(seed)
    shape = online_shape(random)
    lines = random_script(seed, WEIGHTS, length, shape)
    lines = [line for line in lines if line.split()[0] not in ("rawfile", "files", "mvcc", "now", "+now", "conf")]
    for _ in range(_count(random, MAINTENANCE * length)):
        lines.insert(random.randrange(2, len(lines)), random.choice(["flush", "major"]))
    splits = tuple(sorted(random.sample([b"aa", b"b", b"b\x00"], random.choice([0, 0, 1, 2]))))
    return Episode(seed, [line for line in lines if not has_two_clocks(line)], splits)


def has_two_clocks(line: str) -> bool:
    """Whether a conditional change both puts a cell and appends to or increments it, with the current time.

    HBase reads its clock once for the puts and again for the others (`HRegion.checkAndMutate`, `mutateRow`). Whether
    they become one cell or two depends on the millisecond."""
    name, _, changes = line.partition(" : ")
    if not name.startswith("cam "):
        return False
    put, added = set[str](), set[str]()
    for change in changes.split(" ; "):
        kind, _, *rest = change.split()
        if kind == "put":
            put.update(column for column, stamp in itertools.pairwise(rest) if stamp == "LATEST")
        elif kind in ("app", "inc"):
            added.update(column for column in rest if ":" in column)
    return bool(put & added)


def online_shape(random: Random) -> Shape:
    """A table without TTLs, because the clock of a cluster cannot be set; without the empty qualifier, because some
    scans that meet it keep HBase, and with it all further episodes, busy forever; and without NEW_VERSION_BEHAVIOR,
    whose defects in HBase the longer scripts would meet (`tests/hbase/judge.py` covers it)."""
    shape = random_shape(random)
    left_out = ("TTL", "MINV", "NVB")
    families = tuple(
        dataclasses.replace(
            family,
            options=tuple(pair for pair in family.options if pair[0] not in left_out),
            new_versions=False,
        )
        for family in shape.families
    )
    timestamps = tuple(random.choice(range(1, 11)) for _ in range(8))
    qualifiers = tuple(qualifier or "r" for qualifier in shape.qualifiers)
    return dataclasses.replace(
        shape,
        families=families,
        configuration=(),
        timestamps=timestamps,
        qualifiers=qualifiers,
        cell_ttls_ms=(3_600_000,),
        one_write_a_row=True,
    )


def _count(random: Random, expected: float) -> int:
    whole = int(expected)
    return whole + (random.random() < expected - whole)


@dataclass
class Verdict:
    """Result of an episode."""

    operations: int
    differences: dict[str, Difference] = field(default_factory=dict)


class ClusterJudge:
    """Runs episodes on a cluster, the store and the model."""

    def __init__(self, url: str) -> None:
        self._database = rs.connect(url)
        self._tables = 0
        # Moving a region flushes it, at a moment of HBase's choice; no other flush runs meanwhile.
        with contextlib.suppress(rs.errors.UnsupportedOperation):
            self._database.admin.switches.set("balancer", False)

    def close(self) -> None:
        """Ends the connection."""
        with contextlib.suppress(rs.errors.UnsupportedOperation):
            self._database.admin.switches.set("balancer", True)
        self._database.close()

    def judge(self, lines: Sequence[str], splits: tuple[bytes, ...]) -> Verdict:
        """Runs one script everywhere, command by command, and compares."""
        asked = [line for line in lines if is_command(line)]
        commands = parse_script(asked)
        self._tables += 1
        name = f"judge_{time.time_ns():x}_{self._tables}"
        expected: list[Answer | None] = []
        answers: dict[str, list[Answer | None]] = {"store": [], "model": []}
        able = {"store": True, "model": True}
        clock, own_clock = Clock(), Clock()
        with (
            OnlineRunner(self._database, name, splits) as cluster,
            _SplitStoreRunner(splits) as store,
            _ClientModelRunner(splits) as model,
        ):
            parties: dict[str, Any] = {"store": store, "model": model}
            for number, command in enumerate(commands):
                answer = cluster.run(command)
                clock.ran(number, cluster.span_ms)
                expected.append(clock.plain(answer))
                moment = cluster.span_ms[0]
                own_clock.ran(number, (moment, moment + AHEAD_MS))
                for party, runner in parties.items():
                    asks = able[party] and not (party == "model" and splits and _minds_regions(command))
                    found = _answer(runner, command, moment) if asks else None
                    able[party] = found is not None or not _writes(command)
                    answers[party].append(None if found is None else own_clock.plain(found))
        differences = {
            party: found
            for party, given in answers.items()
            if (found := first_difference(asked, commands, expected, given, with_store=True))
        }
        return Verdict(len(commands), differences)

    def shrunk(self, episode: Episode, party: str, found: Difference) -> list[str]:
        """A small script on which the party still differs at the same kind of command."""
        kind = found.line.split()[0]

        def fails(candidate: list[str]) -> bool:
            try:
                still = self.judge(candidate, episode.splits).differences.get(party)
            except (ParseError, KeyError):
                return False
            return still is not None and still.line.split()[0] == kind

        before = episode.lines[: _place(episode.lines, found) + 1]
        return shrink(before, fails, SHRINKING_RUNS)


def _place(lines: Sequence[str], found: Difference) -> int:
    numbers = [index for index, line in enumerate(lines) if is_command(line)]
    return numbers[found.index]


class _SplitStoreRunner(StoreRunner):
    """The store, in as many regions as the cluster."""

    asks_region = False

    def __init__(self, splits: tuple[bytes, ...]) -> None:
        super().__init__()
        self._splits = list(splits)

    def _create(self, command: c.Table) -> None:
        super()._create(command)
        if self._splits:
            schema = self._database.admin.describe(self._name)
            self._database.drop_table(self._name, force=True)
            self._database.create_table(self._name, schema.families, splits=self._splits)


class _ClientModelRunner(ModelRunner):
    """The model as clients see HBase: increments and appends of a batch happen each on its own, in order.

    It has one region: what a filter answers that counts or ends scans depends on how many there are."""

    def __init__(self, splits: tuple[bytes, ...]) -> None:
        super().__init__()
        self._has_regions = bool(splits)

    def run(self, command: c.Command) -> Answer:
        if self._has_regions and isinstance(command, c.Scan) and command.read.filter is not None:
            raise CannotAnswer("the model has one region")
        return super().run(command)

    def _write(self, command: c.Command) -> Answer:
        if not isinstance(command, c.Batch):
            return super()._write(command)
        lines: Answer = []
        is_alone = lambda mutation: isinstance(mutation, c.Increment | c.Append)  # noqa: E731
        for alone, run in itertools.groupby(command.mutations, key=is_alone):
            if not alone:
                lines += super()._write(c.Batch(tuple(run)))
                continue
            for mutation in run:
                try:
                    super()._write(c.ReadModifyWrite(mutation))
                    lines.append("status SUCCESS ")
                except HBaseError as error:
                    lines.append(f"status {error.name} {error.message}")
        return lines


def _answer(runner: Any, command: c.Command, moment: int) -> Answer | None:
    try:
        runner.run(c.SetClock(moment))
        return runner.run(command)  # type: ignore[no-any-return]
    except (CannotAnswer, CannotGoOn):
        return None


def _minds_regions(command: c.Command) -> bool:
    """Whether the answer depends on where regions begin: each has a filter of its own, and the model has one region."""
    stateful = ("PageFilter", "WHILE", "ColumnCountGetFilter", "RandomRowFilter")
    text = command.read.filter if isinstance(command, c.Scan) else None
    return any(name in (text or "") for name in stateful)


def _writes(command: c.Command) -> bool:
    """Whether later answers depend on it."""
    return not isinstance(command, c.Scan | c.Get | c.OpenScanner | c.StepScanner | c.DrainScanner | c.Internals)


@dataclass
class Totals:
    """Results of all episodes."""

    episodes: int = 0
    operations: int = 0
    failed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.operations:,} operations in {self.episodes:,} episodes, {len(self.failed)} failed"


def judge_for(judge: ClusterJudge, first_seed: int, seconds: float, operations: int, episodes: int = 0) -> Totals:
    """Run episodes until both the time and the number of operations are reached; or a given number of episodes."""
    totals, began = Totals(), time.monotonic()
    for episode in _episodes(first_seed, episodes):
        if not episodes and totals.operations >= operations and time.monotonic() - began >= seconds:
            break
        verdict = judge.judge(episode.lines, episode.splits)
        totals.episodes += 1
        totals.operations += verdict.operations
        for party, found in verdict.differences.items():
            totals.failed.append(f"seed {episode.seed}: the {party} differs from HBase")
            print(f"\n{totals.failed[-1]} (regions at {list(episode.splits)})\n{found}", flush=True)
            if len(totals.failed) <= 3:
                print("shrunk to:\n  " + "\n  ".join(judge.shrunk(episode, party, found)), flush=True)
        if sys.stdout.isatty():
            print(f"\r{totals}", end="", flush=True)
    return totals


def _episodes(first_seed: int, count: int) -> Iterator[Episode]:
    seed = first_seed
    while not count or seed < first_seed + count:
        yield random_episode(seed)
        seed += 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 if all answers equal HBase's."""
    parser = argparse.ArgumentParser(prog="cluster_judge", description="Store and model against a whole HBase.")
    parser.add_argument("url", help="of the cluster, such as hbase://127.0.0.1:16000")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="at least so long")
    parser.add_argument("--operations", type=int, default=OPERATIONS, help="at least so many")
    parser.add_argument("--episodes", type=int, default=0, help="so many episodes, whatever time they take")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    options = parser.parse_args(arguments)
    judge = ClusterJudge(options.url)
    try:
        totals = judge_for(judge, options.seed, options.seconds, options.operations, options.episodes)
    finally:
        judge.close()
    print(f"\n{totals}")
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
