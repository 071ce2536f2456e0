"""Spark reads and writes a table of a real HBase: our format ``rowstone``, and HBase's own input and output formats.

``hbase-spark`` 1.0.1 is built for Spark 3.3 and Scala 2.12; Spark 4 has Scala 2.13. All use the same session of two
threads, and take turns. A read aggregates every column, a write takes rows that Spark computes. Rowstone has two ways:
through the servers' scans and puts, and past them. The second way takes a snapshot and reads its files, and bulk loads.
``make bench-spark``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from benches.report import cpu_seconds_of, load, machine, machine_text, publish
from tests.engines.clusters.large.rows import SCHEMA, SPARK_COLUMNS, split_points
from tests.hbase.cluster.server import StandaloneHBase
from tests.oracle.build import compiled, fetched

import rowstone as rs
from rowstone.engines import spark as rowstone_spark
from rowstone.filters import KeyOnlyFilter

HERE = Path(__file__).parent / "java"
REGIONS = 8
WRITERS = 2
"""Tasks of a write: one for each thread. A bulk load has a file for each of them in each region."""
GOAL = 3.0
OURS, THEIRS = "rowstone", "HBase's format"
FILES = "rowstone, files"
"""The side that reads a snapshot and bulk loads."""
SIDES = (OURS, FILES, THEIRS)
NAMES = {
    ("read", OURS): "read by scans",
    ("read", FILES): "read of a snapshot",
    ("write", OURS): "write by puts",
    ("write", FILES): "bulk write",
}
AGGREGATES = ["count(*)", "max(row)", "sum(number)", "sum(kind)", "sum(value)", "max(note)"]


@dataclass(frozen=True)
class Block:
    """One read or write."""

    round: int
    kind: str
    side: str
    rows: int
    seconds: float
    hbase_seconds: float
    """CPU time of HBase meanwhile."""


@contextmanager
def session(folder: Path) -> Iterator[Any]:
    """A Spark with two threads, and HBase's formats on its class path."""
    pyspark = import_module("pyspark")
    jars = fetched(HERE / "spark.xml", "spark")
    spark_jars = Path(pyspark.__file__).parent / "jars"
    classes = compiled(
        [HERE / "spark/rowstone/bench/SparkOnHBase.java"], [f"{jars}/*", f"{spark_jars}/*"], "spark-classes"
    )
    archive = Path(shutil.make_archive(str(folder / "bench"), "zip", classes)).rename(folder / "bench.jar")
    shaded = [str(jar) for jar in jars.glob("*.jar") if jar.name.startswith(("hbase-", "opentelemetry", "htrace"))]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "2g").config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
    spark = builder.config("spark.jars", ",".join([str(archive), *shaded])).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    rowstone_spark.register(spark)
    try:
        yield spark
    finally:
        spark.stop()


def frame_of(spark: Any, hbase: StandaloneHBase, table: str, side: str) -> Any:
    """The table as a data frame."""
    if side == OURS:
        return spark.read.format("rowstone").options(**rowstone_spark.options(hbase.url, table, SCHEMA)).load()
    found = spark._jvm.rowstone.bench.SparkOnHBase.read(spark._jsparkSession, hbase.zookeeper_port, table)
    return import_module("pyspark.sql").DataFrame(found, spark)


def aggregate(spark: Any, hbase: StandaloneHBase, side: str) -> Any:
    """Aggregates of all columns of the table that is read. The files are those of a snapshot that is taken here."""
    if side != FILES:
        return frame_of(spark, hbase, "read", side).selectExpr(*AGGREGATES).first()
    with rs.connect(hbase.url) as db:
        db.admin.snapshot("read_now", "read")
        root = f"root+file://{hbase.folder}/data?snapshot=read_now"
        frame = spark.read.format("rowstone").options(**rowstone_spark.options(root, "read", SCHEMA)).load()
        found = frame.selectExpr(*AGGREGATES).first()
        db.admin.snapshots.delete("read_now")
    return found


def write(spark: Any, hbase: StandaloneHBase, table: str, side: str, rows: int) -> None:
    """Write rows that Spark computes. The files of a bulk load are on the disk of HBase, and loaded at the end."""
    frame = spark.range(0, rows, 1, WRITERS).selectExpr(*SPARK_COLUMNS)
    if side != THEIRS:
        staging = {"staging_dir": hbase.folder / "staging"} if side == FILES else {}
        options = rowstone_spark.options(hbase.url, table, SCHEMA, **staging)
        frame.write.format("rowstone").options(**options).mode("append").save()
    else:
        spark._jvm.rowstone.bench.SparkOnHBase.write(frame._jdf, hbase.zookeeper_port, table)


