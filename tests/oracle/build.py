"""Fetches HBase's jars once and compiles the oracle, in a cache folder that survives between runs.

Both steps write beside their goal and rename at the end, so a folder that exists is complete; a
file lock keeps two runs from doing the work twice.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
JAVA_SOURCES = HERE / "java"
CONFIGURATION = HERE / "conf"
POM = HERE / "pom.xml"

# HBase looks into classes that Java hides since version 9.
JAVA_OPENS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
    "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
)


class BuildError(Exception):
    """The jars could not be fetched or the oracle could not be compiled; says which and why."""


def cache_folder() -> Path:
    """The folder for downloads: $ROWSTONE_CACHE, else $XDG_CACHE_HOME/rowstone, else ~/.cache."""
    if chosen := os.environ.get("ROWSTONE_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "rowstone"


def class_path() -> str:
    """The class path of a ready oracle; fetches and compiles what is missing."""
    home = cache_folder() / "oracle"
    home.mkdir(parents=True, exist_ok=True)
    with _locked(home / "lock"):
        jars = _jars(home)
        classes = _classes(home, jars)
    return os.pathsep.join([str(classes), f"{jars}/*", str(CONFIGURATION)])


def _jars(home: Path) -> Path:
    """Every jar the oracle needs, in a folder named for the content of the pom."""
    goal = home / f"lib-{_digest([POM])}"
    if not goal.exists():
        partial = _fresh(home / "lib.partial")
        shutil.copy(POM, partial / "pom.xml")
        _run(
            ["mvn", "-B", "-q", "-f", str(partial / "pom.xml"), "dependency:copy-dependencies",
             f"-DoutputDirectory={partial}", "-DincludeScope=runtime"],
            "fetching HBase's jars",
        )  # fmt: skip
        partial.rename(goal)
    return goal


def _classes(home: Path, jars: Path) -> Path:
    """The compiled oracle, in a folder named for the content of its sources."""
    sources = sorted(JAVA_SOURCES.rglob("*.java"))
    goal = home / f"classes-{_digest([POM, *sources])}"
    if not goal.exists():
        partial = _fresh(home / "classes.partial")
        command = ["javac", "-nowarn", "-proc:none", "-d", str(partial), "-cp", f"{jars}/*"]
        _run([*command, *map(str, sources)], "compiling the oracle")
        partial.rename(goal)
    return goal


def _digest(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def _run(command: list[str], purpose: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise BuildError(f"{purpose}: the program {command[0]!r} is not installed") from None
    if done.returncode != 0:
        raise BuildError(f"{purpose} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
