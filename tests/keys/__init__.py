"""Tests of `rowstone.keys` and `rowstone.codecs`."""