def timed(hbase: StandaloneHBase, work: Callable[[], Any]) -> tuple[float, float, Any]:
    """The seconds of a call, HBase's CPU seconds meanwhile, and the result."""
    before, began = cpu_seconds_of(hbase.process_id), time.perf_counter()
    found = work()
    return time.perf_counter() - began, cpu_seconds_of(hbase.process_id) - before, found


def run(spark: Any, hbase: StandaloneHBase, sizes: tuple[int, int], rounds: int) -> Iterator[Block]:
    """Measure; both sides must find the same. The first round, in which the JVM warms up, is not returned."""
    reads, writes = sizes
    with rs.connect(hbase.url) as db:
        db.create_table("read", ["f"], splits=split_points(REGIONS))
        write(spark, hbase, "read", OURS, reads)
        db.admin.flush("read")
        for number in range(rounds + 1):
            sides = SIDES if number % 2 else SIDES[::-1]
            found = {}
            for side in sides:
                *seconds, row = timed(hbase, partial(aggregate, spark, hbase, side))
                found[side] = tuple(row)
                if number:
                    yield Block(number, "read", side, reads, *seconds)
            if len(set(found.values())) > 1 or found[OURS][0] != reads:
                raise AssertionError(f"the sides disagree: {found}")
            for side in sides:
                db.create_table("write", ["f"], splits=split_points(REGIONS))
                *seconds, _ = timed(hbase, partial(write, spark, hbase, "write", side, writes))
                if number:
                    yield Block(number, "write", side, writes, *seconds)
                elif (count := sum(1 for _ in db.table("write").scan(filter=KeyOnlyFilter()))) != writes:
                    raise AssertionError(f"{side} wrote {count} of {writes} rows")
                db.drop_table("write", force=True)
            print(f"round {number} of {rounds}: load {load()}", file=sys.stderr, flush=True)


def table(blocks: Sequence[Block]) -> str:
    """Format the table."""
    heads = ["", "rows", "rowstone, rows/s", f"{THEIRS}, rows/s", "ratio", "HBase's µs per row", "limit"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for (kind, side), name in NAMES.items():
        rates = {
            one: {
                block.round: block.rows / block.seconds for block in blocks if (block.kind, block.side) == (kind, one)
            }
            for one in (side, THEIRS)
        }
        ratios = [rates[side][number] / rates[THEIRS][number] for number in rates[side]]
        text = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
        ratio = text if statistics.median(ratios) >= GOAL else f"**{text}**"
        rows = next(one.rows for one in blocks if one.kind == kind)
        medians = [f"{statistics.median(found.values()):,.0f}" for found in rates.values()]
        costs = {one: cost_us([block for block in blocks if (block.kind, block.side) == (kind, one)]) for one in rates}
        limit = (os.cpu_count() or 1) * 1e6 / statistics.median(rates[THEIRS].values()) / max(costs[side], 0.01)
        hbase = f"{costs[side]:.1f}, {costs[THEIRS]:.1f}"
        lines.append(f"| {name} | {rows:,} | {' | '.join(medians)} | {ratio} | {hbase} | {limit:.1f} |")
    return "\n".join(lines)


def cost_us(blocks: Sequence[Block]) -> float:
    """HBase's CPU time for a row, the median."""
    return statistics.median(one.hbase_seconds * 1e6 / one.rows for one in blocks)


def main() -> None:
    """Measure, print the table, write all blocks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--reads", type=int, default=5_000_000, help="rows to read")
    parser.add_argument("--writes", type=int, default=2_000_000, help="rows to write")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, default=Path("build/bench/spark.json"))
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    spark_version = import_module("pyspark").__version__
    facts = machine(f"rowstone {rs.__version__}, Spark {spark_version}, HBase 2.6.4")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    with StandaloneHBase(heap="2g") as hbase, session(options.json.parent) as spark:
        blocks = list(run(spark, hbase, (options.reads, options.writes), options.rounds))
    facts["load at the end"] = load()
    caption = (
        f"Spark with two threads, five columns, {REGIONS} regions on two region servers in one process. A read has "
        f"{REGIONS} tasks, a write {WRITERS}. Medians of {options.rounds} interleaved rounds, ratios with smallest and "
        "largest; above 1 Rowstone is faster. The goal "
        f"is {GOAL:.0f}; missed ones are bold. *HBase's format* is `TableInputFormat` or `TableOutputFormat`. The time "
        "of a snapshot read includes taking and deleting the snapshot; that of a bulk write includes the bulk load. "
        "*HBase's µs* is the CPU time of HBase's process for a row, with Rowstone and with its own format. *Limit* is "
        "the highest possible ratio here: all CPUs work in HBase, and neither Spark nor Rowstone needs any. "
        f"{machine_text(facts)}"
    )
    options.json.write_text(json.dumps({"machine": facts, "blocks": [asdict(one) for one in blocks]}, indent=1))
    publish(f"{table(blocks)}\n\n{caption}", options.document, "spark")


if __name__ == "__main__":
    main()
