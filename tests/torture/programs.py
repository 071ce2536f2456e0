"""HBase's programs: their arguments, their progress, and what their results must be."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import rowstone as rs
from tests.ecosystem.description import read
from tests.ecosystem.running import Failed, Running, last_error
from tests.torture.disturbances import Disturbances, MortalServer, WrittenRows, kill_until_done

LINKED = "org.apache.hadoop.hbase.test.IntegrationTestBigLinkedList"
LINKED_OPTIONS = (
    "-Dgenerator.multiple.columnfamilies=true", "-Dgenerator.big.family.value.size=32", "-ncc",
)  # fmt: skip
LOADED = "LoadAndVerifyOnOneServer"
ACID = "org.apache.hadoop.hbase.AcidGuaranteesTestTool"
JVM = ("-Xmx2g", "-XX:TieredStopAtLevel=4")
CLIENT = {
    # A call is repeated for minutes, with at most 4 s in between.
    "hbase.client.retries.number": "100",
    "hbase.client.pause": "20",
    # A server that recovers on a busy machine may be away for longer than the usual 10 s.
    "zookeeper.registry.async.get.timeout": "300000",
    "zookeeper.recovery.retry": "300",
    "mapreduce.task.timeout": "0",
    "mapreduce.task.io.sort.mb": "256",
    "mapreduce.local.map.tasks.maximum": "2",
    "mapreduce.local.reduce.tasks.maximum": "2",
}
LONGEST_SECONDS = 4 * 3600
MAPPERS = 2
WRAP = 25
"""Parts in which a mapper writes its nodes. The nodes of a part refer to those of the previous part."""
BACK_REFERENCES = 10
ACID_ROWS = 20


@dataclass(frozen=True)
class Size:
    """Size of a run."""

    nodes: int
    rows: int
    minutes: float
    kills: int
    acid_kills: int
    seed: int


class Bench:
    """A server and the JVM of HBase's programs. Both have their files in ``folder``."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.server = MortalServer(folder)
        self.server.start()
        program = replace(read("hbase"), inputs=(), tables=(), options=JVM, sources=(f"{LOADED}.java",))
        self._running = Running(program, self.server, folder)
        self._pool = ThreadPoolExecutor(1)

    def run(self, name: str, main: str, *arguments: str) -> str:
        """Run a main class with arguments, and return its output."""
        settings = [f"-D{key}={value}" for key, value in CLIENT.items()]
        began = time.monotonic()
        output, code = self._running.run_main(name, [main, *settings, *arguments], LONGEST_SECONDS)
        if code != 0:
            raise Failed(f"{name} ended with {code}: {last_error(output)}")
        print(f"  {name}: {time.monotonic() - began:.0f} s", flush=True)
        return output

    def torture(
        self,
        table: str,
        kills: int,
        seed: int,
        progress: Callable[[], float],
        command: Callable[[], str],
        split_rows: Sequence[str] = (),
    ) -> str:
        """Run a command while the table is disturbed and the server killed; return the command's output."""
        program = self._pool.submit(command)
        with Disturbances(self.server.url, table, seed, split_rows) as disturbances:
            kill_until_done(self.server, program, progress, kills, seed)
        output = program.result()
        done = ", ".join(f"{count} {kind}" for kind, count in sorted(disturbances.done.items()))
        print(
            f"  {self.server.kills} kills, {self.server.early_kills} of them before the server was ready; "
            f"longest start {self.server.longest_start_seconds:.1f} s; {done}",
            flush=True,
        )
        if disturbances.problems or self.server.kills != kills:
            raise Failed(f"the program ended after {self.server.kills} of {kills} kills; {disturbances.problems}")
        return output

    def close(self) -> None:
        """End the JVM and the server; the files stay."""
        self._running.close()
        self.server.kill()
        self._pool.shutdown()


def read_counters(output: str) -> dict[str, int]:
    """The counters that a MapReduce job printed at its end."""
    return {name: int(value) for name, value in re.findall(r"^\t\t([^\t=]+)=(\d+)$", output, re.MULTILINE)}


def expect(counters: dict[str, int], expected: dict[str, int]) -> None:
    """Raise `Failed` unless the counters have these values; a counter that is missing is 0."""
    found = {name: counters.get(name, 0) for name in expected}
    print("  " + ", ".join(f"{name} {value:,}" for name, value in found.items()), flush=True)
    if found != expected:
        raise Failed(f"the counters must be {expected}")


