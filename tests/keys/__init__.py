"""Tests of `rowstone.keys` and `rowstone.values`."""
