#!/usr/bin/env python3
"""Lets HBase judge HFiles that we wrote: its `hfile` tool, its scanner, its seeks, its Bloom filters.

    check_with_hbase.py [--jars FOLDER] [--keep FOLDER]

Writes the files with `cargo run --example write_hfiles`, has the standard-library reader beside this script assert every
byte of them, then HBase (`java/CheckHFiles.java`). Prints a line per file and ends with 1 where one is not "ok". Needs Java
17 and HBase's jars: from `--jars`, else those that the oracle in `tests/oracle` fetches.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# HBase looks into classes that Java hides since version 9.
JAVA_OPENS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
    "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
)


def class_path(jars: str | None) -> str:
    """The class path with HBase and its codecs."""
    if jars is not None:
        return f"{jars}/*"
    sys.path.insert(0, str(ROOT))
    from tests.oracle import build  # comes with the oracle; fetches the jars once

    return build.class_path()


def write_files(folder: Path) -> None:
    """Every kind of file that we write, and a manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["cargo", "run", "--quiet", "-p", "rowstone-engine", "--example", "write_hfiles", "--", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)


def check_with_reader(folder: Path) -> int:
    """How many files the standard-library reader refuses. It decompresses ZSTD with a program, where there is one."""
    failures = 0
    for line in (folder / "manifest.txt").read_text().splitlines():
        name = line.split()[0]
        # It has no model of a full tag dictionary, and Python is slow at LZ4 and Snappy.
        if name.startswith(("large_", "index_of_many_levels_")) or ("ZSTD" in name):
            continue
        command = [sys.executable, str(HERE / "read_hfile.py"), str(folder / name)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0 and "LRU eviction not modelled" not in result.stderr:
            print(f"{name}: {result.stderr.strip().splitlines()[-1]}")
            failures += 1
    return failures


def check_with_hbase(folder: Path, jars: str | None) -> int:
    """1 where HBase refuses a file."""
    program = HERE / "java" / "CheckHFiles.java"
    command = ["java", "-Xmx1g", *JAVA_OPENS, "-cp", f"{HERE / 'java'}:{class_path(jars)}", str(program), str(folder)]
    return int(subprocess.run(command, check=False).returncode != 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jars", help="folder with the jars of HBase and its codecs")
    parser.add_argument("--keep", help="write the files here and leave them")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.keep or temporary)
        write_files(folder)
        failures = check_with_reader(folder) + check_with_hbase(folder, arguments.jars)
    return int(failures != 0)


if __name__ == "__main__":
    sys.exit(main())