def link_nodes(bench: Bench, size: Size) -> None:
    """Write a linked list of ``size.nodes`` under kills; every node must be there, and referenced by one other."""
    write_links(bench, size)
    verify_links(bench, size.nodes)


def write_links(bench: Bench, size: Size) -> None:
    """Write a circular list for each mapper while the server is killed."""
    per_mapper = size.nodes // MAPPERS
    width = per_mapper // WRAP
    if width * WRAP * MAPPERS != size.nodes:
        raise ValueError(f"the number of nodes must be a multiple of {WRAP * MAPPERS}")
    family = rs.Family(compression="SNAPPY", data_block_encoding="FAST_DIFF")
    arguments = ["generator", str(MAPPERS), str(per_mapper), f"file://{bench.folder}/ids", str(width), str(WRAP), "0"]
    # The nodes of the first parts are written again, to close the circles.
    writes = size.nodes + MAPPERS * width
    with rs.connect(bench.server.url) as db:
        db.create_table("IntegrationTestBigLinkedList", dict.fromkeys(("meta", "big", "tiny"), family))
        rows = WrittenRows(db)
        bench.torture(
            "IntegrationTestBigLinkedList", size.kills, size.seed, lambda: rows.count() / writes,
            lambda: bench.run("generator", LINKED, *LINKED_OPTIONS, *arguments),
        )  # fmt: skip


def verify_links(bench: Bench, nodes: int) -> None:
    """Count the nodes with HBase's own job; raises `Failed` unless each of them is referenced."""
    folder = tempfile.mkdtemp(prefix="verify-", dir=bench.folder)
    output = bench.run("verify", LINKED, *LINKED_OPTIONS, "verify", f"file://{folder}/found", "4")
    bad = ("UNDEFINED", "UNREFERENCED", "CORRUPT", "EXTRAREFERENCES", "EXTRA_UNDEF_REFERENCES", "LOST_FAMILIES")
    expect(read_counters(output), {"REFERENCED": nodes, **dict.fromkeys(bad, 0)})


def load_and_verify(bench: Bench, size: Size) -> None:
    """Write ``size.rows`` rows that refer to earlier ones under kills; every row and reference must be there."""
    settings = {
        "loadmapper.num_to_write": size.rows // MAPPERS, "loadmapper.map.tasks": MAPPERS, "loadmapper.numPresplits": 4,
        "loadmapper.backrefs": BACK_REFERENCES, "loadmapper.table": "dependent", "loadmapper.deleteAfter": "false",
        "verify.reduce.tasks": 2,
    }  # fmt: skip
    options = [*(f"-D{key}={value}" for key, value in settings.items()), "-ncc"]
    with rs.connect(bench.server.url) as db:
        rows = WrittenRows(db)
        output = bench.torture(
            "dependent", size.kills, size.seed, lambda: rows.count() / size.rows,
            lambda: bench.run("load", LOADED, *options, "load"),
        )  # fmt: skip
    expect(read_counters(output), {"ROWS_WRITTEN": size.rows})
    counters = read_counters(bench.run("verify", LOADED, *options, "verify"))
    # The program itself fails if a row that is referred to is missing.
    expect(counters, {"Map input records": size.rows, "ROWS_WRITTEN": 0})
    print(f"  references checked: {counters['REFERENCES_CHECKED']:,}")


def overwrite_rows(bench: Bench, size: Size) -> None:
    """Overwrite a few rows in three families for ``size.minutes``; no get or scan may find two values in a row."""
    began = time.monotonic()
    seconds = size.minutes * 60
    arguments = ["-millis", str(int(seconds * 1000)), "-numWriters", "10", "-numGetters", "4", "-numScanners", "4"]
    output = bench.torture(
        "TestAcidGuarantees", size.acid_kills, size.seed, lambda: (time.monotonic() - began) / seconds,
        lambda: bench.run("acid", ACID, *arguments, "-numUniqueRows", str(ACID_ROWS)),
        [f"test_row_{number}" for number in range(1, ACID_ROWS)],
    )  # fmt: skip
    for verb in ("wrote", "read", "scanned", "verified"):
        counts = [int(count) for count in re.findall(rf"  {verb} (\d+)", output)]
        print(f"  {verb} {sum(counts):,}")
        if not counts or not all(counts):
            raise Failed(f"a thread did nothing: {verb} {counts}")


PROGRAMS = {"linked-list": link_nodes, "load-and-verify": load_and_verify, "acid": overwrite_rows}
