"""Random scripts over everything the reference model covers.

A script is a function of its seed. It creates one table and then mixes writes, reads, flushes,
compactions and moves of the clock; at the end it prints everything raw.

HBase itself has holes, which scripts keep away from because there is nothing to compare there:

* Reversed scans never meet an empty qualifier: HBase may loop forever.
* No reversed scanner stays open over a flush: HBase's then returns cells written after it was
  opened.
* The clock stands while a scanner is open, and where families have a TTL or keep deleted cells
  nothing is flushed: HBase's scanner goes on in the file of the flush, without what that left out
  as expired or as a version too many; the store's goes on in what it began with.
* Families with NEW_VERSION_BEHAVIOR have no TTL, no KEEP_DELETED_CELLS, no empty qualifier and no
  ROWCOL Bloom filter, and no time range is asked of them: HBase hangs, fails or lets the answer
  depend on which file a cell is in. One timestamp of a column is written at most twice, since HBase
  counts a third write as a version of its own. Of one write HBase's tracker holds one marker, and
  counts all versions of a column as one: so a delete is written alone, and a column once. Where
  columns are named there is no filter: HBase does not leave a column when a filter says so. No
  scanner stays open: HBase's major compactions then drop cells it needs.
* Filters: no `PrefixFilter` and no `WHILE` where columns are named (HBase shows them helper cells that
  have no row of the table); no
  `FuzzyRowFilter` backwards (its hints jump over rows shorter than the key) nor inside lists (a hint
  it does not have is an error there); no filter by columns that seeks where there is an empty
  qualifier (it jumps over markers of the family); no comparator that looks beyond a value's end.
  With NEW_VERSION_BEHAVIOR no filter where columns are named: HBase does not go to the next column when
  the filter wants to. Pieces of rows are not filtered, and no scanner with a filter stays open.
* A major compaction is asked for when every family has a file. In an empty family HBase would keep
  the wish until there is one.
* A compaction whose choice depends on a few bytes of file size is not asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.reference.selection import is_close_call
from tests.script.generate.mutations import Mutations
from tests.script.generate.reads import Reads
from tests.script.generate.shape import Shape, random_shape
from tests.script.parse import parse
from tests.script.runners.model import FIRST_NOW, ModelRunner

LAST_LINES = ("scan raw versions=100", "rawfile", "files", "mvcc")
SHORTEST, LONGEST = 10, 70
MOST_FILES = 9
"""HBase takes at most ten files into one compaction; up to nine, a major one is really major."""


@dataclass(frozen=True)
class Weights:
    """Relative frequencies of the kinds of commands."""

    put: int = 30
    delete: int = 17
    read_modify_write: int = 5
    check_and_mutate: int = 4
    mutate_row: int = 3
    batch: int = 3
    scan: int = 19
    get: int = 5
    scanner: int = 3
    flush: int = 8
    compact: int = 3
    minor: int = 2
    major: int = 4
    reopen: int = 1
    clock: int = 4
    internals: int = 2


def random_script(
    seed: int, weights: Weights | None = None, length: int | None = None, shape: Shape | None = None
) -> list[str]:
    """The lines of the script with this seed; in a table of this shape, if there is one."""
    return _Generator(Random(seed), weights or Weights(), length, shape).script()


class _Generator:
    """Builds one script. A model runs along, so that choices can depend on the state."""

    def __init__(self, random: Random, weights: Weights, length: int | None, shape: Shape | None) -> None:
        self.random = random
        self.weights = weights
        self.length = length or random.randint(SHORTEST, LONGEST)
        self.shape: Shape = shape or random_shape(random)
        self.mutations = Mutations(random, self.shape)
        self.reads = Reads(random, self.shape)
        self.model = ModelRunner()
        self.open_scanners: list[str] = []
        self.scanner_count = 0
        self.lines: list[str] = []

    def script(self) -> list[str]:
        """The whole script."""
        self.add(f"now {FIRST_NOW}")
        for line in self.shape.header():
            self.add(line)
        kinds = list(vars(self.weights))
        shares = list(vars(self.weights).values())
        while len(self.lines) < self.length:
            kind = self.random.choices(kinds, shares)[0]
            getattr(self, f"_{kind}")()
        for name in self.open_scanners:
            self.add(f"drain {name}")
        for line in LAST_LINES:
            self.add(line)
        return self.lines

    def add(self, line: str) -> None:
        """Writes a line, and lets the model follow."""
        self.lines.append(line)
        self.model.run(parse(line))

    # ---- writes

    def _put(self) -> None:
        self._add_write(self.mutations.put(self._row()))

    def _delete(self) -> None:
        self._add_write(self.mutations.delete(self._row()))

    def _read_modify_write(self) -> None:
        self._add_write(self.mutations.read_modify_write(self._row()))

    def _check_and_mutate(self) -> None:
        self._add_write(self.mutations.check_and_mutate(self._row()))

    def _mutate_row(self) -> None:
        mutations = self.mutations.of_one_row(self._row(), self.random.randint(2, 4))
        self._add_write(f"rowmut {mutations}")

    def _batch(self) -> None:
        rows = [self._row() for _ in range(self.random.randint(2, 4))]
        if self.shape.one_write_a_row:
            rows = list(dict.fromkeys(rows))
        # With an increment among them HBase's region makes the batch atomic, a client does not.
        line = "batch " + self.mutations.of_rows(rows, with_counters=self.random.random() < 0.1)
        if self.random.random() < 0.1:
            line += f" ; put {self._row()} nofam:a 5 x"
        self._add_write(line)

    def _add_write(self, line: str) -> None:
        if self.shape.any_new_versions:
            # Every write has its own millisecond, so that no timestamp is written a third time.
            self.add("+now 1")
        self.add(line)

    def _row(self) -> str:
        return self.random.choice(self.shape.rows)

    # ---- reads

    def _scan(self) -> None:
        self.add(self.reads.scan())

    def _get(self) -> None:
        self.add(self.reads.get(self._row()))

    def _scanner(self) -> None:
        """Open a scanner, or continue with an open one."""
        if self.shape.any_new_versions:
            self._scan()
        elif not self.open_scanners or (len(self.open_scanners) < 2 and self.random.random() < 0.4):
            self.scanner_count += 1
            self.open_scanners.append(f"s{self.scanner_count}")
            self.add(f"open {self.open_scanners[-1]} {self.reads.scanner_options()}".rstrip())
        elif self.random.random() < 0.5:
            self.add(f"step {self.random.choice(self.open_scanners)}")
        else:
            name = self.open_scanners.pop(self.random.randrange(len(self.open_scanners)))
            self.add(f"drain {name}")

    def _internals(self) -> None:
        self.add(self.random.choice(["rawfile", "files", "mvcc"]))

    # ---- the store

    def _flush(self) -> None:
        if self.open_scanners and self.shape.flushes_drop_what_is_read:
            self._scanner()
        elif all(len(store.files) < MOST_FILES for store in self.model.region.stores.values()):
            self.add("flush")

    def _compact(self) -> None:
        stores = self.model.region.stores.values()
        sizes = [([file.size for file in store.files], store.family) for store in stores]
        if not any(is_close_call(*pair) for pair in sizes):
            self.add("compact")

    def _minor(self) -> None:
        files = max(len(store.files) for store in self.model.region.stores.values())
        if files >= 2:
            first = self.random.randrange(files - 1)
            self.add(f"minor {first} {self.random.randint(2, files - first)}")

    def _major(self) -> None:
        if all(store.files for store in self.model.region.stores.values()):
            self.add("major")

    def _reopen(self) -> None:
        if all(len(store.files) < MOST_FILES for store in self.model.region.stores.values()):
            self.open_scanners.clear()
            self.add("reopen")

    def _clock(self) -> None:
        if self.open_scanners:
            self._scanner()
            return
        self.add(f"+now {self.random.choice([1, 400, 3000, 3000, 9000])}")
