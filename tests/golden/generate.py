"""Writes the golden directory of this version: run it once for a release, then never again for that release.

    python -m tests.golden.generate NAME         writes tests/golden/NAME, and its line in digests.txt

The contents follow from `plan.py`. Names of files and ids are random, so two runs differ in those. What was written is
recorded in `written.txt` and `facts.json`; what a reader must find is computed from it by the model in
`tests/reference`, not read from the directory.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import rowstone as rs
from rowstone.testing import ManualClock
from tests.golden import plan
from tests.golden.digests import DIGESTS, digest_lines
from tests.golden.facts import SETTINGS
from tests.golden.runner import TablesRunner, expected_contents
from tests.script.parse import parse

HERE = Path(__file__).parent
NOT_KEPT = ("LOCK", "RESERVE")
"""The lock and 256 KiB of zeros, which every open for writing creates."""


class Writer:
    """Writes scripts into an open database, and records them for the model."""

    def __init__(self, directory: Path, scripts: dict[str, list[str]], now_ms: int) -> None:
        self.clock = ManualClock(now_ms)
        self._now = now_ms
        self.database = rs.connect(directory, clock=self.clock, configuration=SETTINGS, durability="FSYNC_WAL")
        self.scripts = scripts
        self._runner = TablesRunner(self.database, self.clock)

    @property
    def admin(self) -> Any:
        return self.database.admin

    def write(self, table: str, lines: Iterable[str]) -> None:
        """Run the script on the table, one second later than what was written before."""
        self._now += 1_000
        self.clock.set(self._now)
        for line in [f"now {self._now}", *lines]:
            answer = self._runner.run_on(table, parse(line))
            if answer and answer[0].startswith(("!!", "status B")):
                raise RuntimeError(f"{line}: {answer}")
            self.scripts[table].append(line)

    def create(self, table: str, families: str, **options: Any) -> None:
        """Create a table; families as in the script language."""
        line = f"table {table} {families}"
        command = parse(line)
        specs = {spec.name.decode(): family_of(spec.options) for spec in command.families}  # type: ignore[union-attr]
        self.database.create_table(table, specs, **options)
        self.scripts[table] = [line]


def family_of(options: dict[str, str]) -> rs.Family:
    """The family of a `table` command."""
    from tests.script.commands import FamilySpec
    from tests.script.runners.store_calls import family_of

    return family_of(rs, FamilySpec(b"", options))  # type: ignore[no-any-return]


def create_tables(writer: Writer) -> None:
    """Namespaces, tables, and the settings that are not the default."""
    writer.admin.namespaces.create("shop", {"hbase.namespace.quota.maxtables": "9", "owner": "ann"})
    writer.admin.namespaces.create("empty", {})
    options: dict[str, dict[str, Any]] = {
        "shop:orders": {"splits": ["r010"]},
        "shop:merged": {"splits": ["r008", "r016"]},
        "settings": {
            "attributes": {"MEMSTORE_FLUSHSIZE": 4 << 20, "DURABILITY": "ASYNC_WAL", "note": "kept"},
            "configuration": {"hbase.hstore.compaction.min": 7, "my.own": "word"},
        },
    }
    for table, families in plan.TABLES.items():
        writer.create(table, families, **options.get(table, {}))
    writer.admin.alter_table("media", families={"d": {"IS_MOB": True, "MOB_THRESHOLD": 200}})
    writer.create("indexed", "f")
    writer.database.create_index("indexed", "by_item", "f:item", strategy="coprocessor")


def fill(writer: Writer) -> None:
    """Store files of every kind: several of one store, halves of split and merged regions, MOB files, a snapshot's."""
    admin = writer.admin
    writer.write("formats", [*plan.formats(), "flush"])
    writer.write("formats", [*plan.formats()[::7], "flush"])
    writer.write("versions", [*plan.markers("old"), "flush", *plan.markers("older"), "flush", "major"])
    writer.write("versions", [*plan.markers("file"), "flush"])
    writer.write("counters", [*plan.counters(), "flush", *plan.counters()])
    writer.write("shop:orders", [*plan.rows("o", 20), *plan.rows("p", 20, word="w"), "flush"])
    admin.regions.split(admin.regions.locate("shop:orders", "r000").region.encoded_name, "r005")
    writer.write("shop:merged", [*plan.rows("m", 24), "flush"])
    regions = admin.regions.list("shop:merged")
    admin.regions.merge([region.encoded_name for region in regions[:2]])
    writer.write("media", [*plan.media(), "flush"])
    writer.write("snapped", [*plan.rows("f", 12), "flush", *plan.rows("f", 6, word="w")])
    admin.snapshot("monday", "snapped")
    writer.scripts["snapped"].append("flush")
    writer.scripts["cloned"] = list(writer.scripts["snapped"])
    writer.write("snapped", ["del r003", "delcs r004 f:q", "put r020 f:q LATEST new", "flush", "major"])
    admin.snapshots.clone("monday", "cloned")
    writer.scripts["cloned"][0] = writer.scripts["cloned"][0].replace("snapped", "cloned")
    writer.write("dropped", [*plan.rows("f", 8)])
    admin.snapshot("last", "dropped")
    writer.scripts["dropped"].append("flush")
    admin.disable_table("dropped")
    admin.drop_table("dropped")


