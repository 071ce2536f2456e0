"""Random operations through HBase's own Java client: before a real HBase, and before our server.

    python -m tests.clients.java_judge --operations 100000 --seed 1

The same episodes as `tests/hbase/cluster_judge.py`, line by line into two processes with the same client. Their answers
are the same, exception classes included; of timestamps that servers give, which command they belong to. HBase is right.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import rowstone as rs
from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase
from tests.hbase.cluster_judge import random_episode
from tests.oracle.build import class_path, compiled
from tests.oracle.oracle import is_command
from tests.script.answers import Answer
from tests.script.online import Clock
from tests.script.runners.online import AHEAD_MS, APART_MS, now_ms
from tests.script.text import to_text

SOURCE = Path(__file__).parent / "judge" / "ClientOracle.java"
END_MARK = "\x04"
SHRINKING_LINES = 12
"""Number of commands before a difference that are printed with it."""


class ClientProcess:
    """A JVM with HBase's client, and a clock that says when each command ran."""

    SOURCES = (SOURCE,)
    MAIN = "ClientOracle"
    JAVA = ("java", "-Xmx512m", "-XX:TieredStopAtLevel=1")

    def __init__(self, *arguments: str) -> None:
        base = class_path()
        classes = compiled(list(self.SOURCES), [base], self.MAIN)
        self._process = subprocess.Popen(
            [*self.JAVA, *JAVA_OPTIONS, "-cp", os.pathsep.join([str(classes), base]),
             f"org.apache.hadoop.hbase.regionserver.{self.MAIN}", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        )  # fmt: skip
        self._errors: deque[str] = deque(maxlen=40)
        self._reader = Thread(target=self._read_errors, daemon=True)
        self._reader.start()
        self._last_ms = 0
        self.clock = Clock()

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        self._errors.extend(self._process.stderr)

    def call(self, line: str) -> Answer:
        """Send a command and return the client's answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer: Answer = []
        for text in self._process.stdout:
            if text.rstrip("\n") == END_MARK:
                return answer
            answer.append(text.rstrip("\n"))
        raise RuntimeError("the client died: " + "".join(self._errors))

    def begin(self, table: str, splits: Sequence[bytes]) -> None:
        """A new episode."""
        self.clock = Clock()
        self.call(" ".join(["named", table, *map(to_text, splits)]))

    def answer(self, number: int, line: str) -> Answer:
        """The answer to one command of the episode, without the moments that only its clock knows."""
        while (missing := self._last_ms + APART_MS - now_ms()) > 0:
            time.sleep(missing / 1000)
        began = now_ms()
        answer = self.call(line)
        self._last_ms = now_ms()
        self.clock.ran(number, (began, self._last_ms + AHEAD_MS))
        return self.clock.plain(answer)

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                # Unsent input of an ended process does not matter.
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


@dataclass
class Totals:
    """Results of all episodes."""

    episodes: int = 0
    operations: int = 0
    failed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.operations:,} operations in {self.episodes:,} episodes, {len(self.failed)} failed"


def judge_episode(seed: int, hbase: ClientProcess, server: ClientProcess) -> tuple[int, str | None]:
    """Run an episode; return its number of commands and the first difference."""
    episode = random_episode(seed)
    lines = [line for line in episode.lines if is_command(line)]
    name = f"judge_{time.time_ns():x}"
    for process in (hbase, server):
        process.begin(name, episode.splits)
    difference = None
    for number, line in enumerate(lines):
        wanted, found = hbase.answer(number, line), server.answer(number, line)
        if wanted != found:
            shown = [f"seed {seed}, regions at {list(episode.splits)}, command {number}: {line}"]
            shown += [f"  HBase:  {text}" for text in wanted] + [f"  server: {text}" for text in found]
            shown += ["  table and commands before:", *lines[:1], *lines[max(1, number - SHRINKING_LINES) : number]]
            difference = "\n".join(shown)
            break
    for process in (hbase, server):
        process.call("drop")
    return len(lines), difference


def judge(hbase_address: str, server_address: str, operations: int, first_seed: int) -> Totals:
    """Run episodes until this many operations were compared."""
    totals = Totals()
    hbase, server = ClientProcess(hbase_address), ClientProcess(server_address)
    with contextlib.closing(hbase), contextlib.closing(server):
        while totals.operations < operations:
            seed = first_seed + totals.episodes
            count, difference = judge_episode(seed, hbase, server)
            totals.operations += count
            totals.episodes += 1
            if difference is not None:
                totals.failed.append(f"seed {seed}")
                print(f"\n{difference}", flush=True)
            print(f"\r{totals}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return totals


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 if the server does not differ from HBase."""
    parser = argparse.ArgumentParser(prog="java_judge", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--operations", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    options = parser.parse_args(arguments)
    with StandaloneHBase() as hbase, rs.serve(":memory:", port=0, zk_port=None) as server:
        address = f"127.0.0.1:{hbase.master_port}"
        totals = judge(address, f"127.0.0.1:{server.port}", options.operations, options.seed)
    print(f"seeds from {options.seed}: {totals}")
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
