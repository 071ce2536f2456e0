"""Keys and values compared with HBase's own classes, with values drawn again in each run."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from tests.keys.vectors import unlike
from tests.oracle import build

SOURCE = Path(__file__).parent.parent / "keys/java/KeyVectors.java"
COUNT = 2_000


def java_writes_floats_so(line: str) -> bool:
    """Whether the line is about a float as a number of OrderedBytes: before Java 19 its text is not the shortest."""
    return line.startswith("number_float ")


def test_hbase_writes_the_same_bytes() -> None:
    jars = build.fetched(build.POM, "lib")
    classes = build.compiled([SOURCE], [f"{jars}/*"], "key-vectors")
    seed = random.randrange(1 << 31)
    command = ["java", "-cp", f"{classes}:{jars}/*", "KeyVectors", str(COUNT), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    lines = [line for line in done.stdout.splitlines() if not java_writes_floats_so(line)]
    assert len(lines) > 10 * COUNT
    assert unlike(lines) == [], f"seed {seed}"