def administrate(writer: Writer, folder: Path) -> None:
    """Bulk load, permissions, quotas, switches, an index, a disabled table and one that is read only."""
    admin = writer.admin
    writer.write("loaded", [*plan.rows("f", 9), "flush"])
    admin.tables.export_hfiles("loaded", folder)
    admin.disable_table("loaded")
    admin.truncate_table("loaded")
    admin.tables.bulk_load("loaded", {"f": sorted(str(path) for path in (folder / "f").iterdir())})
    writer.write(
        "indexed", [f"put i{n} f:item LATEST {item}" for n, item in enumerate(("lamp", "chair", "sofa", "bed"))]
    )
    writer.write("indexed", ["put i1 f:item LATEST table", "del i3", "flush"])
    writer.database.create_table("notes", ["f"], attributes={"hbase.security.access.early_out": "false"})
    writer.database.table("notes").put("n1", {"f:text": "for Ada"}, acl={"ada": "R", "@dev": "RW"})
    writer.database.table("notes").put("n2", {"f:text": "for nobody"})
    admin.flush("notes")
    writer.database.table("notes").put("n3", {"f:text": "for Ada too"}, acl={"ada": "R"})
    admin.permissions.grant("ann", "RW", table="shop:orders", family="o")
    admin.permissions.grant("@dev", "RWXCA", namespace="shop")
    admin.permissions.grant("op", "A")
    admin.quotas.set("READ_NUMBER", 100, user="ann")
    admin.quotas.set("WRITE_SIZE", 10 << 20, unit="MINUTES", user="ann", table="shop:orders")
    admin.quotas.set("SPACE", 1 << 30, policy="NO_INSERTS", namespace="shop")
    admin.switches.set("split", False)
    admin.switches.set("normalizer", False)
    writer.write("disabled", [*plan.rows("f", 5), "flush", "put r900 f:q LATEST memory"])
    admin.disable_table("disabled")
    writer.write("settings", [*plan.rows("f", 5)])
    admin.alter_table("settings", attributes={"READONLY": True})


def write_unflushed(writer: Writer) -> None:
    """Records that are only in the log, in several logs and for many regions."""
    writer.write("versions", plan.markers("log"))
    writer.write("shop:orders", [*plan.rows("o", 20, word="x"), "del r004", "delf r012 p"])
    writer.write("shop:merged", plan.rows("m", 10, first=5, word="y"))
    writer.write("formats", ["put row9-999 n0n:q LATEST memory"])
    writer.write("media", [f"put photo9 d:raw LATEST {'m' * 300}", "delc photo0 d:raw"])


def write_after_the_crash(writer: Writer) -> None:
    """A log that begins with copies of the one that the crash left behind, and ends cleanly."""
    writer.write("counters", plan.counters()[:4])
    writer.write("cloned", ["put r001 f:q LATEST after"])
    writer.scripts["cloned"].append("flush")
    writer.admin.flush("cloned")


def make_directory(directory: Path, scratch: Path) -> dict[str, list[str]]:
    """Make the directory; returns the scripts, by table. One of the processes that write it ends without closing."""
    writer = Writer(directory, {}, plan.START_MS)
    create_tables(writer)
    fill(writer)
    administrate(writer, scratch)
    writer.database.close()
    reader, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_crash, args=(directory, writer.scripts, sender))
    process.start()
    scripts = reader.recv()
    process.join()
    writer = Writer(directory, scripts, plan.START_MS + 200_000)
    write_after_the_crash(writer)
    writer.database.close()
    for name in NOT_KEPT:
        (directory / name).unlink(missing_ok=True)
    for folder in sorted((path for path in directory.rglob("*") if path.is_dir()), reverse=True):
        if not any(folder.iterdir()):  # git has no empty folders
            folder.rmdir()
    return writer.scripts


def _crash(directory: Path, scripts: dict[str, list[str]], sender: Any) -> None:
    writer = Writer(directory, scripts, plan.START_MS + 100_000)
    write_unflushed(writer)
    sender.send(writer.scripts)
    sender.close()
    os._exit(0)


def main(name: str) -> None:
    """Write the golden directory `name`."""
    import tempfile

    from tests.golden.facts import FACTS

    target = HERE / name
    target.mkdir()
    with tempfile.TemporaryDirectory() as scratch:
        scripts = make_directory(target / "db", Path(scratch) / "exported")
    text = "".join(f"{line}\n" for _, script in sorted(scripts.items()) for line in script)
    (target / "written.txt").write_text(text)
    contents = expected_contents(text, plan.READ_MS)
    (target / "contents.txt").write_text("".join(f"{line}\n" for line in contents))
    (target / "facts.json").write_text(json.dumps(FACTS, indent=1) + "\n")
    with DIGESTS.open("a") as digests:
        digests.writelines(f"{line}\n" for line in digest_lines(target))


if __name__ == "__main__":
    main(sys.argv[1])
