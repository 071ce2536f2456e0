"""Random histories of a table: writes of all kinds between flushes, compactions, splits, merges, snapshots and clones.

A history is a function of its seed. After a clone it goes on in the clone. HBase refuses some commands, such as the
split of a region that still has references; `Totals` counts them.

HBase's snapshot scanner does not read backward, uses one filter for all regions, and leaves out a region that begins at
an included stop row. Scans for which this matters are compared only with the live table. There HBase fails when it
reads backward from a reference whose half of the file is empty. `Totals` counts these as unanswered.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from threading import Lock

import rowstone as rs
from tests.hbase.cluster_judge import online_shape
from tests.roots.comparing import find_difference
from tests.roots.session import LIVE, CommandFailed, RootSession, snapshot_place
from tests.roots.tables import CODECS, ENCODINGS
from tests.script.generate.reads import Reads
from tests.script.generate.scripts import Weights, random_script
from tests.script.generate.shape import Shape

LENGTH = 60
"""Number of writes."""
WRITES = Weights(
    put=40, delete=25, read_modify_write=5, check_and_mutate=4, mutate_row=5, batch=6, scan=0, get=0, scanner=0,
    flush=0, compact=0, minor=0, major=0, reopen=0, clock=0, internals=0,
)  # fmt: skip
MAINTENANCE = {"": 60, "flush": 20, "split": 5, "merge": 4, "compact": 3, "major": 3, "snapshot": 5, "clone": 3}
"""Relative frequencies of what comes after a write."""
RANDOM_SCANS = 4
WITH_STATE = ("PageFilter", "WHILE", "ColumnCountGetFilter", "RandomRowFilter")
"""Filters that go on where they were in the region before."""
EMPTY_HALF = "HalfStoreFileReader"
"""In HBase's message when it fails to read a reference backward."""
OF_VALUES = re.compile(r"Value(Exclude)?Filter|DependentColumnFilter|(?<!First)KeyOnlyFilter")
NOT_WRITES = {"table", "now", "+now", "conf", "scan", "rawfile", "files", "mvcc"}

_compacting = Lock()
"""Compactions are on for all tables or for none; no live table is compared meanwhile."""


@dataclass(frozen=True)
class History:
    """Commands for a table of its own, and scans of its snapshots."""

    seed: int
    splits: tuple[str, ...]
    table: str
    lines: list[str]
    scans: list[str]

    def __str__(self) -> str:
        return "\n  ".join([f"seed {self.seed}, regions at {list(self.splits)}", self.table, *self.lines])


@dataclass
class Totals:
    """Results of histories."""

    histories: int = 0
    snapshots: int = 0
    scans: int = 0
    unanswered: int = 0
    commands: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        words = [word for word in MAINTENANCE if word]
        counts = ", ".join(f"{self.commands[word]} {word} ({self.refused[word]} refused)" for word in words)
        scans = f"{self.scans} scans ({self.unanswered} unanswered)"
        return f"{self.histories} histories, {self.snapshots} snapshots, {scans}, {counts}"


def random_history(seed: int) -> History:
    """The history with this seed."""
    random = Random(seed)
    shape = online_shape(random)
    writes = [line for line in random_script(seed, WRITES, LENGTH, shape) if line.split()[0] not in NOT_WRITES]
    lines: list[str] = []
    for write in writes:
        lines.append(write)
        word = random.choices(list(MAINTENANCE), list(MAINTENANCE.values()))[0]
        if word in ("split", "merge"):
            lines.append(f"{word} {random.choice([*shape.rows, 'ab', 'b'])}")
        elif word:
            lines.append(word)
    lines.append("snapshot")
    splits = tuple(sorted(random.sample(["aa", "b", "bb"], random.choice([0, 0, 1, 2]))))
    table = _table_line(random, shape)
    return History(seed, splits, table, lines, _scans(random, shape, has_large="MOB=" in table))


