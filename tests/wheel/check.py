"""Check that the wheel in a folder installs and works without Rust: `make wheel`.

It is installed into a new virtual environment of the same interpreter, without the project on its path. Then the check
runs the version command and the demo on 2,000 flights, twice, and inspects the result.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

FLIGHTS = "2000"


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
    for wanted in ("rowstone/__init__.py", "rowstone/py.typed", "rowstone/_native.pyi", "rowstone/_native.abi3.so"):
        assert wanted in names, wanted
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if not name.startswith(("rowstone/", "rowstone-"))]


def main() -> None:
    """Installs the wheel and runs it."""
    wheel = newest_wheel(Path(sys.argv[1])).resolve()
    check_contents(wheel)
    with tempfile.TemporaryDirectory(prefix="rowstone-wheel-") as folder:
        home = Path(folder)
        venv.create(home / "env", with_pip=True)
        binaries = home / "env" / "bin"
        # Only the new environment and the system: no compiler of Rust, no package of the project.
        environment = {"PATH": f"{binaries}:/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"}
        environment |= {name: value for name, value in os.environ.items() if name.lower().endswith(("_proxy", "_url"))}
        environment |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}

        def run(*command: str) -> str:
            done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            return done.stdout

        run(str(binaries / "python"), "-m", "pip", "install", "--quiet", f"rowstone[demo] @ {wheel.as_uri()}")
        print(run(str(binaries / "rowstone"), "--version").strip())
        first = run(str(binaries / "rowstone"), "demo", "--at", "data", "--flights", FLIGHTS)
        second = run(str(binaries / "rowstone"), "demo", "--at", "data", "--flights", FLIGHTS)
        assert first.count("rows touched") == second.count("rows touched") == 8
        assert "from an earlier run" in second
        print(run(str(binaries / "rowstone"), "info", "data").strip())
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, installs and runs without Rust")


if __name__ == "__main__":
    main()
