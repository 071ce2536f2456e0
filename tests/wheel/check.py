"""Check that the newest wheel in a folder installs and works without Rust: `make wheel`.

Lists the wheel's contents and, on Linux, the platform that its symbols need (`auditwheel show`). Then installs it into
a new virtual environment of each Python from 3.11 on that is on the PATH or in pyenv, without the project on its path.
There it runs the version command and the demo on 2,000 flights, twice, and inspects the result. A wheel for another
machine is not run.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

FLIGHTS = "2000"
OLDEST, NEWEST = 11, 14
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
MODULE = "rowstone/_native.pyd" if os.name == "nt" else "rowstone/_native.abi3.so"


def newest_wheel(folder: Path) -> Path:
    """The wheel that was built last."""
    wheels = sorted(folder.glob("rowstone-*.whl"), key=lambda wheel: wheel.stat().st_mtime)
    if not wheels:
        raise SystemExit(f"no wheel in {folder}")
    return wheels[-1]


def check_contents(wheel: Path) -> None:
    """One wheel for all versions of Python from 3.11 on, typed, without what does not belong in it."""
    assert "-cp311-abi3-" in wheel.name, wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("rowstone/__init__.py", "rowstone/py.typed", "rowstone/_native.pyi", MODULE):
        assert wanted in names, wanted
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if not name.startswith(("rowstone/", "rowstone-"))]


def check_platform(wheel: Path) -> None:
    """The wheel needs no newer C library than its name says, by auditwheel."""
    done = subprocess.run([sys.executable, "-m", "auditwheel", "show", str(wheel)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = re.search(r'platform tag: "(\S+)_(\d+)_(\d+)_(\S+)"', " ".join(done.stdout.split()))
    assert found, done.stdout
    # A name has the old tag as well: manylinux2014_x86_64.manylinux_2_17_x86_64.
    promised = re.search(r"(\w+?)_(\d+)_(\d+)_(\w+)", " ".join(platform_tags(wheel)))
    assert promised, wheel.name
    kind, major, minor, machine = found.groups()
    assert (kind, machine) == (promised[1], promised[4])
    assert (int(major), int(minor)) <= (int(promised[2]), int(promised[3])), found[0]
    print(f"auditwheel: {kind}_{major}_{minor}_{machine}")


def platform_tags(wheel: Path) -> list[str]:
    """The platform tags of a wheel's name: ``["manylinux_2_17_x86_64", "manylinux2014_x86_64"]``."""
    return wheel.stem.split("-")[-1].split(".")


def runs_here(wheel: Path) -> bool:
    """Whether the wheel is for this machine and its C library."""
    tag = platform_tags(wheel)[0]
    if not sys.platform.startswith("linux"):
        return True
    return tag.endswith(platform.machine()) and ("musl" not in tag) == (platform.libc_ver()[0] == "glibc")


def interpreters() -> dict[str, str]:
    """The interpreters found, by version: ``{"3.11": "/usr/bin/python3.11"}``."""
    found = {".".join(map(str, sys.version_info[:2])): sys.executable}
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    for minor in range(OLDEST, NEWEST + 1):
        version = f"3.{minor}"
        for python in (*sorted(pyenv.glob(f"{version}.*/bin/python")), shutil.which(f"python{version}")):
            # A command of pyenv may exist without its interpreter.
            if python and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
                found.setdefault(version, str(python))
    return dict(sorted(found.items()))


def try_on(python: str, wheel: Path) -> str:
    """Install the wheel and run it; returns the times."""
    with tempfile.TemporaryDirectory(prefix="rowstone-wheel-") as folder:
        home = Path(folder)
        binaries = home / "env" / SCRIPTS
        # Only the new environment and the system: no compiler of Rust, no package of the project.
        environment = {"PATH": f"{binaries}:/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"}
        environment |= {name: value for name, value in os.environ.items() if name.lower().endswith(("_proxy", "_url"))}
        environment |= {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "SYSTEM"))
        }

        def run(*command: str) -> str:
            done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            return done.stdout

        run(python, "-m", "venv", str(home / "env"))
        start = time.perf_counter()
        run(str(binaries / "python"), "-m", "pip", "install", "--quiet", f"rowstone[demo] @ {wheel.as_uri()}")
        installed = time.perf_counter()
        rowstone = str(binaries / "rowstone")
        assert run(rowstone, "--version").strip() == f"rowstone {wheel.name.split('-')[1]}"
        first = run(rowstone, "demo", "--at", "data", "--flights", FLIGHTS)
        answered = time.perf_counter()
        second = run(rowstone, "demo", "--at", "data", "--flights", FLIGHTS)
        assert first.count("rows touched") == second.count("rows touched") == 8
        assert "from an earlier run" in second
        assert "flights" in run(rowstone, "info", "data")
    return f"installed in {installed - start:.1f} s, demo of {FLIGHTS} flights answered in {answered - installed:.1f} s"


def main() -> None:
    """Checks the wheel and tries it."""
    wheel = newest_wheel(Path(sys.argv[1])).resolve()
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    check_contents(wheel)
    if "linux" in platform_tags(wheel)[0]:
        check_platform(wheel)
    if not runs_here(wheel):
        print("not tried: it is for another machine")
        return
    pythons = interpreters()
    for version, python in pythons.items():
        print(f"Python {version}: {try_on(python, wheel)}", flush=True)
    missing = [f"3.{minor}" for minor in range(OLDEST, NEWEST + 1) if f"3.{minor}" not in pythons]
    if missing:
        print(f"not tried, because it is not here: Python {', '.join(missing)}")


if __name__ == "__main__":
    main()
