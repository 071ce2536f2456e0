"""Tests that put the store and the reference model before a real HBase."""
