"""pytest plugin that runs happybase's suite against `rowstone.happybase`; loaded by `tests/happybase/judge.py`."""

from __future__ import annotations

import builtins

import pytest

from rowstone import happybase

happybase.install()

# The suite of 1.3.0 calls assert_raises and imports it from nowhere: it was moved away from nose halfway.
builtins.assert_raises = pytest.raises  # type: ignore[attr-defined]
