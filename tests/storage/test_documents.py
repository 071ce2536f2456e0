"""Pages about object stores, executed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import run_page
from tests.storage.conftest import ROWS, Storage, put

ROOT = Path(__file__).parents[2]
_MAIN = "from rowstone.cli import main; main()"


@pytest.mark.parametrize(("page", "bucket"), [("how-to/nightly-backup.md", "backups")])
def test_pages_run(server: str, tmp_path: Path, page: str, bucket: str) -> None:
    """Python blocks and commands in their order, each in a process of its own, with one directory."""
    put(f"{server}/{bucket}")
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
    place = {"AWS_ENDPOINT": server, "AWS_ALLOW_HTTP": "true", "PYTHONPATH": str(ROOT / "python")}
    text = (ROOT / "docs" / page).read_text()
    outputs = []
    for language, block in re.findall(r"^```(py|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language == "py":
            steps = [[sys.executable, "-c", f"import rowstone as rs\n{block}"]]
        else:
            steps = [[sys.executable, "-c", _MAIN, *line.split()[2:]] for line in block.splitlines()]
        for step in steps:
            done = subprocess.run(
                step, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **keys, **place}, check=False
            )
            assert done.returncode == 0, done.stderr
            outputs.append(done.stdout)
    assert "[b'1001']" in "".join(outputs)
    assert "('before-upgrade',)" not in outputs[-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shop", "shop-again", "shop-newest", "shop-then"]


def test_a_snapshot_is_read_with_polars(
    storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {**storage.options, "aws_allow_http": "true"}.items():
        monkeypatch.setenv(name.upper(), value)
    names = run_page("how-to/snapshot-from-s3.md", "tests/storage", {"s3://bucket/hbase": storage.url})
    printed = capsys.readouterr().out
    assert printed.startswith("'web'\n{NAME => 'f',")
    assert names["frame"].height == ROWS // 2  # type: ignore[attr-defined]
    assert printed.endswith(f"{ROWS} 299\n")
