"""Tests of `rowstone.jobs.joins`."""