def _table_line(random: Random, shape: Shape) -> str:
    words = []
    for family in shape.families:
        storage = f",ENC={random.choice(ENCODINGS)},COMP={random.choice(list(CODECS.values()))}"
        words.append(family.word() + storage + random.choice(["", "", ",MOB=3"]))
    tracker = random.choice(["", " TABLE,hbase.store.file-tracker.impl=FILE"])
    return f"table t {' '.join(words)}{tracker}"


def _scans(random: Random, shape: Shape, has_large: bool) -> list[str]:
    reads = Reads(random, shape)
    scans = ["scan", "scan raw versions=all"]
    while len(scans) < 2 + RANDOM_SCANS:
        line = reads.scan()
        # HBase's filters see the references to large values. Its snapshot scanner counts pieces of rows as rows, and
        # its client does not count over regions (docs/explanation/differences.md).
        is_different = (has_large and OF_VALUES.search(line)) or ("batch=" in line and "limit=" in line)
        if not is_different:
            scans.append(line)
    return scans


def is_for_snapshots(scan: str) -> bool:
    """Whether HBase's snapshot scanner answers as its servers do."""
    return "rev" not in scan.split() and not any(word in scan for word in ("istop=", *WITH_STATE))


class HistoryJudge:
    """Runs histories on one session, and compares their snapshots and their last table."""

    def __init__(self, session: RootSession) -> None:
        self._session = session
        self.totals = Totals()

    def judge(self, history: History) -> None:
        """Run a history; note the differences in the totals. Tables and snapshots are removed."""
        tables, snapshots = [f"h{history.seed}"], dict[str, str]()
        self._session.run(" ".join(["named", tables[0], *history.splits]), history.table)
        for line in history.lines:
            self._step(line, tables, snapshots)
        for snapshot, table in snapshots.items():
            self._compare(history, snapshot, table)
        self._compare_live(history, tables[-1])
        self.totals.histories += 1
        for snapshot in snapshots:
            self._session.run(f"unsnapshot {snapshot}")
        for table in tables:
            self._session.run(f"named {table}", "drop")

    def _step(self, line: str, tables: list[str], snapshots: dict[str, str]) -> None:
        word = line.split()[0]
        if word == "snapshot":
            name = f"{tables[0]}_s{len(snapshots)}"
            snapshots[name] = tables[-1]
            self._session.run(f"snapshot {name}")
            self.totals.commands[word] += 1
        elif word == "clone":
            if snapshots:
                tables.append(f"{tables[0]}_c{len(tables)}")
                self._session.run(f"clone {list(snapshots)[-1]} {tables[-1]}", f"named {tables[-1]}")
                self.totals.commands[word] += 1
        elif word in ("compact", "major"):
            with _compacting:
                self._session.run("compactions on", line, "compactions off")
            self.totals.commands[word] += 1
        else:
            refused = self._session.call(line)[:1]
            self.totals.commands[word] += 1
            self.totals.refused[word] += bool(refused) and refused[0].startswith("!!")

    def _compare(self, history: History, snapshot: str, table: str) -> None:
        self.totals.snapshots += 1
        scans = [scan for scan in history.scans if is_for_snapshots(scan)]
        with rs.open_root(self._session.root, snapshot=snapshot) as db:
            for scan in scans:
                self._compare_scan(history, snapshot_place(snapshot), db.table(table), scan)

    def _compare_live(self, history: History, table: str) -> None:
        self._session.run(f"named {table}", "flush")
        with _compacting, rs.open_root(self._session.root) as db:
            for scan in history.scans:
                self._compare_scan(history, LIVE, db.table(table), scan)

    def _compare_scan(self, history: History, place: str, table: rs.Table, scan: str) -> None:
        self.totals.scans += 1
        try:
            difference = find_difference(self._session, place, table.name, table, scan)
        except CommandFailed as error:
            if EMPTY_HALF not in str(error):
                raise
            self.totals.unanswered += 1
            return
        if difference:
            self.totals.differences.append(f"{difference}\n{history}")
