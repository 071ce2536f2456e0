"""Password hashes that cost no time; test_users.py tests the real ones once."""

from __future__ import annotations

import pytest

from rowstone.server.security import _passwords


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_passwords, "_COST", (4, 8, 1))
    _passwords._nobody.cache_clear()
