"""Tests of `rowstone.design`."""
