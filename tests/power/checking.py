"""Compares the database of an image with the journal."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import rowstone as rs
from rowstone.errors import RowstoneError
from tests.crash.oracle import NOTHING, Content
from tests.crash.writer import decode
from tests.power.journal import Broken, Journal
from tests.power.workload import CLASSES, INDEXED, LOADED_ROWS, indexed_row


@dataclass
class Found:
    """Contents of an image, in numbers."""

    acknowledged: int = 0
    snapshots: int = 0
    backups: int = 0
    loads: int = 0
    losses: dict[str, list[int]] = field(default_factory=dict)
    """By durability: time in ns between the acknowledgement of the first lost operation and the cut."""


def contents_of(table: rs.Table) -> list[Content]:
    """Read the rows of each thread.

    Raises:
        Broken: A row is torn, or holds a value that was never written.
    """
    contents = [Content() for _ in CLASSES]
    with table.scan() as rows:
        for row in rows:
            try:
                number, counter = decode(row)
            except (AssertionError, ValueError) as error:
                raise Broken(f"table {table.name}: {error}") from error
            thread, _, name = row.key.decode().partition("-")
            if name == "counter":
                contents[int(thread)].counter = int(counter)
            elif number != NOTHING:
                contents[int(thread)].rows[row.key.decode()] = number
    return contents


class Check:
    """The checks of one image, whose power was cut at `moment`."""

    def __init__(self, folder: Path, journal: Journal, moment: int) -> None:
        self.folder, self.journal, self.moment = folder, journal, moment
        self.found = Found()

    def run(self) -> Found:
        """All of them.

        Raises:
            Broken: A promise is broken.
        """
        with rs.connect(self.folder / "db", cache_bytes=1 << 20) as db:
            self.check_table(db.table("t"))
            self.check_index(db)
            self.check_loads(db.table("l"))
            self.check_snapshots(db)
            db.table("t").put("after", {"a:v": b"1"}, durability="FSYNC_WAL")
        self.check_backups()
        report = rs.check(self.folder / "db")
        if not report:
            raise Broken(f"check: {report.damage}")
        return self.found

    def check_table(self, table: rs.Table) -> None:
        for thread, content in enumerate(contents_of(table)):
            done = self.journal.acknowledged(thread, self.moment)
            floor = self.journal.floor(thread, self.moment)
            count = self.journal.match(thread, content, floor, self.journal.begun(thread, self.moment))
            self.found.acknowledged += min(count, done)
            if count < done:
                first = self.journal.times[thread][count]
                self.found.losses.setdefault(CLASSES[thread], []).append(self.moment - first)

    def check_index(self, db: rs.Database) -> None:
        index, table = db.index("i", "by_q"), db.table("i")
        differences = index.verify()
        if differences:
            raise Broken(f"the index and its table differ: {differences}")
        done = self.journal.acknowledged(INDEXED, self.moment)
        present = {row.key.decode(): int(row["f:q"]) for row in table.scan()}
        expected: dict[str, int] = {}
        for number in range(1, done + 1):
            expected[indexed_row(number)] = number
        following = {**expected, indexed_row(done + 1): done + 1}
        if present not in (expected, following):
            raise Broken(f"the table with an index: {sorted(present.items() ^ expected.items())[:6]} of {done} differ")
        self.found.acknowledged += done

    def check_loads(self, table: rs.Table) -> None:
        present: dict[str, int] = {}
        for row in table.scan():
            name = row["f:q"].decode()
            present[name] = present.get(name, 0) + 1
        for action in self.journal.actions:
            if action.kind == "load" and action.begin <= self.moment:
                count = present.pop(action.name, 0)
                is_whole = count == LOADED_ROWS or (count == 0 and not action.is_acknowledged(self.moment))
                if not is_whole:
                    raise Broken(f"bulk load {action.name}: {count} of {LOADED_ROWS} rows")
                self.found.loads += count > 0
        if present:
            raise Broken(f"bulk loads that were not begun: {present}")

    def check_snapshots(self, db: rs.Database) -> None:
        names = {snapshot.name for snapshot in db.admin.snapshots.list()}
        begun = [action for action in self.journal.actions if action.begin <= self.moment]
        deleted = {action.name for action in begun if action.kind == "delete"}
        for action in begun:
            if action.kind != "snapshot":
                continue
            if action.name not in names:
                if action.is_acknowledged(self.moment) and action.name not in deleted:
                    raise Broken(f"snapshot {action.name} is not there")
                continue
            clone = f"clone_{action.name}"
            db.admin.snapshots.clone(action.name, clone)
            for thread, content in enumerate(contents_of(db.table(clone))):
                ceiling = self.journal.begun(thread, self.moment)
                if action.is_acknowledged(self.moment):
                    ceiling = min(ceiling, action.after[thread])
                try:
                    self.journal.check_rows(thread, content, action.before[thread], ceiling)
                except Broken as error:
                    raise Broken(f"snapshot {action.name}: {error}") from error
            self.found.snapshots += 1

    def check_backups(self) -> None:
        for action in self.journal.actions:
            place = self.folder / action.name
            if action.kind != "backup" or action.begin > self.moment:
                continue
            is_acknowledged = action.is_acknowledged(self.moment)
            try:
                db = rs.connect(place, create=False, cache_bytes=1 << 20)
            except (RowstoneError, OSError) as error:
                if is_acknowledged:
                    raise Broken(f"backup {action.name} does not open: {error}") from error
                # A part of a backup is never mistaken for a whole one.
                continue
            with db:
                for thread, content in enumerate(contents_of(db.table("t"))):
                    ceiling = self.journal.begun(thread, self.moment)
                    if is_acknowledged:
                        ceiling = min(ceiling, action.after[thread])
                    try:
                        self.journal.match(thread, content, action.before[thread], ceiling)
                    except Broken as error:
                        raise Broken(f"backup {action.name}: {error}") from error
            self.found.backups += 1
