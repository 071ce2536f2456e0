"""Pages of the documentation, run with the S3 server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import run_page
from tests.storage.conftest import ROWS, Storage


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
