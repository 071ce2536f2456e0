"""State machine test: the store answers as the reference model, for any sequence of operations.

Hypothesis generates a table and a sequence of writes, reads, flushes, compactions, clock changes and reopenings. Each
step is a line of the script language, executed by both. A failure prints the script, which `tests/hbase/judge.py` can
run on a real HBase.
"""

from __future__ import annotations

from random import Random

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.script.compare import first_difference
from tests.script.generate.mutations import Mutations
from tests.script.generate.reads import Reads
from tests.script.generate.scripts import MOST_FILES
from tests.script.generate.shape import random_shape
from tests.script.parse import parse
from tests.script.runners.base import CannotAnswer, CannotGoOn, Runner
from tests.script.runners.model import FIRST_NOW, ModelRunner
from tests.script.runners.store import StoreRunner

# Seeds instead of st.randoms(): Hypothesis prefers simple choices, which rarely meet each other in
# one column. It still drops steps from a failing run.
RANDOMS = st.integers(0, 2**32 - 1).map(Random)


class StoreAgainstModel(RuleBasedStateMachine):
    """One store on disk, one model, the same commands."""

    def __init__(self) -> None:
        super().__init__()
        self.model = ModelRunner()
        self.store = StoreRunner(on_disk=True)
        self.lines: list[str] = []
        self.scanners: list[str] = []
        self.scanner_count = 0
        self.differs = False

    @initialize(random=RANDOMS)
    def create(self, random: Random) -> None:
        self.shape = random_shape(random)
        self.mutations = Mutations(random, self.shape)
        self.reads = Reads(random, self.shape)
        self.step(f"now {FIRST_NOW}")
        for line in self.shape.header():
            self.step(line)

    def teardown(self) -> None:
        try:
            if hasattr(self, "shape") and not self.differs:
                while self.scanners:
                    self.drain_scanner()
                for line in ("scan raw versions=all", "flush", "major", "scan raw versions=all"):
                    self.step(line)
        finally:
            self.store.close()

    def step(self, line: str) -> None:
        """Gives both the same command and compares what they say."""
        self.lines.append(line)
        command = parse(line)
        expected = _answer(self.model, line)
        actual = _answer(self.store, line)
        difference = first_difference([line], [command], [expected], [actual], with_store=True)
        if difference is not None:
            self.differs = True
            note("\n".join(["The script:", *self.lines]))
            raise AssertionError(str(difference))

    def write(self, line: str) -> None:
        """A write; with NEW_VERSION_BEHAVIOR each has its own millisecond."""
        if self.shape.any_new_versions:
            self.step("+now 1")
        self.step(line)

    def row(self, random: Random) -> str:
        """A row, with the generators drawing from this rule's choices."""
        self.mutations.random = self.reads.random = random
        return random.choice(self.shape.rows)

    # ---- writes

    @rule(random=RANDOMS)
    def put(self, random: Random) -> None:
        self.write(self.mutations.put(self.row(random)))

    @rule(random=RANDOMS)
    def put_again(self, random: Random) -> None:
        self.put(random)

    @rule(random=RANDOMS)
    def delete(self, random: Random) -> None:
        self.write(self.mutations.delete(self.row(random)))

    @rule(random=RANDOMS)
    def read_modify_write(self, random: Random) -> None:
        self.write(self.mutations.read_modify_write(self.row(random)))

    @rule(random=RANDOMS)
    def check_and_mutate(self, random: Random) -> None:
        self.write(self.mutations.check_and_mutate(self.row(random)))

    @rule(random=RANDOMS)
    def mutate_row(self, random: Random) -> None:
        row = self.row(random)
        self.write(f"rowmut {self.mutations.of_one_row(row, random.randint(2, 4))}")

    @rule(random=RANDOMS)
    def batch(self, random: Random) -> None:
        rows = [self.row(random) for _ in range(random.randint(2, 4))]
        self.write(f"batch {self.mutations.of_rows(rows, with_counters=False)}")

    # ---- reads

    @rule(random=RANDOMS)
    def scan(self, random: Random) -> None:
        self.reads.random = random
        self.step(self.reads.scan())

    @rule(random=RANDOMS)
    def get(self, random: Random) -> None:
        self.step(self.reads.get(self.row(random)))

    @precondition(lambda self: len(self.scanners) < 2 and not self.shape.any_new_versions)
    @rule(random=RANDOMS)
    def open_scanner(self, random: Random) -> None:
        self.reads.random = random
        self.scanner_count += 1
        self.scanners.append(f"s{self.scanner_count}")
        self.step(f"open {self.scanners[-1]} {self.reads.scanner_options()}".rstrip())

    @precondition(lambda self: self.scanners)
    @rule(random=RANDOMS)
    def step_scanner(self, random: Random) -> None:
        self.step(f"step {random.choice(self.scanners)}")

    @precondition(lambda self: self.scanners)
    @rule()
    def drain_scanner(self) -> None:
        self.step(f"drain {self.scanners.pop(0)}")

    # ---- the store

    # After a flush, HBase's scanner continues in the new file; Rowstone's continues in the data it was opened on.
    @precondition(lambda self: not (self.scanners and self.shape.flushes_drop_what_is_read))
    @precondition(lambda self: self.most_files() < MOST_FILES)
    @rule()
    def flush(self) -> None:
        self.step("flush")

    @rule()
    def compact(self) -> None:
        self.step("compact")

    @precondition(lambda self: self.all_families_have_files())
    @rule()
    def major_compact(self) -> None:
        self.step("major")

    @precondition(lambda self: self.most_files() < MOST_FILES)
    @rule()
    def reopen(self) -> None:
        self.scanners.clear()
        self.step("reopen")

    # After a flush, HBase's scanner continues in the new file, without expired cells; Rowstone's does not.
    @precondition(lambda self: not self.scanners)
    @rule(milliseconds=st.sampled_from([1, 400, 3000, 9000]))
    def advance_clock(self, milliseconds: int) -> None:
        self.step(f"+now {milliseconds}")

    def all_families_have_files(self) -> bool:
        """Whether a major compaction has something to do in every family."""
        return all(store.files for store in self.model.region.stores.values())

    def most_files(self) -> int:
        """The number of files of the family that has most."""
        return max(len(store.files) for store in self.model.region.stores.values())


def _answer(runner: Runner, line: str) -> list[str] | None:
    try:
        return runner.run(parse(line))
    except (CannotAnswer, CannotGoOn):
        return None


TestStoreAgainstModel = StoreAgainstModel.TestCase
