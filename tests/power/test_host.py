"""Messages of the programs on machines that cannot run them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.power import cuts, failing_disk, full_disk, host


@pytest.mark.parametrize("program", [cuts.main, failing_disk.main, full_disk.main])
def test_without_root_the_programs_say_so(
    program: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("sys.argv", ["power"])
    assert callable(program)
    assert program() == 2
    assert "needs root" in capsys.readouterr().err


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(Path, "exists", lambda _: True)
    monkeypatch.setattr(host.shutil, "which", lambda name: None if name == "mkfs.xfs" else name)
    missing = host.find_missing([host.FILE_SYSTEMS["ext4"], host.FILE_SYSTEMS["xfs"]], needs_fuse=True)
    assert missing is not None
    assert missing.startswith("mkfs.xfs not found")
    assert host.find_missing([host.FILE_SYSTEMS["ext4"]], needs_fuse=True) is None
