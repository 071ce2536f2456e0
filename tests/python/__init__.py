"""Tests of the Python package, through its public API."""
