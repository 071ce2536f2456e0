"""Extras: what needs a missing extra names it. `tests/wheel/extras.py` tries each extra with its packages."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.wheel.extras import EXTRAS, SETUP

ROOT = Path(__file__).parents[2]


def test_every_extra_has_a_program() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    # What benchmarks compare with; no part of the package imports it.
    assert set(EXTRAS) == set(declared) - {"bench"}


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_is_named(extra: str, tmp_path: Path) -> None:
    packages, program = EXTRAS[extra]
    blocked = f"import sys; sys.modules.update(dict.fromkeys({packages}))\n"
    done = subprocess.run(
        [sys.executable, "-c", blocked + SETUP + program], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0
    last = done.stderr.splitlines()[-1]
    assert last.startswith(("ImportError: ", "rowstone.errors.UnsupportedOperation: "))
    assert f"pip install 'rowstone[{extra}]'" in last
