"""The page about Spark runs as it is printed. It stops Spark at its end, so this file is the last one here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.python.test_docs import ELSEWHERE, run

pytestmark = pytest.mark.filterwarnings("default")


def test_the_page_about_spark(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(*ELSEWHERE)
