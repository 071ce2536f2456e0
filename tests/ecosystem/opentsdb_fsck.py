"""Tests of OpenTSDB's fsck: its report on a sound table, on a damaged one, and on the repaired one."""

from __future__ import annotations

import re
import subprocess

import rowstone as rs
from tests.ecosystem.running import Failed, Running

SECONDS = 600


def check(running: Running, *options: str) -> str:
    """The counters of fsck's report that are not 0, and its exit code, which is 1 if errors are left."""
    # In a JVM of its own: other tools set the level of all loggers of their JVM, and fsck logs its report.
    command = [*running.java_command(), "net.opentsdb.tools.Fsck", f"--config={running.folder}/opentsdb.conf"]
    done = subprocess.run(
        [*command, "--full-scan", "--threads=1", *options],
        cwd=running.folder, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    counters = re.findall(r"Fsck: ([A-Z][A-Za-z ]+: \d+)$", done.stdout, re.MULTILINE)
    if not counters:
        raise Failed(f"fsck made no report: {done.stdout[-200:]}{done.stderr[-200:]}")
    return ", ".join([f"code {done.returncode}", *(each for each in counters if not each.endswith(": 0"))])


def repair(running: Running) -> str:
    """The report of fsck when it repairs what it can, and the table that it leaves."""
    return f"{check(running, '--fix-all')}; {running.describe_table('tsdb', timestamps=False)}"


def damage(running: Running) -> str:
    """Write what OpenTSDB cannot read: columns and a value in a row of points, a row of no metric, and a short key."""
    with rs.connect(running.target.url) as db:
        table = db.table("tsdb")
        key = next(row.key for row in table.scan(limit=1))
        point, value = b"t:\x00\x00", b"\x01"
        table.put(key, {b"t:" + qualifier: value for qualifier in (b"\x01", b"unknown")})
        # Its qualifier says that a point has 8 bytes.
        table.put(key, {b"t:\xe0\x07": value * 3})
        table.put(b"\x00\x00\x63" + key[3:], {point: value})
        table.put(key[:6], {point: value})
    return running.describe_table("tsdb", timestamps=False)
