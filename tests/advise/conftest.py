"""Fixtures."""

from tests.python.conftest import clock, db, disk

__all__ = ["clock", "db", "disk"]
