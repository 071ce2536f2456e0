"""Tests of `rowstone.joins`."""
