"""Every planted bug still applies to the sources, states what it breaks, and names an existing test."""

from __future__ import annotations

import pytest

from tests.planted.run import ROOT, Planted, apply, planted

BUGS = planted()


def test_there_are_twelve_at_least() -> None:
    assert len(BUGS) >= 12


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_fits_and_names_a_test(bug: Planted) -> None:
    applied = apply(bug.patch, ROOT, "--check")
    assert applied.returncode == 0, applied.stderr
    if "--lib" not in bug.command:
        assert (ROOT / "crates/engine/tests" / f"{bug.command[-1].removesuffix('::')}.rs").is_file()
