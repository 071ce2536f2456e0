"""Fetches HBase's jars once and compiles the oracle, in a cache folder that survives between runs.

Both steps write to a temporary name and rename at the end, so an existing folder is complete. A file lock keeps two
runs from doing the work twice.
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

# HBase uses classes that Java hides since version 9.
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
    jars = fetched(POM, "lib")
    classes = compiled(sorted(JAVA_SOURCES.rglob("*.java")), [f"{jars}/*"], "classes")
    return os.pathsep.join([str(classes), f"{jars}/*", str(CONFIGURATION)])


def fetched(pom: Path, name: str, *properties: str) -> Path:
    """Fetch the jars of ``pom`` into a folder named for ``name`` and the content of the pom.

    Properties of the pom are given as Maven's options; their values belong into ``name``.
    """
    with _home() as home:
        goal = home / f"{name}-{_digest([pom])}"
        if not goal.exists():
            partial = _fresh(home / f"{name}.partial")
            shutil.copy(pom, partial / "pom.xml")
            _run(
                ["mvn", "-B", "-q", "-f", str(partial / "pom.xml"), "dependency:copy-dependencies",
                 f"-DoutputDirectory={partial}", "-DincludeScope=runtime", *properties],
                "fetching HBase's jars",
            )  # fmt: skip
            partial.rename(goal)
        return goal


def compiled(sources: list[Path], class_path: list[str], name: str) -> Path:
    """The classes of ``sources``, in a folder named for ``name`` and the content of the sources."""
    with _home() as home:
        goal = home / f"{name}-{_digest([POM, *sources])}"
        if not goal.exists():
            partial = _fresh(home / f"{name}.partial")
            command = ["javac", "-nowarn", "-proc:none", "-d", str(partial), "-cp", os.pathsep.join(class_path)]
            _run([*command, *map(str, sources)], "compiling Java")
            partial.rename(goal)
        return goal


@contextmanager
def _home() -> Iterator[Path]:
    """Lock the folder for jars and classes."""
    home = cache_folder() / "oracle"
    home.mkdir(parents=True, exist_ok=True)
    with _locked(home / "lock"):
        yield home


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
