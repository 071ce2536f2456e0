#!/usr/bin/env python3
"""Check that HBase reads our HFiles: with its `hfile` tool, scanner, seeks and Bloom filters.

    python -m tests.compat.check_with_hbase [--jars FOLDER] [--keep FOLDER]

`cargo run --example write_hfiles` writes files and a manifest with the number of cells and a checksum of each.
`java/CheckHFiles.java` has HBase read the files and compares them with the manifest. It does the same with the files
next to this script, which HBase itself wrote.

The script prints a line per file; the exit status is 1 if one is not "ok". It needs Java 17 and HBase's jars: from
`--jars`, otherwise those that the oracle fetches.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.oracle import build

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
JAVA = HERE / "java"


def write_files(folder: Path) -> None:
    """Every kind of file that we write, and a manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    # With -p, cargo would compile all dependencies again, with the features of that crate alone.
    command = ["cargo", "run", "--quiet", "--locked", "--example", "write_hfiles", "--", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)


def check(folder: Path, class_path: str) -> bool:
    """Whether HBase reads every file of the folder's manifest as it says."""
    program = [str(JAVA / "CheckHFiles.java"), str(folder)]
    command = ["java", "-Xmx1g", *build.JAVA_OPENS, "-cp", class_path, *program]
    return subprocess.run(command, check=False).returncode == 0


def main(arguments: list[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description="let HBase judge our HFiles")
    parser.add_argument("--jars", help="folder with the jars of HBase and its codecs")
    parser.add_argument("--keep", type=Path, help="write the files here and leave them")
    options = parser.parse_args(arguments)
    jars = f"{options.jars}/*" if options.jars else build.class_path()
    class_path = os.pathsep.join([str(JAVA), jars])
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        write_files(folder)
        are_ours_right = check(folder, class_path)
        are_theirs_right = check(HERE / "hfiles", class_path)
    return 0 if are_ours_right and are_theirs_right else 1


if __name__ == "__main__":
    sys.exit(main())
