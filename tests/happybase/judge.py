"""happybase's own test suite, unmodified, against `rowstone.happybase`.

    python -m tests.happybase.judge [hbase://HOST:PORT] [PYTEST ARGUMENTS]

The source distribution of happybase 1.3.0 (MIT license) is downloaded from the package index once, into the cache
folder (`tests/README.md`); this project contains none of it. six and thriftpy2, which the suite imports, are installed
next to it. The suite runs once on a directory and once in memory, or on each cluster that is given.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.oracle.build import cache_folder

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RELEASE = "happybase-1.3.0"
SHA256 = "43b6275d2865fc1364680a03f085491cd85d8b84db3c5aa94d25186685dfd87e"
LIBRARIES = ("six==1.17.0", "thriftpy2==0.7.1")
SUITE = ("test_api.py", "test_util.py")


def suite() -> Path:
    """Return the folder with happybase's tests and, in `lib`, their dependencies. Download it if it is missing."""
    goal = cache_folder() / RELEASE
    if not goal.exists():
        goal.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=goal.parent) as folder:
            partial = Path(folder)
            _pip("download", "--no-deps", "--no-binary=:all:", f"--dest={partial}", RELEASE.replace("-", "=="))
            archive = partial / f"{RELEASE}.tar.gz"
            if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
                raise SystemExit(f"{archive.name} is not the released file: its SHA-256 differs from {SHA256}")
            with tarfile.open(archive) as tar:
                for name in SUITE:
                    tar.extract(f"{RELEASE}/tests/{name}", partial, filter="data")
            tests = partial / RELEASE / "tests"
            _pip("install", f"--target={tests / 'lib'}", *LIBRARIES)
            shutil.move(tests, goal)
    return goal


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], check=True)


def run(target: str, arguments: list[str]) -> int:
    """Run the suite with all connections to ``target``. Return pytest's exit status."""
    folder = suite()
    path = os.pathsep.join([str(folder / "lib"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "HAPPYBASE_HOST": target, "ROWSTONE_HAPPYBASE": target}
    command = [sys.executable, "-m", "pytest", "-p", "tests.happybase.judge_plugin", f"--rootdir={folder}"]
    # The suite also asserts in threads.
    command += ["-W", "error::pytest.PytestUnhandledThreadExceptionWarning"]
    files = [str(folder / name) for name in SUITE]
    return subprocess.run([*command, "-c", os.devnull, *files, *arguments], env=environment, check=False).returncode


def main(arguments: list[str]) -> int:
    """Run the suite on each target. Return 0 if all runs pass."""
    clusters = [argument for argument in arguments if argument.startswith("hbase")]
    rest = [argument for argument in arguments if argument not in clusters]
    with tempfile.TemporaryDirectory() as folder:
        return max(run(target, rest) for target in clusters or [str(Path(folder) / "db"), ":memory:"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
