"""Tests of `rowstone.schema.design`."""
